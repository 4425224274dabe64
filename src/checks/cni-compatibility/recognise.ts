import { refOf } from "#src/evidence/data-plane/instances.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { Container, Workload } from "#src/evidence/kubernetes/workloads.ts";
import { observedValue } from "#src/model/observed.ts";
import { versionOfTag } from "../image-version.ts";
import { calicoSettings } from "./calico.ts";
import type { Cni, CniId, Setting } from "./cni.ts";
import { configMapSetting, envSetting, notTold } from "./settings.ts";

interface Recogniser {
  id: CniId;
  name: string;
  image: RegExp;
  settings(
    workload: Workload,
    container: Container,
    evidence: Evidence,
    version: string | null,
  ): Cni["settings"];
}

/** CNIs by the image of their node agent: DaemonSets are renamed (canal, rke2-canal), images are not. */
const RECOGNISERS: readonly Recogniser[] = [
  {
    id: "vpc-cni",
    name: "Amazon VPC CNI",
    image: /(?:^|\/)amazon-k8s-cni(?:[:@]|$)/,
    settings: vpcCniSettings,
  },
  {
    id: "calico",
    name: "Calico",
    image: /(?:^|\/)calico\/node(?:[:@]|$)|(?:^|\/)(?:mirrored-|hardened-)calico(?:-node)?(?:[:@]|$)/,
    settings: calicoSettings,
  },
  {
    id: "flannel",
    name: "Flannel",
    image: /(?:^|\/)(?:mirrored-|hardened-)?(?:flannel|flannel-flannel)(?:[:@]|$)/,
    settings: (workload, _container, evidence) => ({ nftables: flannelNftables(workload, evidence) }),
  },
  {
    id: "cilium",
    name: "Cilium",
    image: /(?:^|\/)(?:mirrored-)?(?:cilium-)?cilium(?:[:@]|$)/,
    settings: (workload, _container, evidence) => ({
      "kube-proxy-replacement": configMapSetting(
        evidence,
        workload,
        "cilium-config",
        "kube-proxy-replacement",
      ),
    }),
  },
  {
    id: "azure-npm",
    name: "Azure Network Policy Manager",
    image: /(?:^|\/)azure-npm(?:[:@]|$)/,
    settings: () => ({}),
  },
];

/** The CNIs among the cluster's DaemonSets; idle ones and Windows' are left out. */
export function cnisOf(evidence: Evidence): Cni[] {
  const { source } = evidence.daemonSets;
  return (observedValue(evidence.daemonSets) ?? []).flatMap((workload) => {
    if (workload.windows || workload.desired === 0) return [];
    return RECOGNISERS.flatMap(({ id, name, image, settings }) => {
      const container = workload.containers.find((one) => image.test(one.image));
      if (!container) return [];
      const version = versionOfTag(container.image);
      const ref = refOf(workload);
      return [
        {
          id,
          name,
          ref,
          version,
          evidence: { source, path: `${ref} image of ${container.name}`, excerpt: container.image },
          settings: settings(workload, container, evidence, version),
        },
      ];
    });
  });
}

function vpcCniSettings(workload: Workload, container: Container, evidence: Evidence): Cni["settings"] {
  const snat = envSetting(evidence, workload, container, "AWS_VPC_K8S_CNI_EXTERNALSNAT", "false");
  const enforcing = envSetting(evidence, workload, container, "POD_SECURITY_GROUP_ENFORCING_MODE", "strict");
  const agent = workload.containers.find((one) =>
    /(?:^|\/)aws-network-policy-agent(?:[:@]|$)/.test(one.image),
  );
  const item = (excerpt: string) => ({
    source: evidence.daemonSets.source,
    path: `${refOf(workload)} container ${agent?.name ?? "aws-eks-nodeagent"}`,
    excerpt,
  });
  const policy = [...(agent?.command ?? []), ...(agent?.args ?? [])].find((word) =>
    /^--enable-network-policy(=|$)/.test(word),
  );
  const enabled = policy !== undefined && !/=(false|0|f)$/i.test(policy);
  const agentVersion = agent ? versionOfTag(agent.image) : null;
  return {
    "external-snat": { ...snat, value: snat.value === null ? null : isTrue(snat.value) ? "on" : "off" },
    "pod-security-groups": enforcing,
    "network-policy": { value: enabled ? "on" : "off", evidence: item(policy ?? "not set") },
    agent: agent
      ? { value: agentVersion, evidence: item(agent.image) }
      : { value: "none", evidence: item("no network policy agent") },
  };
}

/** Go's strconv.ParseBool, by which the VPC CNI reads its switches. */
function isTrue(value: string): boolean {
  return /^(1|t|true)$/i.test(value.trim());
}

function flannelNftables(workload: Workload, evidence: Evidence): Setting {
  const [volume] = workload.configMapVolumes.filter(({ configMap }) => /flannel/.test(configMap));
  const name = volume?.configMap ?? "kube-flannel-cfg";
  const setting = configMapSetting(evidence, workload, name, "net-conf.json");
  if (setting.value === null) return setting;
  try {
    const { EnableNFTables } = JSON.parse(setting.value) as { EnableNFTables?: unknown };
    const value = EnableNFTables === true ? "on" : "off";
    const excerpt =
      EnableNFTables === undefined ? "EnableNFTables is not set" : `EnableNFTables: ${EnableNFTables}`;
    return { value, evidence: { ...setting.evidence, excerpt } };
  } catch {
    return notTold(setting.evidence, `${setting.evidence.path} is not JSON`);
  }
}
