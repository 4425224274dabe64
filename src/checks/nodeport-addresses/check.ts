import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import type { Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import { stageOf } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { uncoveredKubeProxies, unreadModeOf } from "../coverage.ts";
import { counted, finding, unknownFinding } from "../findings.ts";
import { isEksAddon } from "../mode-change.ts";

/** NodePorts answer on every address of a node in ipvs and iptables mode, on the primary one under nftables. */
export const nodePortAddresses: Check = {
  id: "nodeport-addresses",
  title: "NodePorts reachable on all node addresses",
  about: "migration",
  canBlock: null,
  evidence: ["nodePortAddresses in kube-proxy's configuration", "Services with node ports"],
  permissions: ["list services", "get configmaps in kube-system", "list daemonsets"],
  judge(input) {
    const { dataPlane } = input;
    const uncovered = uncoveredKubeProxies(input);
    if (dataPlane.mode === "none" && uncovered === null)
      return [quiet(input, `${dataPlane.replacedBy} serves NodePorts its own way`)];
    const unread = unreadConfiguration(input);
    const settings = dataPlane.running.flatMap((instance) => {
      const value = observedValue(instance.settings);
      return value ? [{ value, mode: modeOfInstance(instance) }] : [];
    });
    const wide = settings.filter(
      ({ value, mode }) => mode !== "nftables" && (value.nodePortAddresses ?? []).length === 0,
    );
    if (wide.length > 0)
      return [
        judgeServices(
          input,
          wide.some(({ mode }) => mode === "unset"),
        ),
      ];
    if (unread) return [unread];
    const set = settings.some(({ value }) => (value.nodePortAddresses ?? []).length > 0);
    return [
      quiet(
        input,
        set
          ? "nodePortAddresses says where NodePorts answer"
          : "nftables mode already answers on the primary addresses only",
      ),
    ];
  },
};

function judgeServices(input: CheckInput, unset: boolean): Finding {
  const { evidence, dataPlane } = input;
  const services = (observedValue(evidence.services)?.ofInterest ?? []).filter(
    (service) => service.nodePorts.length > 0,
  );
  if (services.length === 0 && evidence.services.seen !== true) {
    return unknownFinding(nodePortAddresses, input, {
      title: "Which Services use node ports is unknown",
      detail: `${evidence.cluster.name}: nodePortAddresses is not set, so NodePorts answer on all addresses today and on the primary ones under nftables.`,
      unread: evidence.services,
      fix: "Give the auditor list services, or add the Services to the dump. proxy-audit doctor names what is missing.",
      facts: ["nodeport-primary"],
      what: "services-unread",
    });
  }
  if (services.length === 0) return quiet(input, "no Service has a node port");
  const flip = stageOf("default-nftables-1.40");
  const configured = dataPlane.running.slice(0, 5).map((instance) => ({
    ...instance.evidence,
    path: `${instance.ref} nodePortAddresses`,
    excerpt: "not set",
  }));
  const names = services.map(
    (service) =>
      `${service.namespace}/${service.name}:${service.nodePorts.map((port) => port.port).join(",")}`,
  );
  return finding(nodePortAddresses, input, {
    status: "warning",
    title: `${counted(services.length, "Service")} with node ports: under nftables they answer on primary node addresses only`,
    detail:
      `${evidence.cluster.name}: nodePortAddresses is not set. Today NodePorts answer on every address of a node, also on ` +
      "second interfaces and virtual IPs (keepalived, kube-vip); in nftables mode an empty setting means the node's " +
      `primary address only (1.31 and newer). Load balancers that target the primary address are not affected.${evidence.services.seen === true ? "" : " Not all Services were read."}`,
    evidence: [
      ...configured,
      ...services.slice(0, 3).map((service) => ({
        source: evidence.services.source,
        path: `Service ${service.namespace}/${service.name} spec.ports[].nodePort`,
        excerpt: service.nodePorts.map((port) => String(port.port)).join(","),
      })),
    ],
    fix: fixOf(input),
    ...(unset ? { upgradeFrom: { version: flip.version, certainty: flip.certainty } } : {}),
    subjects: names,
    facts: ["nodeport-primary", "nodeport-keywords"],
    what: "all-addresses",
  });
}

function fixOf(input: CheckInput): string {
  const { provider } = input;
  const check = "Find out who connects to NodePorts by another address than the node's primary one";
  // The add-on's schema has no such setting.
  const addon = provider.id === "eks" && isEksAddon(input) !== false;
  return addon
    ? `${check}. The EKS add-on cannot set nodePortAddresses; a self-managed kube-proxy can.`
    : `${check}, then set nodePortAddresses (CIDRs, or the word primary). It stands beside the mode, which is set in ${provider.modeSetIn}.`;
}

function quiet(input: CheckInput, why: string): Finding {
  return finding(nodePortAddresses, input, {
    status: "pass",
    title: "Leaving the mode does not change where NodePorts answer",
    detail: `${input.evidence.cluster.name}: ${why}.`,
    evidence: [...input.dataPlane.running, ...input.dataPlane.replacements]
      .slice(0, 5)
      .map(({ evidence }) => evidence),
    facts: ["nodeport-primary"],
    what: "quiet",
  });
}

/** Unknown where a kube-proxy's configuration was not read, or where there may be others. */
function unreadConfiguration(input: CheckInput): Finding | null {
  const { running } = input.dataPlane;
  const read = running.length > 0 && running.every((instance) => instance.settings.seen !== false);
  const uncovered = uncoveredKubeProxies(input);
  if (read && uncovered === null) return null;
  return unknownFinding(nodePortAddresses, input, {
    title: "On which addresses NodePorts answer is unknown",
    detail: `${input.evidence.cluster.name}: it hangs on nodePortAddresses and on the mode of every kube-proxy.`,
    unread: uncovered ?? unreadModeOf(input),
    fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
    facts: ["nodeport-primary"],
    what: "configuration-unread",
  });
}
