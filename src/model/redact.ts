/**
 * Things that let their holder act: cluster tokens, Slack's tokens and answer addresses, signatures of requests,
 * bearer headers. Each pattern keeps the beginning that tells what it was.
 */
const SECRETS: readonly RegExp[] = [
  /(Authorization["']?: ?["']?)[^"'\n]+/gi,
  /(k8s-aws-v1\.)[\w-]+/g,
  /(xox[abeprs]-|xapp-)[\w-]+/g,
  /(https:\/\/hooks\.slack(?:-gov)?\.com\/)[^\s"']+/g,
  /(X-Amz-(?:Signature|Security-Token|Credential)=)[^&\s"']+/gi,
  /(Bearer )[\w.~+/=-]+/gi,
];

/** Keys whose values are never for a log, whatever they look like. */
const SECRET_KEYS =
  /^(authorization|token|bottoken|signingsecret|externalid|secretaccesskey|sessiontoken|response_url|trigger_id|x-slack-signature)$/i;

/** The text without what would let a reader of logs act in somebody's name. */
export function redacted(text: string): string {
  return SECRETS.reduce((rest, pattern) => rest.replace(pattern, "$1[redacted]"), text);
}

/** For `JSON.stringify`: the same for every text of a value, and for whole values under telling keys. */
export function redactingReplacer(key: string, value: unknown): unknown {
  if (SECRET_KEYS.test(key) && value !== null && value !== undefined) return "[redacted]";
  return typeof value === "string" ? redacted(value) : value;
}
