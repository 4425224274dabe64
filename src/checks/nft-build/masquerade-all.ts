import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import type { Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { finding, listed } from "../findings.ts";
import type { RunningModes } from "../modes.ts";
import { whenOf } from "./builds.ts";

/**
 * masqueradeAll of the iptables section counts for iptables and ipvs mode; nftables mode has a field of its own.
 * The flag --masquerade-all counts for every mode.
 */
export function masqueradeAll(
  check: Pick<Check, "id" | "about">,
  input: CheckInput,
  standing: RunningModes,
): Finding[] {
  const { provider, evidence, dataPlane } = input;
  const forgotten = dataPlane.running.filter((instance) => {
    const settings = observedValue(instance.settings);
    return settings?.iptables.masqueradeAll === true && settings.nftables.masqueradeAll !== true;
  });
  if (forgotten.length === 0) return [];
  const already = forgotten.some((instance) => modeOfInstance(instance) === "nftables");
  const { about, upgradeFrom } = whenOf(standing);
  const where =
    provider.id === "eks"
      ? "in ConfigMap kube-system/kube-proxy-config, key config. The add-on's configuration values have no such field, and an add-on update with OVERWRITE takes it out again"
      : `in ${provider.modeSetIn}`;
  return [
    finding(check, input, {
      status: "warning",
      about,
      title: already
        ? "iptables.masqueradeAll does nothing in nftables mode: nftables.masqueradeAll is not set"
        : "iptables.masqueradeAll ends with the mode: nftables mode has its own masqueradeAll, which is not set",
      detail:
        `${evidence.cluster.name}: ${listed(forgotten.map(({ ref }) => ref))} sets masqueradeAll in the iptables section, so that all ` +
        "traffic to ClusterIPs gets the node's address. Where pods or the network rely on that (host network pods on EKS " +
        `do, in some clusters), ${already ? "it has been missing since the change of mode" : "connections fail after the change of mode"}.`,
      evidence: forgotten.slice(0, 5).map((instance) => ({
        ...instance.evidence,
        path: `${instance.configMap === null ? instance.ref : `ConfigMap ${instance.configMap.namespace}/${instance.configMap.name} data[${instance.configMap.key}]`}.iptables.masqueradeAll`,
        excerpt: "masqueradeAll: true",
      })),
      fix: `Set nftables.masqueradeAll: true as well, ${where}.`,
      ...upgradeFrom,
      facts: ["masquerade-all"],
      what: "masquerade-all",
    }),
  ];
}
