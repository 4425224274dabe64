import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import type { Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import { stageOf } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, missing, unknownFinding } from "../findings.ts";

/** NodePorts answer on every address of a node in ipvs and iptables mode, on the primary one under nftables. */
export const nodePortAddresses: Check = {
  id: "nodeport-addresses",
  title: "NodePorts reachable on all node addresses",
  about: "migration",
  canBlock: null,
  evidence: ["nodePortAddresses in kube-proxy's configuration", "Services with node ports"],
  permissions: ["list services", "get configmaps in kube-system", "list daemonsets"],
  judge(input) {
    const { dataPlane, evidence } = input;
    if (dataPlane.mode === "none")
      return [quiet(input, `${dataPlane.replacedBy} serves NodePorts its own way`)];
    const settings = dataPlane.running.flatMap((instance) => {
      const value = observedValue(instance.settings);
      return value ? [{ instance, value, mode: modeOfInstance(instance) }] : [];
    });
    if (settings.length === 0) return [unread(input)];
    const wide = settings.filter(
      ({ value, mode }) => mode !== "nftables" && (value.nodePortAddresses ?? []).length === 0,
    );
    if (wide.length === 0) {
      const set = settings.some(({ value }) => (value.nodePortAddresses ?? []).length > 0);
      return [
        quiet(
          input,
          set
            ? "nodePortAddresses says where NodePorts answer"
            : "nftables mode already answers on the primary address only",
        ),
      ];
    }
    if (evidence.services.seen === false) {
      return [
        unknownFinding(nodePortAddresses, input, {
          title: "Which Services use node ports is unknown",
          detail:
            "nodePortAddresses is not set, so NodePorts answer on all addresses today and on the primary one under nftables.",
          unread: evidence.services,
          facts: ["nodeport-primary"],
          what: "services-unread",
        }),
      ];
    }
    return [judgeServices(input, wide[0]?.mode === "unset")];
  },
};

function judgeServices(input: CheckInput, unset: boolean): Finding {
  const { evidence, dataPlane, provider } = input;
  const services = (observedValue(evidence.services)?.ofInterest ?? []).filter(
    (service) => service.nodePorts.length > 0,
  );
  if (services.length === 0) {
    if (evidence.services.seen !== true) {
      return unknownFinding(nodePortAddresses, input, {
        title: "Which Services use node ports is unknown",
        detail: "None was found in the part that was read.",
        unread:
          evidence.services.seen === "partial" ? evidence.services : missing("", evidence.services.source),
        what: "services-unread",
      });
    }
    return quiet(input, "no Service has a node port");
  }
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
    title: `${counted(services.length, "Service")} with node ports: under nftables they answer on the primary node address only`,
    detail:
      `${evidence.cluster.name}: nodePortAddresses is not set. Today NodePorts answer on every address of a node, also on ` +
      "second interfaces and virtual IPs (keepalived, kube-vip); in nftables mode an empty setting means the node's " +
      "primary address only (1.31 and newer). Load balancers that target the primary address are not affected.",
    evidence: [
      ...configured,
      ...services.slice(0, 3).map((service) => ({
        source: evidence.services.source,
        path: `Service ${service.namespace}/${service.name} spec.ports[].nodePort`,
        excerpt: service.nodePorts.map((port) => String(port.port)).join(","),
      })),
    ],
    fix:
      provider.id === "eks"
        ? "Check who connects to these ports by another address. The EKS add-on cannot set nodePortAddresses: a self-managed kube-proxy can."
        : `Check who connects to these ports by another address, then set nodePortAddresses (CIDRs, or primary) in ${provider.modeSetIn}.`,
    ...(unset ? { upgradeFrom: { version: flip.version, certainty: flip.certainty } } : {}),
    subjects: names,
    facts: ["nodeport-primary", "nodeport-keywords"],
    what: "all-addresses",
  });
}

function quiet(input: CheckInput, why: string): Finding {
  return finding(nodePortAddresses, input, {
    status: "pass",
    title: "Leaving the mode does not change where NodePorts answer",
    detail: `${input.evidence.cluster.name}: ${why}.`,
    evidence: input.dataPlane.running.slice(0, 5).map((instance) => instance.evidence),
    facts: ["nodeport-primary"],
    what: "quiet",
  });
}

function unread(input: CheckInput): Finding {
  return unknownFinding(nodePortAddresses, input, {
    title: "Where NodePorts answer is unknown",
    detail: "",
    unread: missing(
      input.dataPlane.whyUnknown ?? "kube-proxy's configuration was not read",
      input.evidence.daemonSets.source,
    ),
    what: "configuration-unread",
  });
}
