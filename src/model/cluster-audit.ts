import { z } from "zod";
import { certaintySchema, findingSchema, sourceSchema } from "./finding.ts";
import { inventoryEntrySchema } from "./inventory-entry.ts";
import { UNSEEN } from "./observed.ts";

/**
 * What forwards Service traffic on Linux nodes. `unset`: nothing chosen, the default of the running kube-proxy
 * applies. `none`: a named replacement runs instead. `mixed`: nodes differ. `unknown`: cannot be told, or a
 * value that kube-proxy refuses.
 */
export const PROXY_MODES = [
  "ipvs",
  "iptables",
  "nftables",
  "kernelspace",
  "userspace",
  "unset",
  "none",
  "mixed",
  "unknown",
] as const;
export type ProxyMode = (typeof PROXY_MODES)[number];
const proxyModeSchema = z.enum(PROXY_MODES);

const dataPlaneSchema = z.object({
  /** Configured and in force for Linux nodes. */
  mode: proxyModeSchema,
  /** What the process runs with that configuration; null when it cannot be told or it will not start. */
  effectiveMode: proxyModeSchema.nullable(),
  /** What was seen running (log line, event, metrics); null when nothing showed it. */
  observedMode: proxyModeSchema.nullable(),
  replacedBy: z.string().nullable(),
  managedBy: z.literal("provider").nullable(),
  otherIpvsUsers: z.array(z.string()),
  willStart: z.boolean().nullable(),
  scheduler: z.string().nullable(),
  strictARP: z.boolean().nullable(),
  /** As configured; null when not set. */
  nodePortAddresses: z.array(z.string()).nullable(),
  featureGates: z.record(z.string(), z.boolean()),
  sources: z.array(z.object({ ref: z.string(), says: z.string() })),
  /** Flags that have no effect because `--config` is present. */
  ignored: z.array(z.string()),
});
export type DataPlane = z.infer<typeof dataPlaneSchema>;

const nodePoolSchema = z.object({
  name: z.string(),
  count: z.number().int(),
  kernels: z.array(z.string()),
  /** Whether kube-proxy's nftables mode accepts the kernel (5.13 or newer by number). */
  nftables: z.enum(["yes", "no", "unknown", "not-applicable"]),
});
export type NodePool = z.infer<typeof nodePoolSchema>;

const nodeSummarySchema = z.object({
  count: z.number().int(),
  /** Linux nodes that run this cluster's kube-proxy (not Fargate, Auto Mode, Windows). */
  belowNftablesKernel: z.number().int(),
  unknownKernel: z.number().int(),
  containerd1: z.number().int(),
  pools: z.array(nodePoolSchema),
});
export type NodeSummary = z.infer<typeof nodeSummarySchema>;

const unreadSchema = z.object({
  what: z.string(),
  why: z.enum(UNSEEN),
  detail: z.string(),
});
export type Unread = z.infer<typeof unreadSchema>;

export const VERDICTS = ["clear", "clear-with-warnings", "blocked", "incomplete"] as const;
export type VerdictWord = (typeof VERDICTS)[number];

/** The verdict as the scan's JSON shows it; `src/verdict` makes it. Lists hold check identifiers. */
const verdictSchema = z.object({
  target: z.string(),
  verdict: z.enum(VERDICTS),
  blockers: z.array(z.string()),
  warnings: z.array(z.string()),
  unknown: z.array(z.string()),
  /** Checks whose blockers or unknowns were waived or accepted; they stay listed. */
  waived: z.array(z.string()),
  /** Why an incomplete verdict is incomplete beyond the unknown checks, e.g. `stale`. */
  reasons: z.array(z.string()),
  /** Least certain claim that decided: a `planned` deadline decides and says that it is planned. */
  certainty: certaintySchema.nullable(),
  /** How far the control plane alone can go while kube-proxy stays at the last version that works. */
  controlPlaneAlone: z.object({ kubeProxy: z.string(), atMost: z.string() }).nullable(),
  covers: z.string(),
  doesNotCover: z.string(),
  assumptions: z.array(z.string()),
  auditedAt: z.string(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** One audit of one cluster: what the scan's JSON holds for it, and what the store keeps. */
export const clusterAuditSchema = z.object({
  /** `kubeconfig:prod-eu`, `eks:111122223333/eu-west-1/payments`, `manifests:NAME` or `demo:NAME`. */
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  account: z.string().nullable(),
  region: z.string().nullable(),
  team: z.string().nullable(),
  environment: z.string().nullable(),
  /** `1.35`; null when it could not be read. */
  kubernetesVersion: z.string().nullable(),
  /** Minor versions of the kube-proxies that run, lowest first. */
  kubeProxyVersions: z.array(z.string()),
  auditedAt: z.string(),
  /** False when not one answer came from the cluster. */
  reachable: z.boolean(),
  dataPlane: dataPlaneSchema,
  nodes: nodeSummarySchema,
  findings: z.array(findingSchema),
  /** By target version, as of the audit, without waivers. */
  verdicts: z.record(z.string(), verdictSchema),
  unread: z.array(unreadSchema),
  sources: z.array(sourceSchema).optional(),
  /** The IAM identity that posted it, where the audit was made inside the cluster. */
  postedBy: z.string().optional(),
});
export type ClusterAudit = z.infer<typeof clusterAuditSchema>;

/** An upstream or provider fact as a document shows it; `src/timeline/facts` has them all. */
const factSchema = z.object({
  claim: z.string(),
  source: z.string(),
  sourceUrl: z.string().optional(),
  checkedAt: z.string(),
  confidence: z.enum(["high", "medium", "low"]),
  certainty: certaintySchema,
});

export const scanResultSchema = z.object({
  schemaVersion: z.literal(1),
  startedAt: z.string(),
  finishedAt: z.string(),
  clusters: z.array(clusterAuditSchema),
  /** What the findings' `facts` stand for, by identifier. */
  facts: z.record(z.string(), factSchema).optional(),
  /** How finding the clusters went, where there was something to find: accounts, Regions, clusters. */
  inventory: z.array(inventoryEntrySchema).optional(),
});
export type ScanResult = z.infer<typeof scanResultSchema>;
