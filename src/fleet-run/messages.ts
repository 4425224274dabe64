import { z } from "zod";

const account = z.string().regex(/^\d{12}$/, "not an account id");
const runId = z.string().regex(/^[\w.:-]{1,64}$/, "not the id of a run");
const tags = z.record(z.string(), z.string());

/** One account to look for clusters in. */
export const accountMessageSchema = z.object({
  kind: z.literal("account"),
  runId,
  account,
  /** The account's tags that can name a team or an environment. */
  tags,
});
export type AccountMessage = z.infer<typeof accountMessageSchema>;

/** One cluster to audit. */
export const clusterMessageSchema = z.object({
  kind: z.literal("cluster"),
  runId,
  account,
  region: z.string().regex(/^[a-z0-9-]{1,30}$/, "not a Region"),
  name: z.string().regex(/^[A-Za-z0-9][\w-]{0,99}$/, "not the name of an EKS cluster"),
  accountTags: tags,
});
export type ClusterMessage = z.infer<typeof clusterMessageSchema>;
