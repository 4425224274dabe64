import { providerById } from "#src/providers/index.ts";
import type { Entry } from "../entry.ts";
import { AKS_NFTABLES, dated, EKS_ANNOUNCED, EKS_NFTABLES, eksSupported, IPVS_OFF } from "../versions.ts";

/** Managed providers: what they announce, and where they let one set the mode. */
export const PROVIDER_ENTRIES: readonly Entry[] = [
  {
    id: "eks-1.36",
    question: "Does EKS remove ipvs in 1.36?",
    askedAs: [
      "eks says ipvs is removed in 1.36",
      "aws says ipvs will be removed in kubernetes 1.36",
      "eks ipvs 1.36",
      "what about EKS saying 1.36",
      "does ipvs work on eks 1.36",
      "aws ipvs deprecation notice",
      "amazon eks ipvs",
      "eks ipvs deadline",
    ],
    answer: ({ now }) => ({
      certainty: EKS_ANNOUNCED.certainty,
      text:
        `AWS announced it for ${EKS_ANNOUNCED.version}, upstream contradicts it: kube-proxy runs ipvs by default until ${dated(IPVS_OFF.version, now)}, and no source says that EKS takes it out of its builds. ` +
        "The configuration schema of the kube-proxy add-on decides: aws eks describe-addon-configuration shows whether its modes list ipvs, and an update to a build that does not list it fails while the old DaemonSet stays. " +
        "proxy-audit reads that schema; where it could not, the verdict is incomplete and shows both claims. " +
        `On EKS ${EKS_ANNOUNCED.version} is supported until ${eksSupported(EKS_ANNOUNCED.version)}.`,
    }),
    facts: [
      "eks-announcement",
      "claim-eks-removes-ipvs-1.36",
      "eks-addon-schema",
      "ipvs-off-1.40",
      "eks-support",
    ],
    claim: "half",
    fleetQuestion: "eks-ipvs",
    related: ["set-eks", "ipvs-when", "eks-auto-mode"],
  },
  {
    id: "set-eks",
    question: "How do I set nftables on EKS?",
    askedAs: [
      "eks nftables",
      "eks kube-proxy addon nftables",
      "aws eks update-addon kube-proxy mode",
      "change kube-proxy mode on eks",
      "set proxy mode eks",
      "kube-proxy-config configmap eks",
      "switch eks to nftables",
    ],
    answer: () => ({
      certainty: EKS_NFTABLES.certainty,
      text:
        `${stepOf("eks", "nftables")}. The add-on accepts nftables on clusters of ${EKS_NFTABLES.version} and newer; Amazon VPC CNI has to be 1.23.0 or newer first. ` +
        "A self-managed kube-proxy is set in ConfigMap kube-system/kube-proxy-config, key config, and its pods restarted. " +
        "The update rolls through all nodes by itself, so try it on a test cluster before.",
    }),
    facts: ["provider-eks", "eks-nftables-1.33", "eks-addon-schema", "vpc-cni-nftables"],
    fleetQuestion: "eks-ipvs",
    related: ["vpc-cni", "eks-1.36", "bottlerocket"],
  },
  {
    id: "eks-auto-mode",
    question: "What about EKS Auto Mode and Fargate?",
    askedAs: [
      "eks auto mode kube-proxy",
      "fargate kube-proxy mode",
      "does auto mode use ipvs",
      "auto mode nodes ipvs migration",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Nothing to do there: AWS runs kube-proxy on Auto Mode and Fargate nodes itself, and offers no setting for its mode. " +
        "No API shows which mode it runs, so proxy-audit reports it as managed by the provider and not as checked. " +
        "In a cluster that also has node groups, the kube-proxy DaemonSet on those is yours as before.",
    }),
    facts: ["eks-auto-mode"],
    related: ["set-eks", "eks-1.36"],
  },
  {
    id: "set-aks",
    question: "How do I set nftables on AKS?",
    askedAs: [
      "aks nftables",
      "aks kube-proxy mode",
      "az aks update kube-proxy-config",
      "aks ipvs",
      "azure ipvs deadline",
      "does aks remove ipvs",
      "KubeProxyConfigurationPreview",
    ],
    answer: ({ now }) => ({
      certainty: AKS_NFTABLES.certainty,
      text:
        `${stepOf("aks", "NFTABLES")}; it is a preview and needs Kubernetes ${AKS_NFTABLES.version} or newer. ` +
        `Microsoft recommends nftables in place of ipvs and has announced no end of its own, so upstream's ${dated(IPVS_OFF.version, now)} applies. ` +
        "Edits of the DaemonSet are undone by the add-on manager. Azure Network Policy Manager does not support ipvs.",
    }),
    facts: ["provider-aks", "aks-no-date", "azure-npm-ipvs", "ipvs-off-1.40"],
    fleetQuestion: "ipvs",
    related: ["nftables-or-iptables", "switch-live"],
  },
  {
    id: "tke-cce",
    question: "Can I change the mode on TKE or Huawei CCE?",
    askedAs: [
      "tke ipvs change",
      "tencent tke ipvs to iptables",
      "huawei cce kubeProxyMode",
      "cce ipvs migrate",
      "can the mode be changed on tke",
      "cce nftables",
      "provider forbids changing the proxy mode",
    ],
    answer: ({ now }) => ({
      certainty: "announced",
      text:
        "As far as their documentation says, no: both fix the mode when the cluster is created. " +
        `On TKE: ${lowerFirst(stepOf("tke", "iptables"))}. On CCE: ${lowerFirst(stepOf("cce", "iptables"))}. ` +
        `Ask them now what they plan for ${dated(IPVS_OFF.version, now)}, since no statement of theirs was found; a new cluster takes longer than a setting.`,
    }),
    facts: ["provider-tke", "provider-cce", "ipvs-off-1.40"],
    fleetQuestion: "ipvs",
    related: ["ack", "kubermatic", "ipvs-when"],
  },
  {
    id: "ack",
    question: "What about Alibaba ACK?",
    askedAs: ["ack ipvs", "alibaba cloud kubernetes ipvs", "ack nftables", "aliyun ack kube-proxy-worker"],
    answer: ({ now }) => ({
      certainty: "announced",
      text:
        "ACK still creates clusters in ipvs mode, so nearly every ACK cluster is concerned; it asks to plan the move to nftables or Terway Datapath V2 before the next upgrade. " +
        "Many of its node images run kernel 5.10, which nftables refuses: new images come first. " +
        `No date of its own was found, so upstream's ${dated(IPVS_OFF.version, now)} applies. The mode shows in ConfigMap kube-system/kube-proxy-worker.`,
    }),
    facts: ["ack-default-ipvs", "provider-ack", "nftables-kernel-5.13"],
    fleetQuestion: "ipvs",
    related: ["tke-cce", "nftables-kernel"],
  },
  {
    id: "gke",
    question: "What about GKE?",
    askedAs: ["gke ipvs", "gke nftables", "google kubernetes engine kube-proxy mode", "gke kube-proxy"],
    answer: () => ({
      certainty: "released",
      text:
        "GKE never offered ipvs, so its end does not concern GKE clusters: they run iptables mode or, with Dataplane V2, no kube-proxy at all. " +
        "Google sets the mode and puts changes by hand back. " +
        "Nothing was found on when GKE takes up nftables; its node images have new enough kernels.",
    }),
    facts: ["provider-gke"],
    related: ["cilium", "default-changes"],
  },
  {
    id: "openshift",
    question: "What about OpenShift?",
    askedAs: ["openshift ipvs", "okd kube-proxy", "ovn-kubernetes kube-proxy", "openshift kube-proxy mode"],
    answer: () => ({
      certainty: "released",
      text:
        "OpenShift with OVN-Kubernetes runs no kube-proxy, so there is nothing to migrate. " +
        "With another network plugin and deployKubeProxy, the mode is set in the Network operator's configuration (networks.operator.openshift.io/cluster, spec.kubeProxyConfig); the operator writes the ConfigMap again after an edit. " +
        "proxy-audit looks in the namespace openshift-kube-proxy for it.",
    }),
    facts: ["provider-openshift"],
    fleetQuestion: "replaced",
    related: ["cilium", "see-mode"],
  },
];

/** The provider's own step, as the start of a sentence. */
function stepOf(id: string, mode: string): string {
  const { change } = providerById(id);
  const step = change.replaceAll("{mode}", mode);
  return step.startsWith("aws ") || step.startsWith("az ") ? `Run: ${step}` : upperFirst(step);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
