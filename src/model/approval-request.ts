import { z } from "zod";

/**
 * Somebody asks that one upgrade of one cluster be approved. The message that shows it carries the identifier
 * alone; what it is about is read here. Decided once, by whoever comes first.
 */
export const approvalRequestSchema = z.object({
  id: z.string(),
  clusterId: z.string(),
  target: z.string(),
  /** The audit that was shown: a decision about another one is refused. */
  auditHash: z.string(),
  requestedBy: z.string(),
  /** Where the request was posted: workspace, channel and the message whose thread is told what comes of it. */
  workspace: z.string(),
  channel: z.string(),
  ts: z.string(),
  createdAt: z.string(),
});
export type ApprovalRequest = z.infer<typeof approvalRequestSchema>;

export const approvalDecisionSchema = z.object({
  outcome: z.enum(["approved", "rejected"]),
  by: z.string(),
  at: z.string(),
});
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;
