import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import type { BlocksFrom, Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import { ipvsBlocksFrom, stageOf } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { unreadModeOf } from "../coverage.ts";
import { unknownFinding } from "../findings.ts";

type CheckName = Pick<Check, "id" | "about">;

/** What is said where the mode of a cluster cannot be told, by why it cannot. */
export function unknownMode(check: CheckName, input: CheckInput): Finding {
  const { dataPlane, evidence, provider } = input;
  const { name } = evidence.cluster;
  const unread = unreadModeOf(input);
  const seenRunning = dataPlane.observedMode === null ? "" : ` Seen running: ${dataPlane.observedMode}.`;
  const common = { unread, blocksFrom: earliestEnd(input) };
  if (dataPlane.managedBy === "provider") {
    return unknownFinding(check, input, {
      ...common,
      title: "The provider runs kube-proxy on the nodes, and its mode is not visible",
      detail:
        `Whether ${name} runs ipvs cannot be told.${seenRunning} It is not yours to migrate: ${provider.name} upgrades ` +
        "it with the node. An approver can accept this.",
      fix: `Accept this unknown once ${provider.name} has said which mode its nodes run. There is nothing to migrate by hand.`,
      what: "unknown/provider",
    });
  }
  if (refusesItsMode(input)) {
    const refused = unknownFinding(check, input, {
      ...common,
      title: "kube-proxy refuses the mode it is configured for, so no mode is in force",
      detail: `Which mode ${name} is to run cannot be told.${seenRunning} Pods that run still run with what they started with.`,
      fix: `Correct the mode before kube-proxy restarts. Set it in ${provider.modeSetIn}.`,
      what: "unknown/refused",
    });
    return { ...refused, evidence: dataPlane.running.slice(0, 10).map((instance) => instance.evidence) };
  }
  return unknownFinding(check, input, {
    ...common,
    title: "The proxy mode of this cluster is unknown",
    detail: `Whether ${name} runs ipvs cannot be told.${seenRunning}`,
    fix: "Give the auditor the missing permission. proxy-audit doctor names it; on a node, this tells: curl -s http://127.0.0.1:10249/proxyMode",
    what: "unknown/self",
  });
}

function refusesItsMode({ dataPlane }: CheckInput): boolean {
  return dataPlane.running.some((instance) => {
    const settings = observedValue(instance.settings);
    return settings !== undefined && (settings.rawMode !== null || instance.loadError !== null);
  });
}

/** The earliest version at which ipvs could end where it was not read whether ipvs runs. */
export function earliestEnd({ provider, kubeProxyMinors }: CheckInput): BlocksFrom {
  const upstream = ipvsBlocksFrom(undefined);
  if (provider.id !== "eks") return upstream;
  const announced = stageOf("eks-announcement").version;
  const next = addMinor(kubeProxyMinors.at(-1) ?? addMinor(announced, -1), 1);
  const version = compareMinor(next, announced) < 0 ? announced : next;
  return compareMinor(version, upstream.version) < 0
    ? { version, component: "kube-proxy", certainty: "announced" }
    : upstream;
}
