import { observedValue } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { finding, missing, unknownFinding } from "../findings.ts";

/** Where the mode must be changed so that the change lasts. */
export const configOrigin: Check = {
  id: "config-origin",
  title: "where the proxy mode is set so that it lasts",
  about: "migration",
  canBlock: null,
  evidence: ["what made the cluster", "who writes kube-proxy's ConfigMap"],
  permissions: ["list nodes", "list daemonsets", "get configmaps in kube-system"],
  judge(input) {
    const { provider, dataPlane, evidence } = input;
    const { name } = evidence.cluster;
    if (dataPlane.mode === "none") {
      return [
        finding(configOrigin, input, {
          status: "pass",
          title: "There is no proxy mode to set",
          detail: `${name}: ${dataPlane.replacedBy} replaces kube-proxy.`,
          evidence: dataPlane.replacements.map((replacement) => replacement.evidence),
          what: "none",
        }),
      ];
    }
    if (provider.id === "unknown") {
      return [
        unknownFinding(configOrigin, input, {
          title: "What made this cluster was not recognised",
          detail: "A change of the mode lasts only where the tool that made the cluster keeps it.",
          unread: missing("no known provider's marks were found", evidence.daemonSets.source),
          fix: "Find out what writes kube-proxy's ConfigMap or arguments (Helm, GitOps, an installer) before you change it.",
          what: "unknown",
        }),
      ];
    }
    const change = provider.change.replaceAll("{mode}", "nftables").replaceAll("CLUSTER", name);
    const writers = writersOf(input);
    const undone = [
      ...(provider.undoneBy === null ? [] : [`Undone elsewhere by: ${provider.undoneBy}.`]),
      ...(writers.length === 0
        ? []
        : [`Written by ${writers.join(" and ")}: change it there, or it comes back.`]),
    ];
    const forbidden = provider.modeChange === "provider-forbids";
    return [
      finding(configOrigin, input, {
        status: forbidden && (dataPlane.mode === "ipvs" || dataPlane.mode === "mixed") ? "warning" : "info",
        title: forbidden
          ? `${provider.name} does not let you change the mode of an existing cluster`
          : `The mode is set in ${provider.modeSetIn}`,
        detail:
          `${name} (${provider.name}): ${forbidden ? provider.modeSetIn : change}. ${undone.join(" ")}`.trim(),
        evidence: dataPlane.running.slice(0, 5).map((instance) => instance.evidence),
        fix: change,
        facts: provider.id === "kubeadm" ? ["kubeadm-keeps-config"] : [],
        what: `${provider.id}/${writers.join(",")}`,
      }),
    ];
  },
};

const TOOLS: readonly (readonly [RegExp, string])[] = [
  [/^helm/i, "Helm"],
  [/argocd/i, "Argo CD"],
  [/kustomize-controller|helm-controller|flux/i, "Flux"],
  [/^eks/i, "the EKS add-on"],
  [/gardener/i, "Gardener"],
  [/ansible/i, "Ansible"],
  [/terraform|pulumi/i, "Terraform or Pulumi"],
  [/addon-?manager/i, "the add-on manager"],
];

/** Who wrote the ConfigMap of a running kube-proxy, by its field managers and Helm's label. */
function writersOf({ dataPlane, evidence }: CheckInput): string[] {
  const found = dataPlane.running.flatMap(({ configMap }) => {
    const read = configMap ? evidence.configMaps.get(`${configMap.namespace}/${configMap.name}`) : undefined;
    const facts = read ? observedValue(read) : undefined;
    if (!facts) return [];
    const helm = facts.labels["app.kubernetes.io/managed-by"] === "Helm" ? ["Helm"] : [];
    return [...helm, ...facts.managers];
  });
  const tools = TOOLS.filter(([pattern]) => found.some((writer) => pattern.test(writer)));
  return tools.map(([, name]) => name);
}
