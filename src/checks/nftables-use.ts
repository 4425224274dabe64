import type { BlocksFrom } from "#src/model/finding.ts";
import { stageOf } from "#src/timeline/stages.ts";
import { runs, type Standing } from "./modes.ts";

/**
 * What nftables mode is to a cluster: `running` (on some node already), `target` (ipvs or iptables runs, nftables
 * is where they go), `replaced` (no kube-proxy), `unknown`.
 */
export type NftablesUse = "running" | "target" | "replaced" | "unknown";

/** By the configured modes, as the verdicts are. */
export function nftablesUseOf(standing: Standing): NftablesUse {
  if (standing.kind !== "running") return standing.kind;
  return runs(standing, "nftables") ? "running" : "target";
}

/** Set where nobody chose a mode: what changes under nftables comes by itself with the new default (planned). */
export function upgradeFromDefault(standing: Standing): {
  upgradeFrom?: Pick<BlocksFrom, "version" | "certainty">;
} {
  if (standing.kind !== "running" || standing.inUse.every(({ chosen }) => chosen)) return {};
  const { version, certainty } = stageOf("default-nftables-1.40");
  return { upgradeFrom: { version, certainty } };
}
