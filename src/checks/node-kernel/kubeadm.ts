import { parseLinuxKernel } from "#src/kubernetes/kernel.ts";
import { compareMinor } from "#src/kubernetes/version.ts";
import type { Finding } from "#src/model/finding.ts";
import { kubeadmRefusesKernel } from "#src/timeline/kubeadm-kernels.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, listed } from "../findings.ts";
import { kernelsOf, nodeEvidence, poolsText } from "../nodes.ts";

/** kubeadm objects to old kernels in its preflight check, whatever the proxy mode: the data plane is fine. */
export function kubeadmFindings(check: Pick<Check, "id" | "about">, input: CheckInput): Finding[] {
  const { provider, evidence } = input;
  if (provider.id !== "kubeadm" && provider.id !== "kubespray") return [];
  const hit = kernelsOf(input).tooOld.flatMap((node) => {
    const kernel = parseLinuxKernel(node.kernelVersion, node.os ?? "linux");
    const limit = kernel === null ? null : kubeadmRefusesKernel(kernel);
    return limit === null ? [] : [{ node, limit }];
  });
  const [first] = hit.toSorted((a, b) => compareMinor(a.limit.version, b.limit.version));
  if (!first) return [];
  const { version, certainty, onlyWarnsFrom } = first.limit;
  const nodes = hit.map(({ node }) => node);
  const onlyWarns =
    compareMinor(version, onlyWarnsFrom) >= 0 ||
    input.kubeProxyMinors.some((minor) => compareMinor(minor, onlyWarnsFrom) >= 0);
  return [
    finding(check, input, {
      status: "warning",
      title: `kubeadm's preflight objects to the kernel of ${counted(nodes.length, "node")} from ${version} on`,
      detail:
        `${evidence.cluster.name}: ${listed(poolsText(nodes, (node) => node.kernelVersion))}. ` +
        (onlyWarns
          ? "kubeadm warns about the kernel and goes on; a preflight run that treats warnings as errors stops. "
          : "kubeadm refuses the upgrade on those nodes unless the preflight error is ignored. ") +
        "The data plane is fine: this is kubeadm's own support statement, whatever the proxy mode.",
      evidence: nodeEvidence(input, nodes, "status.nodeInfo.kernelVersion", (node) => node.kernelVersion),
      fix: "Plan new node images before the upgrade, or read the preflight output: kubeadm upgrade plan",
      blocksFrom: { version, component: "kubeadm", certainty },
      subjects: nodes.map((node) => node.name),
      facts: [version === "1.32" ? "kubeadm-kernels-1.32" : "kubeadm-kernels-1.39"],
      what: `kubeadm/${version}`,
    }),
  ];
}
