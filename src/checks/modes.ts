import type { ProxySettings } from "#src/evidence/data-plane/instance.ts";
import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import { minorOfInstance } from "#src/evidence/data-plane/start.ts";
import type { EvidenceItem, Finding } from "#src/model/finding.ts";
import { type NotSeen, observedValue, type PartlySeen } from "#src/model/observed.ts";
import type { FactId } from "#src/timeline/facts.ts";
import { defaultModeAt } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "./check.ts";
import { uncoveredKubeProxies } from "./coverage.ts";
import { type FindingParts, finding, missing, unknownFinding } from "./findings.ts";

/** One kube-proxy of the Linux nodes and the mode that its configuration comes to. */
export interface ModeInUse {
  mode: "ipvs" | "iptables" | "nftables";
  /** False where nobody chose: the default of the running version applies. */
  chosen: boolean;
  ref: string;
  /** null where the configuration was not read and the mode was seen running. */
  settings: ProxySettings | null;
  minor: string | null;
  evidence: EvidenceItem;
}

type Unread = NotSeen | PartlySeen<unknown>;

/** Where a cluster stands with its proxy mode: what every check of mode-dependent behaviour asks first. */
export type Standing =
  | { kind: "replaced"; by: string }
  | { kind: "unknown"; unread: Unread }
  | {
      kind: "running";
      inUse: ModeInUse[];
      /** What keeps these from being all kube-proxies there are; null when they are. */
      uncovered: Unread | null;
    };
export type RunningModes = Extract<Standing, { kind: "running" }>;

export function standingOf(input: CheckInput): Standing {
  const { dataPlane, evidence } = input;
  const uncovered = uncoveredKubeProxies(input);
  if (dataPlane.mode === "none") {
    // Its replacement was seen, but a kube-proxy can still run beside it where not all places were read.
    return uncovered === null
      ? { kind: "replaced", by: dataPlane.replacedBy ?? "something else" }
      : { kind: "unknown", unread: uncovered };
  }
  const unknown = (detail: string): Standing => ({
    kind: "unknown",
    unread: missing(detail, evidence.daemonSets.source),
  });
  if (dataPlane.mode === "unknown" || dataPlane.whyUnknown !== null)
    return unknown(dataPlane.whyUnknown ?? "the proxy mode could not be told");
  const inUse = dataPlane.running.length > 0 ? configured(input) : observed(input);
  if (inUse === null) return unknown(`${dataPlane.mode} mode is not one that this check knows`);
  return { kind: "running", inUse, uncovered };
}

function configured({ dataPlane, evidence }: CheckInput): ModeInUse[] | null {
  const inUse: ModeInUse[] = [];
  for (const instance of dataPlane.running) {
    const minor = minorOfInstance(instance, evidence);
    const written = modeOfInstance(instance);
    const settings = observedValue(instance.settings) ?? null;
    const mode = settings === null ? dataPlane.mode : (dataPlane.starts.get(instance)?.runs ?? written);
    // Through 1.37 the default is iptables; where the version is not known, that is what runs today.
    const default_ = minor === null ? "iptables" : defaultModeAt(minor).mode;
    const effective = mode === "unset" ? default_ : mode;
    if (effective !== "ipvs" && effective !== "iptables" && effective !== "nftables") return null;
    const { ref, evidence: item } = instance;
    inUse.push({ mode: effective, chosen: written !== "unset", ref, settings, minor, evidence: item });
  }
  return inUse;
}

function observed({ dataPlane }: CheckInput): ModeInUse[] | null {
  const { mode, observations } = dataPlane;
  const [first] = observations;
  if (first === undefined || (mode !== "ipvs" && mode !== "iptables" && mode !== "nftables")) return null;
  return [{ mode, chosen: true, ref: "seen running", settings: null, minor: null, evidence: first.evidence }];
}

/** `ipvs`, `iptables and nftables`: the modes in use, each once. */
export function modesText(inUse: readonly ModeInUse[]): string {
  return [...new Set(inUse.map(({ mode }) => mode))].toSorted().join(" and ");
}

/** True where one of the kube-proxies runs in the mode. */
export function runs({ inUse }: RunningModes, mode: ModeInUse["mode"]): boolean {
  return inUse.some((one) => one.mode === mode);
}

export function modeEvidence(inUse: readonly ModeInUse[]): EvidenceItem[] {
  return inUse.slice(0, 5).map(({ evidence }) => evidence);
}

type CheckName = Pick<Check, "id" | "about" | "title">;

/** The answer where no mode of kube-proxy is there to judge; null where there is one. */
export function answerWithoutModes(
  check: CheckName,
  input: CheckInput,
  standing: Exclude<Standing, RunningModes>,
  facts: readonly FactId[],
): Finding {
  const { name } = input.evidence.cluster;
  if (standing.kind === "replaced") {
    return finding(check, input, {
      status: "pass",
      title: `${standing.by} replaces kube-proxy: nothing to migrate`,
      detail: `${name}: no kube-proxy runs, so the change of its mode does not touch ${check.title}.`,
      evidence: input.dataPlane.replacements.map(({ evidence }) => evidence),
      facts,
      what: "replaced",
    });
  }
  return unknownFinding(check, input, {
    title: `The proxy mode is unknown, and with it what a migration does to ${check.title}`,
    detail: `${name}: what changes depends on the mode that kube-proxy runs in.`,
    unread: standing.unread,
    ...(input.dataPlane.managedBy === "provider"
      ? {}
      : {
          fix: "Give the auditor the missing permission (proxy-audit doctor names it), or look on a node: curl -s http://127.0.0.1:10249/proxyMode",
        }),
    facts,
    what: "mode-unknown",
  });
}

/** A pass that rests on the modes that were found; unknown where there may be other kube-proxies. */
export function passByMode(
  check: CheckName,
  input: CheckInput,
  standing: RunningModes,
  parts: Omit<FindingParts, "status">,
): Finding {
  if (standing.uncovered === null) return finding(check, input, { status: "pass", ...parts });
  const { evidence: _, ...rest } = parts;
  return unknownFinding(check, input, {
    ...rest,
    title: `Not every kube-proxy was looked for, so ${check.title} stays open`,
    detail: `${parts.detail} Other kube-proxies could run in another mode.`,
    unread: standing.uncovered,
    what: `uncovered/${parts.what}`,
  });
}
