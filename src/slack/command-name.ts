/** The one slash command, as the manifest registers it. */
export const COMMAND = "/proxy-audit";
