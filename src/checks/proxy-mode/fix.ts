import { compareMinor } from "#src/kubernetes/version.ts";
import type { CheckInput } from "../check.ts";
import { counted } from "../findings.ts";
import { modeChangeOf } from "../mode-change.ts";
import { kernelsOf } from "../nodes.ts";

/** nftables mode is generally available from here on (KEP-3866); the EKS add-on accepts it from here on. */
const NFTABLES_READY = "1.33";

/** How to leave ipvs before kube-proxy `until`, or now where that runs. The first sentence is the next action by itself; the rest says how. */
export function leaveIpvs(input: CheckInput, until: string): string {
  const { provider, dataPlane, evidence, kubeProxyMinors } = input;
  const { name } = evidence.cluster;
  if (dataPlane.replacedBy !== null) {
    return `Remove kube-proxy from ${name} instead of migrating it. ${dataPlane.replacedBy} already does its work.`;
  }
  const { where, how } = modeChangeOf(input, "nftables");
  if (provider.modeChange === "provider-forbids") {
    return `Plan a new cluster in nftables mode before kube-proxy ${until}. ${provider.name} forbids the change on a live one: ${how}.`;
  }
  const first = [
    ...(needsNewerKubeProxy(kubeProxyMinors) ? [`upgrade kube-proxy to ${NFTABLES_READY} or newer`] : []),
    ...kernelStep(input),
  ];
  const newest = kubeProxyMinors.at(-1);
  const when =
    newest !== undefined && compareMinor(newest, until) >= 0 ? "now" : `before kube-proxy ${until}`;
  const leave = `leave ipvs for nftables ${when}`;
  const action = first.length === 0 ? leave : `${first.join(", ")}, then ${leave}`;
  return `${action.charAt(0).toUpperCase()}${action.slice(1)}. Set it in ${where}: ${how}`;
}

function needsNewerKubeProxy([oldest]: readonly string[]): boolean {
  return oldest !== undefined && compareMinor(oldest, NFTABLES_READY) < 0;
}

function kernelStep(input: CheckInput): string[] {
  const old = kernelsOf(input).tooOld.length;
  return old > 0 ? [`give ${counted(old, "node")} a kernel of 5.13 or newer`] : [];
}
