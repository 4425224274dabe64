import { nftablesKernel } from "#src/kubernetes/kernel.ts";
import { judgeStart, type Refusal, type StartConfiguration } from "#src/kubernetes/validation.ts";
import { compareMinor, lowestMinor, minorOf, parseKubeVersion } from "#src/kubernetes/version.ts";
import type { ProxyMode } from "#src/model/cluster-audit.ts";
import { observedValue } from "#src/model/observed.ts";
import { defaultModeAt } from "#src/timeline/stages.ts";
import type { Evidence } from "../evidence.ts";
import type { NodeFacts } from "../kubernetes/nodes.ts";
import type { ProxyInstance, ProxySettings } from "./instance.ts";

/** Whether one kube-proxy starts with its configuration, at its own version. */
export interface Start {
  /** null: cannot be told. */
  willStart: boolean | null;
  refusals: Refusal[];
  /** Feature gates that upstream's table cannot judge. */
  unjudgedGates: string[];
  /** Nodes on which it exits because the kernel is too old for nftables mode. */
  kernelRefuses: string[];
  /** What runs where that differs from what is configured: old versions fell back to iptables. */
  runs: ProxyMode | null;
}

/** The minor version an instance runs: its image's, otherwise the API server's, otherwise the oldest kubelet's. */
export function minorOfInstance(instance: ProxyInstance, evidence: Evidence): string | null {
  if (instance.version) return minorOf(instance.version);
  return clusterMinorOf(evidence);
}

/** The API server's minor version, or the oldest kubelet's where it was not read; null where neither was. */
export function clusterMinorOf(evidence: Evidence): string | null {
  const server = evidence.version.seen === false ? null : parseKubeVersion(evidence.version.value);
  if (server) return minorOf(server);
  const eks = observedValue(evidence.eks.cluster)?.version;
  const aks = observedValue(evidence.aks)?.kubernetesVersion;
  const cloud = parseKubeVersion(eks || aks || "");
  if (cloud) return minorOf(cloud);
  return lowestMinor(kubeletMinorsOf(observedValue(evidence.nodes) ?? []));
}

export function kubeletMinorsOf(nodes: readonly NodeFacts[]): string[] {
  return nodes.flatMap((node) => {
    const version = parseKubeVersion(node.kubeletVersion);
    return version ? [minorOf(version)] : [];
  });
}

/** The Linux nodes that run the cluster's own kube-proxy: not Auto Mode's, not Fargate's, not virtual ones. */
export function kubeProxyNodesOf(evidence: Evidence): NodeFacts[] {
  return (observedValue(evidence.nodes) ?? []).filter(
    (node) => node.os !== "windows" && (node.compute === null || node.compute === "hybrid"),
  );
}

export function startOf(instance: ProxyInstance, evidence: Evidence): Start {
  const unknown: Start = { willStart: null, refusals: [], unjudgedGates: [], kernelRefuses: [], runs: null };
  const settings = observedValue(instance.settings);
  if (!settings) return unknown;
  const minor = minorOfInstance(instance, evidence);
  if (minor === null) return { ...unknown, willStart: startsAtAnyVersion(instance, settings) };
  const { refusals, unjudgedGates, willStart } = judgeStart(startConfigurationOf(settings), minor, {
    providerBuild: PROVIDER_BUILDS.has(instance.version?.distribution ?? ""),
  });
  const kernelRefuses = kernelRefusals(instance, settings.rawMode, minor, evidence);
  const fails = instance.loadError !== null || kernelRefuses.length > 0;
  return {
    willStart: fails ? false : willStart,
    refusals,
    unjudgedGates,
    kernelRefuses,
    runs: fallsBack(settings.rawMode, refusals) ? "iptables" : null,
  };
}

const VERSIONS_IN_USE = Array.from({ length: 20 }, (_, index) => `1.${20 + index}`);

/** Where no object tells the version: what holds for every kube-proxy in use; null where they differ. */
function startsAtAnyVersion(instance: ProxyInstance, settings: ProxySettings): boolean | null {
  if (instance.loadError !== null) return false;
  const configuration = startConfigurationOf(settings);
  const answers = new Set(VERSIONS_IN_USE.map((minor) => judgeStart(configuration, minor).willStart));
  const [answer] = answers;
  return answers.size === 1 && answer !== undefined ? answer : null;
}

/** What of an instance's settings decides whether kube-proxy starts. */
export function startConfigurationOf(settings: ProxySettings): StartConfiguration {
  return {
    mode: settings.rawMode,
    featureGates: settings.featureGates,
    invalidFeatureGates: settings.invalidFeatureGates,
    nodePortAddresses: settings.nodePortAddresses,
    ipvs: { scheduler: settings.ipvs.scheduler, excludeCIDRs: settings.ipvs.excludeCIDRs },
  };
}

const OLD_MODES = new Set<string>(["iptables", "ipvs", "userspace", "nftables"]);

/** Before modes were validated by name, kube-proxy took one that it did not know for iptables. */
function fallsBack(rawMode: string | null, refusals: readonly Refusal[]): boolean {
  return rawMode !== null && !OLD_MODES.has(rawMode) && !refusals.some((refusal) => refusal.field === "mode");
}

/** Providers that build kube-proxy with feature gates of their own: upstream's list does not judge them. */
const PROVIDER_BUILDS = new Set(["gke"]);

/**
 * kube-proxy in nftables mode compares the kernel's version number with 5.13 and exits below it, whatever was
 * back-ported. Up to 1.32 the check was inverted and did nothing by default.
 */
function kernelRefusals(
  instance: ProxyInstance,
  rawMode: string | null,
  minor: string,
  evidence: Evidence,
): string[] {
  const mode = rawMode ?? defaultModeAt(minor).mode;
  if (mode !== "nftables" || instance.skipsKernelCheck || compareMinor(minor, "1.33") < 0) return [];
  const nodes = kubeProxyNodesOf(evidence).filter(
    (node) => instance.nodes.length === 0 || instance.nodes.includes(node.name),
  );
  return nodes
    .filter((node) => nftablesKernel(node.kernelVersion, node.os ?? "linux") === "no")
    .map((node) => node.name);
}
