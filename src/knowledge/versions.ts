import { releaseOf } from "#src/timeline/calendar.ts";
import { isoDay } from "#src/timeline/days.ts";
import { eksSupportOf } from "#src/timeline/eks-calendar.ts";
import { EXTERNAL_IPS_STAGES, NFTABLES_STAGES, type Stage, stageOf } from "#src/timeline/stages.ts";
import { formatWhen, type When } from "#src/timeline/when.ts";

/** The stages that answers speak of: no version or date of theirs is ever typed into a text. */
export const IPVS_WARNS = stageOf("ipvs-warning-1.35");
export const IPVS_GATE = stageOf("ipvs-gate-1.37");
export const IPVS_OFF = stageOf("ipvs-off-1.40");
export const IPVS_REMOVED = stageOf("ipvs-removed-1.43");
export const GATE_GONE = stageOf("ipvs-gate-gone-1.46");
export const DEFAULT_WARNS = stageOf("default-mode-warning-1.37");
export const DEFAULT_FLIPS = stageOf("default-nftables-1.40");
export const KUBEADM_WRITES_MODE = stageOf("kubeadm-writes-mode-1.37");
export const KUBEADM_KERNELS = stageOf("kubeadm-kernels-1.39");
export const NFTABLES_BETA = stageThat(NFTABLES_STAGES, "nftables mode is on by default");
export const NFTABLES_GA = stageThat(NFTABLES_STAGES, "nftables mode is generally available");
export const NODEPORT_WORDS = stageOf("nodeport-keywords");
export const LOCALHOST_NODEPORTS = stageOf("nodeport-localhost-gate");
export const CONTAINERD1_ENDS = stageOf("containerd1-1.38");
export const CGROUP_V1 = stageOf("cgroup-v1-1.35");
export const EXTERNAL_IPS_OFF = stageThat(EXTERNAL_IPS_STAGES, "Service externalIPs are ignored");
export const EXTERNAL_IPS_REMOVED = stageThat(
  EXTERNAL_IPS_STAGES,
  "support for Service externalIPs is removed",
);
export const EKS_ANNOUNCED = stageOf("eks-announcement");
export const EKS_NFTABLES = stageOf("eks-nftables-1.33");
export const AKS_NFTABLES = stageOf("aks-no-date");
export const TALOS_NFTABLES = stageOf("talos-default-nftables");

/**
 * `1.37 (out since 26 Aug 2026)`, `1.40 (Aug 2027 ± 3 weeks, estimated)`. A scheduled day that has passed is no proof
 * that the version is out.
 */
export function dated(minor: string, now: Date): string {
  const release = releaseOf(minor);
  const out = release.certainty === "released" && release.around <= isoDay(now);
  return `${minor} (${out ? "out since " : ""}${withoutBrackets(release)})`;
}

/** Until when upstream patches the version: `28 Oct 2027, announced`. */
export function endOfLife(minor: string): string {
  return withoutBrackets(releaseOf(minor).endOfLife);
}

/** `2 Aug 2027, announced; with extended support until 2 Aug 2028, announced`. */
export function eksSupported(minor: string): string {
  const { endOfStandard, endOfExtended } = eksSupportOf(minor);
  return `${withoutBrackets(endOfStandard)}; with extended support until ${withoutBrackets(endOfExtended)}`;
}

/** For use inside brackets or a sentence of its own commas. */
function withoutBrackets(when: When): string {
  return formatWhen(when).replace(/ \((\w+)\)$/, ", $1");
}

/** For facts with several stages. */
function stageThat(stages: readonly Stage[], start: string): Stage {
  const stage = stages.find(({ what }) => what.startsWith(start));
  if (stage === undefined) throw new Error(`no stage starts with "${start}"`);
  return stage;
}
