import type { ModeObservation } from "#src/evidence/data-plane/observed-mode.ts";
import { observedValue } from "#src/model/observed.ts";
import type { CheckInput } from "../check.ts";

const EVENT = /^Event about Node (.+)$/;

/**
 * The modes that were seen running now. An event outlives the process that wrote it: one that is older than the
 * pod on its node says what ran before.
 */
export function observedModesOf({ dataPlane, evidence }: CheckInput): ModeObservation[] {
  const events = observedValue(evidence.ipvsEvents) ?? [];
  const pods = observedValue(evidence.proxyPods) ?? [];
  const overtaken = (node: string) => {
    const newest = events.filter(({ about }) => about === node).map(({ at }) => at ?? "");
    const started = pods.find((pod) => pod.node === node)?.startedAt;
    return started != null && newest.every((at) => at !== "" && Date.parse(at) < Date.parse(started));
  };
  const current = dataPlane.observations.filter(({ evidence: { path = "" } }) => {
    const node = EVENT.exec(path)?.[1];
    return node === undefined || !overtaken(node);
  });
  const configz = observedValue(evidence.configz);
  if (!configz?.mode) return current;
  return [
    ...current,
    {
      mode: configz.mode as ModeObservation["mode"],
      evidence: {
        source: evidence.configz.source,
        path: "kube-proxy /configz mode",
        excerpt: `mode: ${configz.mode}`,
      },
    },
  ];
}
