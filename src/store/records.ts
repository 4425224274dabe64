import { z } from "zod";
import { PROXY_MODES, VERDICTS } from "#src/model/cluster-audit.ts";
import { findingAboutSchema, findingStatusSchema } from "#src/model/finding.ts";

/**
 * A finding that somebody has to deal with, as of the newest audit that could judge its check. It stays open
 * while its check cannot be judged: a cluster that went dark has fixed nothing.
 */
export const openFindingSchema = z.object({
  fingerprint: z.string(),
  check: z.string(),
  about: findingAboutSchema,
  status: findingStatusSchema,
  title: z.string(),
  /** The audit that first showed it. */
  since: z.string(),
  /** The last audit that showed it; older than the latest audit while the check cannot be judged. */
  seenAt: z.string(),
});
export type OpenFinding = z.infer<typeof openFindingSchema>;

export const findingChangeSchema = openFindingSchema.omit({ since: true, seenAt: true }).extend({
  clusterId: z.string(),
  provider: z.string(),
  team: z.string().nullable(),
  environment: z.string().nullable(),
  change: z.enum(["opened", "closed"]),
  /** The audit that showed the change. */
  at: z.string(),
  /** Opened by the first audit of its cluster: new to us, not necessarily new. */
  firstAudit: z.boolean(),
});
export type FindingChange = z.infer<typeof findingChangeSchema>;

/** Which channel gets the digest of which team, and when in that team's week. */
export const subscriptionSchema = z.object({
  channel: z.string().min(1),
  /** The Slack workspace of the channel; not known of subscriptions made outside Slack. */
  workspace: z.string().min(1).optional(),
  team: z.string().min(1),
  /** IANA name, e.g. `Europe/Berlin`. */
  timeZone: z.string(),
  /** ISO: 1 is Monday. */
  weekday: z.number().int().min(1).max(7),
  hour: z.number().int().min(0).max(23),
  createdBy: z.string(),
  createdAt: z.string(),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

/**
 * Where one cluster (or one account, whose clusters are not known yet) stands in one run over the fleet. `partial`:
 * audited, but not through its Kubernetes API. `skipped`: not there any more, or not for us to read.
 */
export const RUN_OUTCOMES = ["expected", "done", "partial", "skipped", "failed"] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** Outcomes that stand against everything that comes later. */
export const FINAL_RUN_OUTCOMES = ["done", "partial", "skipped"] as const satisfies readonly RunOutcome[];

export interface RunMark {
  outcome: RunOutcome;
  /** When work on it first began, the same for every delivery of its message; when it ended, where it has. */
  begunAt: string;
}

interface RunEnding {
  clusterId: string;
  reason: string;
}

export interface Run {
  id: string;
  startedAt: string;
  closedAt: string | null;
  /** Expected and not heard of yet, by cluster identifier. */
  pending: string[];
  done: string[];
  partial: RunEnding[];
  skipped: RunEnding[];
  failed: RunEnding[];
}

/** One day of the burn-down, for the fleet or for one team. */
export const rollupSchema = z.object({
  /** `2027-03-01`, UTC. */
  date: z.iso.date(),
  /** Null for the whole fleet. */
  team: z.string().nullable(),
  clusters: z.number().int().nonnegative(),
  /** Clusters whose newest audit is too old or reached nothing: they count in no other column as fine. */
  notAudited: z.number().int().nonnegative(),
  modes: z.partialRecord(z.enum(PROXY_MODES), z.number().int().nonnegative()),
  /** By target version, then verdict. */
  verdicts: z.record(z.string(), z.partialRecord(z.enum(VERDICTS), z.number().int().nonnegative())),
});
export type Rollup = z.infer<typeof rollupSchema>;
