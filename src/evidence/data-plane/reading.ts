import type { DataPlane, ProxyMode } from "#src/model/cluster-audit.ts";
import type { Certainty } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import { defaultModeAt } from "#src/timeline/stages.ts";
import type { Evidence } from "../evidence.ts";
import { cloudInstances } from "./cloud-instances.ts";
import type { ProxyInstance } from "./instance.ts";
import { workloadInstances } from "./instances.ts";
import { builtInDisabled, nodeInstances } from "./node-instances.ts";
import { type ModeObservation, modeObservationsOf, observedModeOf } from "./observed-mode.ts";
import { otherIpvsUsersOf, type Replacement, replacementsOf } from "./replacement.ts";
import { minorOfInstance, type Start, startOf } from "./start.ts";

/** The data plane as the scan's JSON shows it, with what it was concluded from. */
export interface DataPlaneReading extends DataPlane {
  /** Every kube-proxy that was found, idle ones and Windows' included. */
  instances: ProxyInstance[];
  /** Those that decide: Linux, not idle. */
  running: ProxyInstance[];
  starts: ReadonlyMap<ProxyInstance, Start>;
  replacements: Replacement[];
  otherIpvsEvidence: ReturnType<typeof otherIpvsUsersOf>;
  observations: ModeObservation[];
  /** kube-proxy and its replacement both run. */
  conflict: boolean;
  /** Why the configured mode is unknown, for people; null where it is known. `mode` can then be what was seen running. */
  whyUnknown: string | null;
  /** How certain `effectiveMode` is: the default of a version to come is a plan. */
  certainty: Certainty;
}

const MODES = new Set<string>(["ipvs", "iptables", "nftables", "userspace", "kernelspace"]);

/** The mode an instance is configured to; `unknown` for what was not read or kube-proxy does not know. */
export function modeOfInstance(instance: ProxyInstance): ProxyMode {
  const settings = observedValue(instance.settings);
  if (!settings) return "unknown";
  if (settings.rawMode === null) return instance.loadError === null ? "unset" : "unknown";
  return MODES.has(settings.rawMode) ? (settings.rawMode as ProxyMode) : "unknown";
}

/** How kube-proxy is run, configured and replaced in one cluster (the rules: docs/how-it-decides.md). */
export function readDataPlane(evidence: Evidence): DataPlaneReading {
  const instances = instancesOf(evidence);
  const running = instances.filter((instance) => instance.os === "linux" && !instance.idle);
  const replacements = replacementsOf(evidence);
  const [replacement] = replacements;
  const observations = modeObservationsOf(evidence);
  const observedMode = observedModeOf(observations);
  const starts = new Map(running.map((instance) => [instance, startOf(instance, evidence)]));
  const decided = decide(evidence, running, instances, replacement, observedMode, starts);
  const settings = running.flatMap((instance) => observedValue(instance.settings) ?? []);
  const effective = effectiveModeOf(decided.mode, running, evidence, starts);
  const otherIpvsEvidence = otherIpvsUsersOf(evidence);
  return {
    mode: decided.mode,
    effectiveMode: effective.mode,
    certainty: effective.certainty,
    observedMode,
    replacedBy: replacement?.name ?? null,
    managedBy: decided.managedBy,
    otherIpvsUsers: otherIpvsEvidence.map((user) => user.name),
    willStart: running.length === 0 ? null : willStart([...starts.values()]),
    scheduler: decided.mode === "ipvs" ? (common(settings.map((one) => one.ipvs.scheduler)) ?? null) : null,
    strictARP: common(settings.map((one) => one.ipvs.strictARP)) ?? null,
    nodePortAddresses: commonList(settings.map((one) => one.nodePortAddresses)),
    featureGates: Object.assign({}, ...settings.map((one) => one.featureGates)),
    sources: sourcesOf(running, instances, replacements, evidence),
    ignored: [...new Set(running.flatMap((instance) => instance.ignored))],
    instances,
    running,
    starts,
    replacements,
    otherIpvsEvidence,
    observations,
    conflict: replacement !== undefined && running.length > 0,
    whyUnknown: decided.whyUnknown,
  };
}

function instancesOf(evidence: Evidence): ProxyInstance[] {
  const workloads = workloadInstances(evidence);
  const answered = new Set(
    workloads.filter((instance) => instance.kind === "Pod").flatMap((instance) => instance.nodes),
  );
  const onNodes = workloads.some((instance) => instance.kind === "DaemonSet" && !instance.idle)
    ? []
    : nodeInstances(evidence, answered);
  const visible = [...workloads, ...onNodes];
  const visibleRunning = visible.some((instance) => instance.os === "linux" && !instance.idle);
  // A cloud API's word counts only where no object shows kube-proxy and the workloads were not read.
  if (visibleRunning || evidence.daemonSets.seen === true) return visible;
  return [...visible, ...cloudInstances(evidence)];
}

interface Decision {
  mode: ProxyMode;
  managedBy: "provider" | null;
  whyUnknown: string | null;
}

function decide(
  evidence: Evidence,
  running: ProxyInstance[],
  instances: ProxyInstance[],
  replacement: Replacement | undefined,
  observedMode: ProxyMode | null,
  starts: ReadonlyMap<ProxyInstance, Start>,
): Decision {
  if (running.length === 0) return decideWithout(evidence, instances, replacement, observedMode);
  const modes = new Set(running.map((instance) => starts.get(instance)?.runs ?? modeOfInstance(instance)));
  const managedBy = running.every((instance) => isProviderRun(instance)) ? "provider" : null;
  if (modes.size > 1 && !modes.has("unknown")) return { mode: "mixed", managedBy, whyUnknown: null };
  const [mode = "unknown"] = modes;
  if (modes.size === 1 && mode !== "unknown") return { mode, managedBy, whyUnknown: null };
  const unread = running.filter((instance) => instance.settings.seen === false);
  // The configured mode decides; what runs stands in only where the configuration cannot be read. It does not show
  // whether anybody chose it, nor what the next start takes up.
  if (unread.length === running.length && observedMode !== null && observedMode !== "mixed") {
    return { mode: observedMode, managedBy, whyUnknown: whyUnknownOf(running) };
  }
  return { mode: "unknown", managedBy, whyUnknown: whyUnknownOf(running) };
}

function whyUnknownOf(running: ProxyInstance[]): string {
  for (const instance of running) {
    if (instance.settings.seen === false) return instance.settings.detail;
    const mode = instance.settings.value.rawMode;
    if (mode !== null && !MODES.has(mode))
      return `${instance.says.ref} is "${mode}", which kube-proxy refuses`;
    if (instance.loadError !== null)
      return `kube-proxy cannot load ${instance.says.ref}: ${instance.loadError}`;
  }
  return "kube-proxy's configuration could not be told";
}

function isProviderRun(instance: ProxyInstance): boolean {
  // Google runs kube-proxy on GKE: its builds carry a tag of their own.
  return instance.version?.distribution === "gke";
}

function decideWithout(
  evidence: Evidence,
  instances: ProxyInstance[],
  replacement: Replacement | undefined,
  observedMode: ProxyMode | null,
): Decision {
  const nodes = (observedValue(evidence.nodes) ?? []).filter((node) => node.os !== "windows");
  const providerNodes = nodes.filter((node) => node.compute === "auto" || node.compute === "fargate");
  const autoMode = observedValue(evidence.eks.cluster)?.autoMode === true;
  if (replacement) return { mode: "none", managedBy: null, whyUnknown: null };
  if ((nodes.length > 0 && providerNodes.length === nodes.length) || (autoMode && nodes.length === 0)) {
    const kinds = [
      ...new Set(providerNodes.map((node) => (node.compute === "fargate" ? "Fargate" : "EKS Auto Mode"))),
    ];
    const where = kinds.length > 0 ? kinds.join(" and ") : "EKS Auto Mode";
    const whyUnknown = `on ${where} the provider runs kube-proxy on the node; the API does not show its mode`;
    return { mode: "unknown", managedBy: "provider", whyUnknown };
  }
  if (observedMode !== null && observedMode !== "mixed" && instances.length === 0) {
    return { mode: observedMode, managedBy: null, whyUnknown: whyNothingFound(evidence, instances) };
  }
  return { mode: "unknown", managedBy: null, whyUnknown: whyNothingFound(evidence, instances) };
}

function whyNothingFound(evidence: Evidence, instances: ProxyInstance[]): string {
  const [idle] = instances.filter((instance) => instance.idle);
  if (idle) return `${idle.ref} wants no pods, and nothing that replaces kube-proxy was found`;
  if (builtInDisabled(evidence)) return "kube-proxy is switched off, and nothing that replaces it was found";
  const unread = [evidence.daemonSets, evidence.systemPods].find((list) => list.seen !== true);
  if (unread) {
    const what = unread === evidence.daemonSets ? "DaemonSets" : "the pods of kube-system";
    return `no kube-proxy was found, but ${what} were not read (${unread.why}: ${unread.detail})`;
  }
  return "no object shows kube-proxy, and nothing that replaces it was found: it can run as a host service";
}

function effectiveModeOf(
  mode: ProxyMode,
  running: ProxyInstance[],
  evidence: Evidence,
  starts: ReadonlyMap<ProxyInstance, Start>,
): { mode: ProxyMode | null; certainty: Certainty } {
  if (mode === "mixed") return { mode: "mixed", certainty: "released" };
  if (mode === "none" || mode === "unknown") return { mode: null, certainty: "released" };
  // A mode that kube-proxy refuses at its version is configured, and runs nowhere.
  const refused = (instance: ProxyInstance) =>
    starts.get(instance)?.refusals.some((refusal) => refusal.field === "mode") === true;
  if (running.length > 0 && running.every(refused)) return { mode: null, certainty: "released" };
  if (mode !== "unset") return { mode, certainty: "released" };
  const defaults = running.map((instance) => {
    const minor = minorOfInstance(instance, evidence);
    return minor === null ? null : defaultModeAt(minor);
  });
  const modes = new Set(defaults.map((one) => one?.mode ?? null));
  const [first] = defaults;
  if (modes.size > 1) return { mode: modes.has(null) ? null : "mixed", certainty: "planned" };
  return { mode: first?.mode ?? null, certainty: first?.certainty ?? "released" };
}

function willStart(starts: Start[]): boolean | null {
  if (starts.some((start) => start.willStart === false)) return false;
  return starts.every((start) => start.willStart === true) ? true : null;
}

function common<T>(values: readonly T[]): T | undefined {
  const [first] = values;
  return values.every((value) => value === first) ? first : undefined;
}

function commonList(values: readonly (string[] | null)[]): string[] | null {
  const [first = null] = values;
  return values.every((value) => JSON.stringify(value) === JSON.stringify(first)) ? first : null;
}

function sourcesOf(
  running: ProxyInstance[],
  instances: ProxyInstance[],
  replacements: Replacement[],
  evidence: Evidence,
): { ref: string; says: string }[] {
  const rows = [
    ...running.map((instance) => instance.says),
    ...instances
      .filter((instance) => instance.idle)
      .map((instance) => ({ ref: instance.ref, says: "no pods wanted" })),
    ...instances
      .filter((instance) => instance.os === "windows")
      .map((instance) => ({ ref: instance.ref, says: "windows" })),
    ...replacements.map((replacement) => replacement.says),
  ];
  if (running.length > 0 && running.every((instance) => instance.kind !== "CloudApi")) {
    rows.push(
      ...cloudInstances(evidence).map((instance) => ({
        ...instance.says,
        says: `${instance.says.says} (intent)`,
      })),
    );
  }
  return [...new Map(rows.map((row) => [`${row.ref} ${row.says}`, row])).values()];
}
