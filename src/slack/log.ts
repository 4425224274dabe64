/**
 * What the Slack front end says about itself: a stable code and a detail without secrets. Never a payload, a
 * token, a trigger or a response_url, each of which somebody could use.
 */
export type SlackLog = (entry: { code: string; detail?: string; reference?: string }) => void;
