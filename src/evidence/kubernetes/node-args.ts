import { k3sNodeArgs } from "#src/kubernetes/argv.ts";

/** What k3s and RKE2 start their built-in kube-proxy with, as the node's annotation tells. */
export interface NodeArgs {
  distribution: "k3s" | "rke2";
  /** kube-proxy's own arguments, `--proxy-mode=ipvs`; null when the annotation could not be read. */
  kubeProxyArgs: string[] | null;
  disabled: boolean;
}

const ANNOTATIONS = { "k3s.io/node-args": "k3s", "rke2.io/node-args": "rke2" } as const;

/** The built-in kube-proxy's arguments from a Node's annotations; null on nodes that are neither k3s nor RKE2. */
export function kubeProxyArgsOfNode(annotations: Record<string, string>): NodeArgs | null {
  for (const [annotation, distribution] of Object.entries(ANNOTATIONS)) {
    const text = annotations[annotation];
    if (text === undefined) continue;
    const parsed = k3sNodeArgs(text);
    if (parsed === null) return { distribution, kubeProxyArgs: null, disabled: false };
    return { distribution, kubeProxyArgs: parsed.kubeProxyArgs, disabled: parsed.disableKubeProxy };
  }
  return null;
}
