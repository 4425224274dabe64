import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import { minorOfInstance } from "#src/evidence/data-plane/start.ts";
import type { BlocksFrom } from "#src/model/finding.ts";
import { defaultModeAt, stageOf } from "#src/timeline/stages.ts";
import type { CheckInput } from "./check.ts";

/**
 * What nftables mode is to a cluster: `running` (on some node already), `target` (ipvs or iptables runs, nftables
 * is where they go), `replaced` (no kube-proxy), `unknown`.
 */
export type NftablesUse = "running" | "target" | "replaced" | "unknown";

/** By the configured modes, as the verdicts are. */
export function nftablesUseOf({ dataPlane, evidence }: CheckInput): NftablesUse {
  const modes = dataPlane.running.map((instance) => {
    const mode = modeOfInstance(instance);
    if (mode !== "unset") return mode;
    const minor = minorOfInstance(instance, evidence);
    return minor === null ? mode : defaultModeAt(minor).mode;
  });
  if (modes.includes("nftables") || dataPlane.mode === "nftables") return "running";
  if (dataPlane.mode === "none") return "replaced";
  return dataPlane.mode === "unknown" ? "unknown" : "target";
}

/** Set where nobody chose a mode: what changes under nftables comes by itself with the new default (planned). */
export function upgradeFromDefault({ dataPlane }: CheckInput): {
  upgradeFrom?: Pick<BlocksFrom, "version" | "certainty">;
} {
  if (!dataPlane.running.some((instance) => modeOfInstance(instance) === "unset")) return {};
  const { version, certainty } = stageOf("default-nftables-1.40");
  return { upgradeFrom: { version, certainty } };
}
