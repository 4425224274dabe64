import { compareMinor, lowestMinor } from "#src/kubernetes/version.ts";
import type { ProxyMode } from "#src/model/cluster-audit.ts";
import type { Component } from "#src/model/finding.ts";
import type { EksVersion } from "./eks-calendar.ts";
import { stageOf } from "./stages.ts";

/** What the timeline needs to know of a cluster. */
export interface TimelineCluster {
  mode: ProxyMode;
  /** KubeProxyIPVS as kube-proxy's configuration sets it; undefined where it does not. */
  effectiveGate?: boolean | undefined;
  provider: string;
  kubernetesVersion: string | null;
  kubeProxyVersions: readonly string[];
  /** Linux kernels of the nodes; only read for clusters that kubeadm upgrades. */
  kernels?: readonly { major: number; minor: number }[] | undefined;
  /** Some node runs containerd 1.x. */
  containerd1?: boolean | undefined;
  eks?: EksFacts | undefined;
}

export interface EksFacts {
  /** What DescribeClusterVersions answered; the built-in table stands in for it. */
  versions?: readonly EksVersion[] | undefined;
  /** `STANDARD`: the control plane is upgraded at the end of standard support already. */
  supportType?: "STANDARD" | "EXTENDED" | undefined;
  /**
   * Whether the configuration schema of the newest kube-proxy add-on build of a version lists ipvs, for the
   * versions that were read. Leave it out where kube-proxy is not the EKS add-on: the schema binds only that.
   */
  addonListsIpvs?: Readonly<Record<string, boolean>> | undefined;
}

export type Applies = "yes" | "possible";

/** Whether ipvs runs here; `possible` where the mode could not be told or nodes differ. Null: it does not. */
export function runsIpvs(cluster: TimelineCluster): Applies | null {
  return cluster.mode === "ipvs" ? "yes" : ifUndecided(cluster.mode);
}

/** Whether nobody chose a mode, so that the default decides. */
export function followsDefault(cluster: TimelineCluster): Applies | null {
  return cluster.mode === "unset" ? "yes" : ifUndecided(cluster.mode);
}

/** The first version whose EKS add-on was read and does not list ipvs. */
export function firstAddonWithoutIpvs(cluster: TimelineCluster): string | null {
  if (cluster.provider !== "eks") return null;
  const lists = Object.entries(cluster.eks?.addonListsIpvs ?? {});
  return lowestMinor(lists.filter(([, listed]) => !listed).map(([minor]) => minor));
}

/**
 * AWS announces the end of ipvs for 1.36. True on EKS until the add-on schema of that version, or of a later one
 * that still lists ipvs, was read and settles it.
 */
export function eksAnnouncementStands(cluster: TimelineCluster): boolean {
  const { version } = stageOf("eks-announcement");
  return (
    cluster.provider === "eks" &&
    runsIpvs(cluster) !== null &&
    !Object.entries(cluster.eks?.addonListsIpvs ?? {}).some(
      ([minor, listed]) => minor === version || (listed && compareMinor(minor, version) > 0),
    )
  );
}

/** The version that the component runs here: of several kube-proxies the newest, which meets a deadline first. */
export function runningVersion(cluster: TimelineCluster, component: Component): string | null {
  const newest = component === "kube-proxy" ? newestOf(cluster.kubeProxyVersions) : null;
  return newest ?? cluster.kubernetesVersion;
}

function newestOf(minors: readonly string[]): string | null {
  return minors.toSorted(compareMinor).at(-1) ?? null;
}

function ifUndecided(mode: ProxyMode): Applies | null {
  return mode === "mixed" || mode === "unknown" ? "possible" : null;
}
