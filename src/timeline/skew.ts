import { addMinor, compareMinor } from "#src/kubernetes/version.ts";

/**
 * The newest control plane that may run beside a kube-proxy of that version: three minor versions newer, two
 * for kube-proxy before 1.25 (kubernetes.io/releases/version-skew-policy).
 */
export function maxControlPlaneFor(kubeProxyMinor: string): string {
  return addMinor(kubeProxyMinor, compareMinor(kubeProxyMinor, "1.25") < 0 ? 2 : 3);
}
