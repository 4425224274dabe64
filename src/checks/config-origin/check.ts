import type { Finding } from "#src/model/finding.ts";
import { type NotSeen, observedValue, type PartlySeen } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { uncoveredKubeProxies } from "../coverage.ts";
import { finding, listed, missing, unknownFinding } from "../findings.ts";
import { modeChangeOf } from "../mode-change.ts";

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
      const uncovered = uncoveredKubeProxies(input);
      if (uncovered !== null) return [besideReplacement(input, uncovered)];
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
    const writers = writersOf(input);
    if (provider.id === "unknown" && writers.length === 0) {
      return [
        unknownFinding(configOrigin, input, {
          title: "What made this cluster was not recognised, so where the mode lasts is unknown",
          detail: `${name}: a change of the mode lasts only where the tool that made the cluster keeps it.`,
          unread: missing("no known provider's marks were found", evidence.daemonSets.source),
          fix: "Find out what writes kube-proxy's ConfigMap or arguments (Helm, GitOps, an installer) before you change it.",
          what: "unknown",
        }),
      ];
    }
    const { where, how, undoneBy } = modeChangeOf(input, "nftables");
    const forbidden = provider.modeChange === "provider-forbids";
    const onIpvs = dataPlane.mode === "ipvs" || dataPlane.mode === "mixed";
    const notes = [
      `${name} (${provider.name}): ${how}.`,
      ...(undoneBy === null ? [] : [`What can undo a change: ${undoneBy}.`]),
      ...(writers.length === 0
        ? []
        : [`${listed(writers)} wrote the ConfigMap: change it there, or it comes back.`]),
    ];
    return [
      finding(configOrigin, input, {
        status: forbidden && onIpvs ? "warning" : "info",
        title: forbidden
          ? `${provider.name} does not let you change the mode of an existing cluster`
          : provider.id === "unknown"
            ? `The mode is set by ${listed(writers)}`
            : `The mode is set in ${where}`,
        detail: notes.join(" "),
        evidence: dataPlane.running.slice(0, 5).map((instance) => instance.evidence),
        fix: fixOf(input, where, how, writers),
        facts: provider.id === "kubeadm" ? ["kubeadm-keeps-config"] : [],
        what: `${provider.id}/${writers.join(",")}`,
      }),
    ];
  },
};

function fixOf({ provider }: CheckInput, where: string, how: string, writers: readonly string[]): string {
  if (provider.modeChange === "provider-forbids")
    return `Plan a new cluster in another mode. ${provider.name}: ${how}.`;
  if (provider.modeChange === "not-offered") return `Leave the mode to ${provider.name}. ${how}.`;
  if (writers.length > 0)
    return `Change the mode in what ${listed(writers)} applies, not in the cluster. The old mode comes back otherwise.`;
  return `Change the mode in ${where}. For nftables: ${how}`;
}

const TOOLS: readonly (readonly [RegExp, string])[] = [
  [/^helm/i, "Helm"],
  [/argocd/i, "Argo CD"],
  [/kustomize-controller|helm-controller|flux/i, "Flux"],
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

/** Its replacement was seen, but a kube-proxy can still run beside it where not all places were read. */
function besideReplacement(input: CheckInput, unread: NotSeen | PartlySeen<unknown>): Finding {
  const { dataPlane, evidence } = input;
  return unknownFinding(configOrigin, input, {
    title: "Whether there is still a proxy mode to set is unknown",
    detail: `${evidence.cluster.name}: ${dataPlane.replacedBy} replaces kube-proxy, but not every place where a kube-proxy can run was read.`,
    unread,
    fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
    what: "replaced/unread",
  });
}
