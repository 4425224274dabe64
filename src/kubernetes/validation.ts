import { isIPv4, isIPv6 } from "node:net";
import { gateRefusals, unknownGates } from "./feature-gates.ts";
import { modeRefusal } from "./mode-rules.ts";
import type { Refusal } from "./refusal.ts";
import { compareMinor } from "./version.ts";

export type { Refusal } from "./refusal.ts";

/** What of a configuration, from a file or from flags, decides whether kube-proxy starts. */
export interface StartConfiguration {
  mode: string | null;
  featureGates: Readonly<Record<string, boolean>>;
  /** Items of `--feature-gates` that are no `name=bool`. */
  invalidFeatureGates?: readonly string[];
  nodePortAddresses: readonly string[] | null;
  ipvs: { scheduler: string | null; excludeCIDRs?: readonly string[] | null };
}

export interface StartJudgement {
  /** Null: nothing known against it, but gates that cannot be judged. Kernel and modules are not considered. */
  willStart: boolean | null;
  refusals: Refusal[];
  /** Gates that decide and that upstream's table cannot tell about. */
  unjudgedGates: string[];
}

const VALIDATION = "pkg/proxy/apis/config/validation/validation.go";
const SCHEDULERS = ["rr", "wrr", "lc", "wlc", "lblc", "lblcr", "sh", "dh", "sed", "nq"];
/** Since 1.27 kube-proxy does not check the name but tries the scheduler: what the kernel has, works. */
const KERNEL_SCHEDULERS = [...SCHEDULERS, "mh", "fo", "ovf", "twos"];

/** Why kube-proxy of a minor exits with this configuration, by upstream's validation; empty when it does not. */
export function refusalsOf(
  config: StartConfiguration,
  minor: string,
  os: "linux" | "windows" = "linux",
): Refusal[] {
  const mode = config.mode ?? "";
  const refusedMode = modeRefusal(mode, config.featureGates, minor, os);
  return [
    ...(refusedMode === null ? [] : [refusedMode]),
    ...gateRefusals(config.featureGates, minor),
    ...(config.invalidFeatureGates ?? []).map((item) =>
      always("featureGates", item, "invalid value of --feature-gates: must be name=true or name=false"),
    ),
    ...nodePortRefusals(config.nodePortAddresses ?? [], minor),
    // ipvs settings are validated only in ipvs mode: leftovers are harmless.
    ...(mode === "ipvs" ? ipvsRefusals(config.ipvs, minor) : []),
  ];
}

/**
 * Whether kube-proxy starts with this configuration. The gates of a provider's build (GKE's, OpenShift's) follow
 * rules of its own: with `providerBuild` they decide nothing.
 */
export function judgeStart(
  config: StartConfiguration,
  minor: string,
  options: { os?: "linux" | "windows"; providerBuild?: boolean } = {},
): StartJudgement {
  const all = refusalsOf(config, minor, options.os);
  const ofGates = all.filter(({ field }) => field.startsWith("featureGates."));
  const refusals = options.providerBuild === true ? all.filter((refusal) => !ofGates.includes(refusal)) : all;
  const overruled =
    all.length === refusals.length ? [] : ofGates.map(({ field }) => field.replace("featureGates.", ""));
  const unjudgedGates = [...unknownGates(config.featureGates), ...overruled];
  if (refusals.length > 0) return { willStart: false, refusals, unjudgedGates };
  return { willStart: unjudgedGates.length > 0 ? null : true, refusals, unjudgedGates };
}

/**
 * CIDRs only through 1.30; CIDRs or the single word `primary` from 1.31 to 1.36; any mix of CIDRs, `primary`,
 * `localhost` and `all` from 1.37 on.
 */
function nodePortRefusals(addresses: readonly string[], minor: string): Refusal[] {
  const words = addresses.filter((address) => !isCidr(address));
  const field = "nodePortAddresses";
  const value = addresses.join(",");
  const unknown = words.filter((word) => !["primary", "localhost", "all"].includes(word));
  if (unknown.length > 0) return [always(field, value, `must be a valid CIDR: ${unknown.join(", ")}`)];
  if (words.length === 0 || compareMinor(minor, "1.37") >= 0) return [];
  const onlyPrimary = addresses.length === 1 && addresses[0] === "primary";
  if (onlyPrimary && compareMinor(minor, "1.31") >= 0) return [];
  // The word is looked for first; only without it is every entry parsed as a CIDR.
  const mixed = words.includes("primary") && compareMinor(minor, "1.31") >= 0;
  const message = mixed ? "can't use both 'primary' and CIDRs" : "must be a valid CIDR";
  return [{ ...always(field, value, message), until: onlyPrimary ? "1.31" : "1.37" }];
}

function ipvsRefusals(ipvs: StartConfiguration["ipvs"], minor: string): Refusal[] {
  const refusals: Refusal[] = [];
  const { scheduler } = ipvs;
  const known = compareMinor(minor, "1.27") < 0 ? SCHEDULERS : KERNEL_SCHEDULERS;
  if (scheduler !== null && scheduler !== "" && !known.includes(scheduler)) {
    const later = KERNEL_SCHEDULERS.includes(scheduler) ? "1.27" : null;
    const message = later === null ? "no IPVS scheduler of that name" : "not accepted before 1.27";
    refusals.push({ ...always("ipvs.scheduler", scheduler, message), until: later });
  }
  const bad = (ipvs.excludeCIDRs ?? []).filter((cidr) => !isCidr(cidr));
  if (bad.length > 0) refusals.push(always("ipvs.excludeCIDRs", bad.join(","), "must be a valid CIDR"));
  return refusals;
}

function always(field: string, value: string, message: string): Refusal {
  return { field, value, message, from: null, until: null, certainty: "released", source: VALIDATION };
}

/** As Go's net.ParseCIDR. */
function isCidr(text: string): boolean {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const [address = "", bits] = [match?.[1], Number(match?.[2])];
  return (isIPv4(address) && bits <= 32) || (isIPv6(address) && bits <= 128);
}
