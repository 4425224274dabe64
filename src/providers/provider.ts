/** What a cluster shows of who made it, as plain text: providers know no Kubernetes types. */
export interface ProviderSignals {
  gitVersion: string | null;
  kubeletVersions: readonly string[];
  osImages: readonly string[];
  /** `key` and `key=value` of node labels. */
  nodeLabels: ReadonlySet<string>;
  /** `DaemonSet kube-system/kube-proxy`, and the same for other workloads. */
  workloads: ReadonlySet<string>;
  /** `key=value` labels of kube-proxy's workload. */
  kubeProxyLabels: ReadonlySet<string>;
  /** Names of kube-proxy's containers' images. */
  kubeProxyImages: readonly string[];
  /** `namespace/name[key]` of the ConfigMaps that were read. */
  configMapKeys: ReadonlySet<string>;
  /** Custom kinds that are installed, e.g. `Network.operator.openshift.io`. */
  customKinds: ReadonlySet<string>;
  /** Cloud APIs that answered for this cluster. */
  answeredBy: ReadonlySet<"eks" | "aks">;
}

/**
 * One provider or distribution: how to recognise it, and where the proxy mode is set so that the change lasts.
 * Sources stand beside the data; live evidence always beats it.
 */
export interface Provider {
  id: string;
  name: string;
  /** What gave it away, for people; null when it is not this provider. */
  recognise(signals: ProviderSignals): string | null;
  /** Who runs and configures kube-proxy. */
  kubeProxyRunBy: "customer" | "provider";
  /** Whether the mode of an existing cluster can be changed at all. */
  modeChange: "possible" | "provider-forbids" | "not-offered" | "unknown";
  /** Where a change must be made so that it is not undone: a noun phrase. */
  modeSetIn: string;
  /** The change as a command or step; `{mode}` stands for the mode. */
  change: string;
  /** What undoes a change made elsewhere; null where nothing is known to. */
  undoneBy: string | null;
  /** kube-proxy moves with the control plane, or apart from it. */
  kubeProxyUpgrade: "with-control-plane" | "apart" | "with-nodes";
  source: string;
  confidence: "high" | "medium" | "low";
}

/** The first text that `pattern` matches; null where none does. */
export function firstMatch(texts: Iterable<string>, pattern: RegExp): string | null {
  for (const text of texts) if (pattern.test(text)) return text;
  return null;
}

/** `what: text` for the first text that matches. */
export function matchOf(what: string, texts: Iterable<string>, pattern: RegExp): string | null {
  const found = firstMatch(texts, pattern);
  return found === null ? null : `${what} ${found}`;
}
