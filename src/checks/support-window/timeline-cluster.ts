import { parseLinuxKernel } from "#src/kubernetes/kernel.ts";
import { observedValue } from "#src/model/observed.ts";
import type { EksVersion } from "#src/timeline/eks-calendar.ts";
import type { EksFacts, TimelineCluster } from "#src/timeline/timeline-cluster.ts";
import type { CheckInput } from "../check.ts";

/** The cluster as the timeline knows it, from the evidence. */
export function timelineClusterOf(input: CheckInput): TimelineCluster {
  const { dataPlane, evidence, provider, minor, kubeProxyMinors } = input;
  const nodes = observedValue(evidence.nodes) ?? [];
  return {
    mode: dataPlane.mode,
    effectiveGate: dataPlane.featureGates.KubeProxyIPVS,
    provider: provider.id,
    kubernetesVersion: minor,
    kubeProxyVersions: kubeProxyMinors,
    kernels: nodes.flatMap((node) => parseLinuxKernel(node.kernelVersion, node.os ?? "linux") ?? []),
    containerd1: nodes.some((node) => /^containerd:\/\/1\./.test(node.containerRuntimeVersion)),
    eks: provider.id === "eks" ? eksFactsOf(input) : undefined,
  };
}

function eksFactsOf({ evidence: { eks } }: CheckInput): EksFacts {
  const supportType = observedValue(eks.cluster)?.supportType;
  const selfManaged = eks.addon.seen === false && eks.addon.why === "absent";
  return {
    versions: eksVersionsOf(eks.versions),
    supportType: supportType === "STANDARD" || supportType === "EXTENDED" ? supportType : undefined,
    addonListsIpvs: selfManaged ? undefined : addonListsIpvs(observedValue(eks.addonSchemas) ?? []),
  };
}

/** Days of DescribeClusterVersions, whose times are midnight UTC. */
function eksVersionsOf(versions: CheckInput["evidence"]["eks"]["versions"]): EksVersion[] {
  const day = (time: string | null) => time?.slice(0, 10) ?? null;
  return (observedValue(versions) ?? []).map((row) => ({
    minor: row.version,
    release: day(row.releaseDate),
    endOfStandard: day(row.endOfStandard),
    endOfExtended: day(row.endOfExtended),
  }));
}

/** By minor version: of several builds that were read, the last one counts, as they are listed oldest first. */
function addonListsIpvs(
  schemas: readonly { kubernetesVersion: string; modes: string[] | null }[],
): Record<string, boolean> {
  return Object.fromEntries(
    schemas.flatMap(({ kubernetesVersion, modes }) =>
      modes === null ? [] : [[kubernetesVersion, modes.includes("ipvs")] as const],
    ),
  );
}
