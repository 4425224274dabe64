import { parseKubeProxyFlags } from "#src/kubernetes/argv.ts";
import { parseKubeVersion } from "#src/kubernetes/version.ts";
import { notSeen, observedValue, seen } from "#src/model/observed.ts";
import type { Evidence } from "../evidence.ts";
import type { NodeFacts } from "../kubernetes/nodes.ts";
import type { ProxyInstance } from "./instance.ts";
import { settingsOfFlags } from "./settings.ts";

/** True where a server's arguments switch the built-in kube-proxy off: k3s does so for the whole cluster. */
export function builtInDisabled(evidence: Evidence): boolean {
  return (observedValue(evidence.nodes) ?? []).some((node) => node.nodeArgs?.disabled === true);
}

/**
 * k3s and RKE2 run kube-proxy by themselves; its arguments are in an annotation of each Node, and nodes can
 * differ. Both start it with an explicit `--proxy-mode=iptables` where no argument says otherwise, so upstream's
 * change of the default does not reach them. Nodes that a static pod already answers for (RKE2) are left out.
 */
export function nodeInstances(evidence: Evidence, answered: ReadonlySet<string>): ProxyInstance[] {
  if (builtInDisabled(evidence)) return [];
  const nodes = observedValue(evidence.nodes) ?? [];
  const groups = Map.groupBy(
    nodes.filter((node) => isBuiltIn(node) && node.os !== "windows" && !answered.has(node.name)),
    (node) => JSON.stringify([node.nodeArgs, node.kubeletVersion]),
  );
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    return first ? [instanceOf(first, members, evidence)] : [];
  });
}

function isBuiltIn(node: NodeFacts): boolean {
  return node.nodeArgs !== null || /\+(k3s|rke2)/.test(node.kubeletVersion);
}

function instanceOf(first: NodeFacts, members: NodeFacts[], evidence: Evidence): ProxyInstance {
  const distribution =
    first.nodeArgs?.distribution ?? (first.kubeletVersion.includes("+rke2") ? "rke2" : "k3s");
  const annotation = `${distribution}.io/node-args`;
  const { source } = evidence.nodes;
  const common = {
    ref: `Node annotation ${annotation}`,
    kind: "Node" as const,
    namespace: null,
    name: first.name,
    container: null,
    os: "linux" as const,
    idle: false,
    desired: members.length,
    nodes: members.map((node) => node.name),
    image: null,
    version: parseKubeVersion(first.kubeletVersion),
    origin: "node-args" as const,
    loadError: null,
    unknownFields: [],
    configMap: null,
    ignored: [],
    skipsKernelCheck: false,
    nodeSelector: {},
  };
  const args = first.nodeArgs?.kubeProxyArgs;
  if (!args) {
    const detail = `the annotation ${annotation} was not read, or is not a list of arguments`;
    return {
      ...common,
      settings: notSeen("not-requested", detail, source),
      says: { ref: common.ref, says: "unknown" },
      evidence: { source, excerpt: annotation },
    };
  }
  const settings = settingsOfFlags(parseKubeProxyFlags(args));
  const builtInDefault = settings.rawMode === null;
  return {
    ...common,
    settings: seen(builtInDefault ? { ...settings, rawMode: "iptables" } : settings, source),
    says: builtInDefault
      ? { ref: `${distribution} built-in default (--proxy-mode=iptables is always passed)`, says: "iptables" }
      : { ref: `${common.ref} --kube-proxy-arg proxy-mode`, says: settings.rawMode ?? "" },
    evidence: {
      source,
      path: `metadata.annotations[${annotation}]`,
      excerpt: builtInDefault ? "no proxy-mode argument" : `proxy-mode=${settings.rawMode}`,
    },
  };
}
