import type { DataPlaneReading } from "#src/evidence/data-plane/reading.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { Finding, FindingAbout } from "#src/model/finding.ts";
import type { Provider } from "#src/providers/index.ts";

/** What a check judges: the evidence, and what was concluded from it. */
export interface CheckInput {
  evidence: Evidence;
  dataPlane: DataPlaneReading;
  provider: Provider;
  /** The API server's minor version; the oldest kubelet's where it was not read; null where neither was. */
  minor: string | null;
  /** Minor versions of the kube-proxies that run, lowest first. */
  kubeProxyMinors: readonly string[];
  /** Minor versions of the kubelets, lowest first. */
  kubeletMinors: readonly string[];
  /** The instant of the audit. */
  now: Date;
}

/**
 * One check: a rule about one cluster, as data and one pure function. Its folder holds the rule (`check.ts`) and
 * its explanation for people (`readme.md`).
 */
export interface Check {
  id: string;
  /** What it judges, as a noun phrase. */
  title: string;
  about: FindingAbout;
  /** Whether its findings can stop an upgrade, and from which version at the earliest; null: it only warns. */
  canBlock: string | null;
  /** What it needs to have read. */
  evidence: readonly string[];
  /** The permissions behind that, as verbs and resources. */
  permissions: readonly string[];
  judge(input: CheckInput): Finding[];
}
