import { z } from "zod";

/**
 * A waiver covers the fingerprints that were open under a check when it was made, never later ones. It is
 * applied when a verdict is computed and never written into findings. `accepts: "unknown"` lets an approver
 * accept a named unknown.
 */
export const waiverSchema = z.object({
  id: z.string(),
  clusterId: z.string(),
  check: z.string(),
  accepts: z.enum(["finding", "unknown"]),
  fingerprints: z.array(z.string()),
  reason: z.string().min(1),
  ticket: z.string().nullable(),
  owner: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Waiver = z.infer<typeof waiverSchema>;

/** An approval of one upgrade, bound to cluster, target and audit hash. */
export const approvalSchema = z.object({
  id: z.string(),
  clusterId: z.string(),
  target: z.string(),
  /** Fingerprints, statuses, blocksFrom and unread of the audit it was given on; no times. */
  auditHash: z.string(),
  verdict: z.string(),
  requestedBy: z.string().nullable(),
  approvedBy: z.string(),
  /** Set when a blocked verdict was overridden: loudly recorded. */
  overrideReason: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Approval = z.infer<typeof approvalSchema>;
