import type { ServiceOfInterest } from "#src/evidence/kubernetes/services.ts";
import type { EvidenceItem, Finding } from "#src/model/finding.ts";
import { type NotSeen, observedValue, type PartlySeen } from "#src/model/observed.ts";
import { stageOf } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, unknownFinding } from "../findings.ts";
import {
  answerWithoutModes,
  modeEvidence,
  modesText,
  passByMode,
  type RunningModes,
  runs,
  standingOf,
} from "../modes.ts";

/** ipvs mode puts every address of a Service on kube-ipvs0, so that the node takes it for its own. */
export const externalIps: Check = {
  id: "external-ips",
  title: "addresses that kube-ipvs0 answers for",
  about: "migration",
  canBlock: null,
  evidence: ["spec.externalIPs of Services", "status.loadBalancer.ingress[].ip and ipMode of Services"],
  permissions: ["list services", "list daemonsets", "get configmaps in kube-system"],
  judge(input) {
    const standing = standingOf(input);
    if (standing.kind !== "running")
      return [answerWithoutModes(externalIps, input, standing, ["external-ips"])];
    const services = observedValue(input.evidence.services)?.ofInterest ?? [];
    const withExternal = services.filter((service) => service.externalIPs.length > 0);
    const onDevice = runs(standing, "ipvs")
      ? services.filter((service) => addressesOf(service).length > 0)
      : [];
    const findings: Finding[] = [];
    if (onDevice.length > 0) findings.push(leavingDevice(input, onDevice));
    if (withExternal.length > 0) findings.push(deprecated(input, withExternal));
    if (input.evidence.services.seen !== true) findings.push(unread(input, input.evidence.services));
    return findings.length > 0 ? findings : [quiet(input, standing)];
  },
};

/** externalIPs, and load balancer addresses that kube-proxy takes over (`ipMode` VIP, which is the default). */
function addressesOf({ externalIPs, loadBalancerIPs, ipModes }: ServiceOfInterest): string[] {
  const proxied = ipModes.length > 0 && ipModes.every((mode) => mode === "Proxy");
  return [...externalIPs, ...(proxied ? [] : loadBalancerIPs)];
}

function leavingDevice(input: CheckInput, services: ServiceOfInterest[]): Finding {
  const { evidence } = input;
  const addresses = new Set(services.flatMap(addressesOf));
  return finding(externalIps, input, {
    status: "warning",
    title: `${counted(addresses.size, "address", "addresses")} of Services leave kube-ipvs0: test them from inside the cluster`,
    detail:
      `${evidence.cluster.name}: in ipvs mode every node holds the external and load balancer addresses of ${counted(services.length, "Service")} ` +
      "on kube-ipvs0 and takes them for its own. In nftables and iptables mode no node holds them: packets from pods and nodes to " +
      "them are translated on their way out instead. What changes: pods that call the cluster's own address from inside, source addresses " +
      "with externalTrafficPolicy: Local, answers to ping, and routers or BGP speakers that saw the addresses on the node.",
    evidence: services.slice(0, 5).map((service) => itemOf(input, service, addressesOf(service))),
    fix:
      "Before and after moving the first node, call each address from a pod on that node, from the node itself and from outside: " +
      `curl -m 5 http://${[...addresses][0] ?? "ADDRESS"}/ (the first of them; with the port of its Service).`,
    subjects: services.map(
      (service) => `${service.namespace}/${service.name} ${addressesOf(service).join(",")}`,
    ),
    facts: ["kube-ipvs0-addresses"],
    what: "kube-ipvs0",
  });
}

function deprecated(input: CheckInput, services: ServiceOfInterest[]): Finding {
  const { evidence } = input;
  const { version, certainty } = stageOf("external-ips");
  return finding(externalIps, input, {
    status: "warning",
    about: "hygiene",
    title: `${counted(services.length, "Service uses", "Services use")} externalIPs, deprecated in 1.36: kube-proxy is to ignore them by default from ${version} (${certainty})`,
    detail:
      `${evidence.cluster.name}: spec.externalIPs works in every proxy mode today. Since 1.36 the API server warns about it; ` +
      "KEP-5707 plans that kube-proxy ignores the field by default in 1.40 and that support ends in 1.43 (both tentative).",
    evidence: services.slice(0, 5).map((service) => itemOf(input, service, service.externalIPs)),
    fix: "Give the Services with externalIPs type: LoadBalancer (MetalLB or kube-vip can announce the same address) or a Gateway, then remove spec.externalIPs.",
    upgradeFrom: { version, certainty },
    subjects: services.map(
      (service) => `${service.namespace}/${service.name} ${service.externalIPs.join(",")}`,
    ),
    facts: ["external-ips"],
    what: "external-ips-deprecated",
  });
}

function itemOf(input: CheckInput, service: ServiceOfInterest, addresses: readonly string[]): EvidenceItem {
  const field = service.externalIPs.length > 0 ? "spec.externalIPs" : "status.loadBalancer.ingress[].ip";
  return {
    source: input.evidence.services.source,
    path: `Service ${service.namespace}/${service.name} ${field}`,
    excerpt: addresses.join(","),
  };
}

function unread(input: CheckInput, services: NotSeen | PartlySeen<unknown>): Finding {
  const { cluster } = input.evidence;
  return unknownFinding(externalIps, input, {
    title: "Not every Service's addresses were read",
    detail: `${cluster.name}: external and load balancer addresses behave differently once kube-ipvs0 is gone, and externalIPs are deprecated.`,
    unread: services,
    facts: ["external-ips"],
    what: "services-unread",
  });
}

function quiet(input: CheckInput, standing: RunningModes): Finding {
  const { name } = input.evidence.cluster;
  const parts = {
    title: runs(standing, "ipvs")
      ? "No Service has an external or load balancer address that kube-ipvs0 answers for"
      : "No node holds Services' addresses on kube-ipvs0",
    detail: runs(standing, "ipvs")
      ? `${name}: no Service has externalIPs or a load balancer IP of its own (load balancers with a host name are not concerned).`
      : `${name}: kube-proxy runs ${modesText(standing.inUse)} mode, in which leaving changes nothing for external addresses; no Service uses externalIPs.`,
    evidence: modeEvidence(standing.inUse),
    facts: ["kube-ipvs0-addresses", "external-ips"] as const,
    what: "none",
  };
  // With every Service read and none concerned, no other kube-proxy could change the answer.
  return runs(standing, "ipvs")
    ? finding(externalIps, input, { status: "pass", ...parts })
    : passByMode(externalIps, input, standing, parts);
}
