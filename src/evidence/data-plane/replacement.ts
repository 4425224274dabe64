import { parse } from "yaml";
import { z } from "zod";
import type { EvidenceItem } from "#src/model/finding.ts";
import { type Observed, observedValue } from "#src/model/observed.ts";
import type { Evidence } from "../evidence.ts";
import type { ConfigMapFacts } from "../kubernetes/config-maps.ts";
import type { Workload } from "../kubernetes/workloads.ts";
import { refOf } from "./instances.ts";

/** What does Services instead of kube-proxy, and the object and field that say so. */
export interface Replacement {
  name: "cilium" | "calico-ebpf" | "calico-vpp" | "antrea" | "ovn-kubernetes" | "kube-router";
  says: { ref: string; says: string };
  evidence: EvidenceItem;
}

/** Positive signals only: what was not read, or says `false`, `partial` or `probe`, replaces nothing. */
export function replacementsOf(evidence: Evidence): Replacement[] {
  return [
    ...cilium(evidence),
    ...calico(evidence),
    ...openShift(evidence),
    ...antrea(evidence),
    ...byWorkload(evidence),
  ];
}

function configMapsNamed(
  evidence: Evidence,
  name: RegExp,
): [string, ConfigMapFacts, Observed<unknown>["source"]][] {
  return [...evidence.configMaps].flatMap(([key, read]) => {
    const value = observedValue(read);
    return value && name.test(value.name)
      ? [[key, value, read.source] as const].map((entry) => [...entry])
      : [];
  }) as [string, ConfigMapFacts, Observed<unknown>["source"]][];
}

/** `"true"` since Cilium 1.14, `"strict"` before; `partial` and `probe` leave kube-proxy to do the rest. */
function cilium(evidence: Evidence): Replacement[] {
  return configMapsNamed(evidence, /^cilium-config$/).flatMap(([key, configMap, source]) => {
    const value = configMap.data["kube-proxy-replacement"]?.trim().toLowerCase();
    if (value !== "true" && value !== "strict") return [];
    const ref = `ConfigMap ${key} data[kube-proxy-replacement]`;
    return [
      {
        name: "cilium" as const,
        says: { ref, says: value },
        evidence: { source, path: ref, excerpt: value },
      },
    ];
  });
}

function calico(evidence: Evidence): Replacement[] {
  const { felix, installations } = evidence.customKinds;
  const found: Replacement[] = [];
  for (const { name, bpfEnabled } of observedValue(felix) ?? []) {
    if (bpfEnabled !== true) continue;
    const ref = `FelixConfiguration ${name} spec.bpfEnabled`;
    found.push({
      name: "calico-ebpf",
      says: { ref, says: "true" },
      evidence: { source: felix.source, path: ref, excerpt: "true" },
    });
  }
  for (const { name, linuxDataplane } of observedValue(installations) ?? []) {
    if (linuxDataplane !== "BPF" && linuxDataplane !== "VPP") continue;
    const ref = `Installation ${name} spec.calicoNetwork.linuxDataplane`;
    found.push({
      name: linuxDataplane === "BPF" ? "calico-ebpf" : "calico-vpp",
      says: { ref, says: linuxDataplane },
      evidence: { source: installations.source, path: ref, excerpt: linuxDataplane },
    });
  }
  return found;
}

function openShift({ customKinds: { openShiftNetworks } }: Evidence): Replacement[] {
  return (observedValue(openShiftNetworks) ?? []).flatMap(({ name, defaultNetwork, deployKubeProxy }) => {
    if (defaultNetwork !== "OVNKubernetes" || deployKubeProxy === true) return [];
    const ref = `Network.operator.openshift.io ${name} spec.defaultNetwork.type`;
    return [
      {
        name: "ovn-kubernetes" as const,
        says: { ref, says: defaultNetwork },
        evidence: { source: openShiftNetworks.source, path: ref, excerpt: defaultNetwork },
      },
    ];
  });
}

const antreaAgent = z.object({
  antreaProxy: z.object({ enable: z.boolean().nullish(), proxyAll: z.boolean().nullish() }).nullish(),
});

function antrea(evidence: Evidence): Replacement[] {
  return configMapsNamed(evidence, /^antrea-config/).flatMap(([key, configMap, source]) => {
    const text = configMap.data["antrea-agent.conf"];
    if (text === undefined) return [];
    let agent: unknown;
    try {
      agent = parse(text, { version: "1.1", logLevel: "silent" });
    } catch {
      return [];
    }
    const parsed = antreaAgent.safeParse(agent ?? {});
    const proxy = parsed.success ? parsed.data.antreaProxy : null;
    if (proxy?.proxyAll !== true || proxy.enable === false) return [];
    const ref = `ConfigMap ${key} data[antrea-agent.conf].antreaProxy.proxyAll`;
    return [
      {
        name: "antrea" as const,
        says: { ref, says: "true" },
        evidence: { source, path: ref, excerpt: "true" },
      },
    ];
  });
}

function byWorkload(evidence: Evidence): Replacement[] {
  const { source } = evidence.daemonSets;
  const at = (name: Replacement["name"], workload: Workload, says: string): Replacement => ({
    name,
    says: { ref: refOf(workload), says },
    evidence: { source, path: refOf(workload), excerpt: says },
  });
  return (observedValue(evidence.daemonSets) ?? []).flatMap((workload) => {
    if (workload.desired === 0 || workload.windows) return [];
    if (runsKubeRouterProxy(workload)) return [at("kube-router", workload, "run-service-proxy")];
    // GKE Dataplane V2 is Cilium under the name of anetd.
    if (workload.name === "anetd" && workload.namespace === "kube-system")
      return [at("cilium", workload, "anetd")];
    if (/^ovnkube-node/.test(workload.name) && /ovn/.test(workload.namespace)) {
      return [at("ovn-kubernetes", workload, workload.name)];
    }
    const felix = workload.containers.find((container) => {
      const value = container.env.FELIX_BPFENABLED;
      return value?.from === "value" && /^(true|1|enabled)$/i.test(value.value);
    });
    return felix ? [at("calico-ebpf", workload, "FELIX_BPFENABLED=true")] : [];
  });
}

/** kube-router proxies Services unless it is told not to. */
function runsKubeRouterProxy(workload: Workload): boolean {
  return workload.containers.some((container) => {
    const words = [...(container.command ?? []), ...(container.args ?? [])].join(" ");
    const isKubeRouter =
      /(?:^|\/)kube-router(?::|@|$)/.test(container.image) || /(?:^|[/\s])kube-router(?:\s|$)/.test(words);
    return isKubeRouter && !/--run-service-proxy[= ]+"?(?:false|0|f)\b/i.test(words);
  });
}

/**
 * Software besides kube-proxy that uses kernel IPVS by itself. KEP-5495 does not touch it: the ip_vs modules
 * must stay.
 */
export function otherIpvsUsersOf(
  evidence: Evidence,
): { name: string; ref: string; evidence: EvidenceItem }[] {
  const lists = [evidence.daemonSets, evidence.deployments, evidence.statefulSets, evidence.systemPods];
  const found = lists.flatMap((list) =>
    (observedValue(list) ?? []).flatMap((workload) => {
      const name = workload.desired === 0 ? null : ipvsUserOf(workload);
      if (name === null) return [];
      const ref = refOf(workload);
      return [{ name, ref, evidence: { source: list.source, path: ref, excerpt: name } }];
    }),
  );
  return [...new Map(found.map((user) => [user.name, user])).values()];
}

function ipvsUserOf(workload: Workload): string | null {
  if (runsKubeRouterProxy(workload)) return "kube-router";
  for (const container of workload.containers) {
    const words = [...(container.command ?? []), ...(container.args ?? [])];
    const [program = ""] = words;
    if (/lvscare/.test(container.image) || /(?:^|\/)lvscare$/.test(program)) return "lvscare";
    if (/keepalived-vip/.test(container.image)) return "keepalived-vip";
    if (/kube-vip/.test(container.image) || /kube-vip$/.test(program)) {
      const value = container.env.lb_enable;
      const byEnv = value?.from === "value" && /^(true|1)$/i.test(value.value);
      const byFlag = words.some((word) => /^--(enableLoadBalancer|lbEnable)(=true)?$/.test(word));
      if (byEnv || byFlag) return "kube-vip";
    }
  }
  return null;
}
