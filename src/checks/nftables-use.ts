import type { BlocksFrom, Finding } from "#src/model/finding.ts";
import type { FactId } from "#src/timeline/facts.ts";
import { stageOf } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "./check.ts";
import { answerWithoutModes, type RunningModes, runs, type Standing } from "./modes.ts";

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

/** The answer where no mode of kube-proxy is there to judge: `what` cannot be told where it is unknown. */
export function withoutModes(
  check: Pick<Check, "id" | "about" | "title">,
  input: CheckInput,
  standing: Exclude<Standing, RunningModes>,
  what: string,
  facts: readonly FactId[],
): Finding {
  const answer = answerWithoutModes(check, input, standing, facts);
  if (answer.status !== "unknown") return answer;
  return { ...answer, title: `The proxy mode is unknown, so it cannot be told ${what}` };
}
