import type { Evidence } from "#src/evidence/evidence.ts";
import { notSeen, type Source, seen } from "#src/model/observed.ts";

const AT = "2026-11-30T09:00:00.000Z";

/** The API server's answer at /version, which no dump holds. */
export function serverVersion(gitVersion: string): (evidence: Evidence) => Evidence {
  const source: Source = { kind: "kubernetes", ref: "/version", at: AT };
  return (evidence) => ({ ...evidence, version: seen({ major: "1", minor: "", gitVersion }, source) });
}

/** A ConfigMap that the auditor may not get. */
export function forbiddenConfigMap(name: string): (evidence: Evidence) => Evidence {
  const source: Source = { kind: "kubernetes", ref: `configmaps ${name}`, at: AT };
  const read = notSeen("forbidden", `configmaps "${name}" is forbidden`, source);
  return (evidence) => ({ ...evidence, configMaps: new Map([...evidence.configMaps, [name, read]]) });
}

type List = "nodes" | "daemonSets" | "systemPods" | "services";

/** A kind that the auditor may not list. */
export function forbiddenList(list: List): (evidence: Evidence) => Evidence {
  const source: Source = { kind: "kubernetes", ref: list.toLowerCase(), at: AT };
  const read = notSeen("forbidden", `${list.toLowerCase()} is forbidden`, source);
  return (evidence) => ({ ...evidence, [list]: read });
}

/** kube-proxy is no EKS add-on: `DescribeAddon` answers that there is none. */
export function withoutAddon(evidence: Evidence): Evidence {
  const addon = notSeen("absent", "no kube-proxy add-on", { kind: "eks", ref: "DescribeAddon", at: AT });
  return { ...evidence, eks: { ...evidence.eks, addon } };
}
