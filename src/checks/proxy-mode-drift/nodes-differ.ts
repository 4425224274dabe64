import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import type { Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding } from "../findings.ts";
import { modesText, type RunningModes } from "../modes.ts";

/**
 * Nodes that are configured for different modes. iptables beside nftables is supported while a migration rolls out
 * (KEP-5343); ipvs beside others means that a part of the cluster is still to be migrated.
 */
export function nodesDiffer(
  check: Pick<Check, "id" | "about">,
  input: CheckInput,
  { inUse }: RunningModes,
): Finding[] {
  const modes = new Set(inUse.map(({ mode }) => mode));
  if (modes.size < 2) return [];
  const withIpvs = modes.has("ipvs");
  const { dataPlane, evidence } = input;
  const places = dataPlane.running.map((instance) => {
    const nodes = instance.nodes.length > 0 ? ` on ${counted(instance.nodes.length, "node")}` : "";
    return `${instance.ref}${nodes}: ${modeOfInstance(instance)}`;
  });
  const few = [...dataPlane.running].toSorted((a, b) => a.nodes.length - b.nodes.length)[0];
  return [
    finding(check, input, {
      status: withIpvs ? "warning" : "info",
      title: `Nodes run different proxy modes: ${modesText(inUse)}`,
      detail:
        `${evidence.cluster.name}: ${places.slice(0, 8).join("; ")}. ` +
        (withIpvs
          ? "An upgrade past the end of ipvs stops kube-proxy on some nodes and not on others."
          : "That is supported while a migration rolls out; if none does, nodes behave differently for no reason."),
      evidence: dataPlane.running.slice(0, 10).map((instance) => instance.evidence),
      fix: `Bring the rest to the mode that is meant, pool by pool${few && few.nodes.length > 0 ? `, beginning with ${few.nodes.slice(0, 3).join(", ")}` : ""}.`,
      ...(few && few.nodes.length > 0 ? { subjects: few.nodes } : {}),
      facts: ["config-read-at-start"],
      what: `mixed/${[...modes].toSorted().join("+")}`,
    }),
  ];
}
