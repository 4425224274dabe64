import type { Refusal } from "./refusal.ts";
import { compareMinor } from "./version.ts";

const VALIDATION = "pkg/proxy/apis/config/validation/validation.go";

type ModeRefusal = Omit<Refusal, "field" | "value"> | null;

/**
 * Why kube-proxy of that minor refuses the mode; null when it accepts it. An empty mode is always accepted; the
 * comparison is exact: `IPVS` and `"ipvs "` are no modes.
 */
export function modeRefusal(
  mode: string,
  gates: Readonly<Record<string, boolean>>,
  minor: string,
  os: "linux" | "windows",
): Refusal | null {
  const refusal = os === "windows" ? windowsRefusal(mode, minor) : linuxRefusal(mode, gates, minor);
  return refusal === null ? null : { field: "mode", value: mode, ...refusal };
}

function linuxRefusal(mode: string, gates: Readonly<Record<string, boolean>>, minor: string): ModeRefusal {
  switch (mode) {
    case "":
    case "iptables":
      return null;
    case "userspace":
      return since("1.26", minor, "userspace mode was removed", "kubernetes#111806");
    case "ipvs":
      return ipvsRefusal(gates.KubeProxyIPVS, minor);
    case "nftables":
      return nftablesRefusal(gates, minor);
    default:
      // Modes have been validated by name since before 1.10; older releases assumed iptables.
      return compareMinor(minor, "1.10") < 0 ? null : refused(minor, null, null);
  }
}

/** KEP-5495: gate on by default from 1.37, off by default from 1.40, locked off and the code removed in 1.43. */
function ipvsRefusal(gate: boolean | undefined, minor: string): ModeRefusal {
  const source = "KEP-5495";
  if (gate === false && compareMinor(minor, "1.37") >= 0) {
    return {
      message: "ipvs mode with the feature gate KubeProxyIPVS off",
      from: "1.37",
      until: null,
      certainty: "released",
      source,
    };
  }
  const from = gate === true ? "1.43" : "1.40";
  if (compareMinor(minor, from) < 0) return null;
  const message =
    from === "1.43" ? "ipvs mode is removed" : "ipvs mode is off unless the feature gate KubeProxyIPVS is on";
  return { message, from, until: null, certainty: "planned", source };
}

/** KEP-3866: alpha in 1.29, beta and on by default in 1.31, locked on in 1.33. */
function nftablesRefusal(gates: Readonly<Record<string, boolean>>, minor: string): ModeRefusal {
  const { NFTablesProxyMode: gate, AllAlpha, AllBeta } = gates;
  const wanted = gate === true || (gate === undefined && AllAlpha === true);
  const off = gate === false || (gate === undefined && AllBeta === false);
  if (compareMinor(minor, "1.29") < 0) return refused(minor, null, wanted ? "1.29" : "1.31");
  if (compareMinor(minor, "1.31") < 0) return wanted ? null : refused(minor, null, off ? "1.33" : "1.31");
  return off && compareMinor(minor, "1.33") < 0 ? refused(minor, null, "1.33") : null;
}

function windowsRefusal(mode: string, minor: string): ModeRefusal {
  if (mode === "" || mode === "kernelspace") return null;
  if (mode === "userspace") return since("1.26", minor, "userspace mode was removed", "kubernetes#111806");
  return {
    message: "must be kernelspace or blank on Windows",
    from: null,
    until: null,
    certainty: "released",
    source: VALIDATION,
  };
}

function since(from: string, minor: string, message: string, source: string): ModeRefusal {
  if (compareMinor(minor, from) < 0) return null;
  return { message, from, until: null, certainty: "released", source };
}

function refused(minor: string, from: string | null, until: string | null): ModeRefusal {
  const modes = compareMinor(minor, "1.26") < 0 ? "userspace, iptables, ipvs" : "iptables, ipvs";
  const known = compareMinor(minor, "1.31") < 0 ? modes : "iptables, ipvs, nftables";
  return { message: `must be ${known} or blank`, from, until, certainty: "released", source: VALIDATION };
}
