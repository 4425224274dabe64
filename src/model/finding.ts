import { z } from "zod";

/** How sure a version is: released code, a plan upstream, a provider's announcement, or our own estimate. */
export const certaintySchema = z.enum(["released", "planned", "announced", "estimated"]);
export type Certainty = z.infer<typeof certaintySchema>;

export const sourceSchema = z.object({
  kind: z.enum(["kubernetes", "eks", "prometheus", "log", "manifest"]),
  ref: z.string(),
  at: z.string(),
});

/** One piece of evidence: where it was read and the matched token only (environment values hold secrets). */
const evidenceItemSchema = z.object({
  source: sourceSchema,
  path: z.string().optional(),
  excerpt: z.string(),
});
export type EvidenceItem = z.infer<typeof evidenceItemSchema>;

const componentSchema = z.enum(["kube-proxy", "kubelet", "kubeadm"]);
export type Component = z.infer<typeof componentSchema>;

/** From which version of which component the finding stops an upgrade. */
const blocksFromSchema = z.object({
  version: z.string(),
  component: componentSchema,
  certainty: certaintySchema,
});
export type BlocksFrom = z.infer<typeof blocksFromSchema>;

export const findingAboutSchema = z.enum(["upgrade", "migration", "hygiene"]);
export type FindingAbout = z.infer<typeof findingAboutSchema>;

export const findingStatusSchema = z.enum(["pass", "info", "warning", "blocker", "unknown"]);
export type FindingStatus = z.infer<typeof findingStatusSchema>;

export const TITLE_LIMIT = 150;
export const DETAIL_LIMIT = 1_500;
export const SUBJECTS_SHOWN = 20;

/**
 * One judgement about one cluster, as of the audit and at the cluster's own version.
 *
 * - `about`: `upgrade` hurts when Kubernetes is upgraded as things are; `migration` changes when leaving ipvs
 *   or iptables; `hygiene` is worth tidying.
 * - `status`: `blocker` only where `blocksFrom` is at or below the version that runs today; before that the
 *   same finding is a `warning`. On an `unknown`, `blocksFrom` is the first version at which what was not read
 *   could block.
 * - `fingerprint`: stable across runs: no times, no node names (autoscaling).
 */
export const findingSchema = z.object({
  check: z.string(),
  about: findingAboutSchema,
  status: findingStatusSchema,
  title: z.string().max(TITLE_LIMIT),
  detail: z.string().max(DETAIL_LIMIT),
  evidence: z.array(evidenceItemSchema),
  fix: z.string().optional(),
  blocksFrom: blocksFromSchema.optional(),
  /** The first version that accepts it again: the finding blocks targets before that one only. */
  blocksUntil: z.string().optional(),
  /** A migration finding that becomes an upgrade finding at that target (mode unset, default flips). */
  upgradeFrom: z.object({ version: z.string(), certainty: certaintySchema }).optional(),
  /** The nodes, Services or workloads it is about: the first twenty. */
  subjects: z.array(z.string()).max(SUBJECTS_SHOWN).optional(),
  /** How many subjects there are in all. */
  subjectCount: z.number().int().nonnegative().optional(),
  /** Identifiers of the upstream or provider facts it was judged by (`src/timeline`, `src/providers`). */
  facts: z.array(z.string()).optional(),
  fingerprint: z.string(),
});
export type Finding = z.infer<typeof findingSchema>;
