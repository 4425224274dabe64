import { kubeProxyNodesOf } from "#src/evidence/data-plane/start.ts";
import type { NodeFacts } from "#src/evidence/kubernetes/nodes.ts";
import type { ServiceOfInterest } from "#src/evidence/kubernetes/services.ts";
import type { Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, listed } from "../findings.ts";
import {
  answerWithoutModes,
  modeEvidence,
  passByMode,
  type RunningModes,
  runs,
  standingOf,
} from "../modes.ts";
import { upgradeFromDefault } from "../nftables-use.ts";
import { nodeEvidence } from "../nodes.ts";
import { FIREWALL_HINTS, type FirewallHint } from "./firewalls.ts";

/** No API shows a host's firewall: what is known is who would notice, and where to look. */
export const hostFirewall: Check = {
  id: "host-firewall",
  title: "NodePorts behind a firewall on the nodes",
  about: "migration",
  canBlock: null,
  evidence: ["operating systems of the nodes", "Services with node ports"],
  permissions: ["list nodes", "list services", "list daemonsets", "get configmaps in kube-system"],
  judge(input) {
    const standing = standingOf(input);
    if (standing.kind !== "running")
      return [answerWithoutModes(hostFirewall, input, standing, ["firewall-holes"])];
    if (standing.inUse.every(({ mode }) => mode === "nftables")) {
      return [
        passByMode(hostFirewall, input, standing, {
          title:
            "nftables mode runs already: host firewalls let NodePorts through, or they do not work today",
          detail: `${input.evidence.cluster.name}: nothing about host firewalls changes any more.`,
          evidence: modeEvidence(standing.inUse),
          facts: ["firewall-holes"],
          what: "nftables",
        }),
      ];
    }
    return [whatToVerify(input, standing)];
  },
};

function whatToVerify(input: CheckInput, standing: RunningModes): Finding {
  const { evidence } = input;
  const { name } = evidence.cluster;
  const iptables = runs(standing, "iptables");
  const ports = (observedValue(evidence.services)?.ofInterest ?? []).filter(
    (service) => service.nodePorts.length > 0,
  );
  const nodes = kubeProxyNodesOf(evidence);
  const hints = hintsOf(nodes);
  const places =
    hints.length === 0
      ? ""
      : ` The nodes' operating systems come with ${listed(hints.map(({ hint, count }) => `${hint.firewall} (${counted(count, "node")}: ${hint.family})`))}, on or off.`;
  const looks = [...new Set(hints.map(({ hint }) => hint.look))];
  return finding(hostFirewall, input, {
    status: "info",
    title: "Check the nodes' firewalls before moving to nftables: kube-proxy will not open NodePorts there",
    detail: `${name}: ${
      iptables
        ? "in iptables mode kube-proxy accepts packets to NodePorts ahead of a firewall on the node; in nftables mode it does not."
        : "in nftables mode kube-proxy accepts nothing on behalf of NodePorts, and their packets are forwarded instead of delivered to the node."
    } A rule that drops them then wins. No API shows a host's firewall.${places} ${servicesText(evidence.services.seen, ports)}`,
    evidence: [
      ...hints.flatMap(({ nodes: some }) =>
        nodeEvidence(input, some.slice(0, 1), "status.nodeInfo.osImage", (node) => node.osImage),
      ),
      ...ports.slice(0, 3).map((service) => ({
        source: evidence.services.source,
        path: `Service ${service.namespace}/${service.name} spec.ports[].nodePort`,
        excerpt: service.nodePorts.map(({ port }) => port).join(","),
      })),
    ],
    fix:
      `On one node of each kind, look at the firewall${looks.length === 0 ? "" : ` (${looks.join("; ")})`}, and let the NodePort range ` +
      "(30000-32767 unless the API server says otherwise) and forwarded packets to pods through. Then move one node and connect to a NodePort from outside.",
    ...upgradeFromDefault(standing),
    ...(ports.length === 0
      ? {}
      : { subjects: ports.map((service) => `${service.namespace}/${service.name}`) }),
    facts: ["firewall-holes"],
    what: "verify",
  });
}

function servicesText(seen: boolean | "partial", ports: readonly ServiceOfInterest[]): string {
  if (seen === false) return "Which Services have node ports was not read.";
  return ports.length === 0
    ? "No Service has a node port today."
    : `${counted(ports.length, "Service has a node port", "Services have node ports")}.`;
}

function hintsOf(nodes: readonly NodeFacts[]): { hint: FirewallHint; nodes: NodeFacts[]; count: number }[] {
  return FIREWALL_HINTS.flatMap((hint) => {
    const matching = nodes.filter((node) => hint.osImage.test(node.osImage));
    return matching.length === 0 ? [] : [{ hint, nodes: matching, count: matching.length }];
  });
}
