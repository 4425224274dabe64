/**
 * How large each function's bundle may become, in KiB: what it loads at a cold start. A function that outgrows its
 * budget has taken a room along that it does not need; raise the number only after having looked.
 */
export const FUNCTION_BUDGETS = {
  discover: 1_750,
  enumerate: 1_800,
  audit: 2_050,
  "close-run": 1_100,
  gate: 1_100,
  ingest: 1_100,
  slack: 1_650,
  "slack-worker": 2_400,
  digest: 1_300,
} as const;
