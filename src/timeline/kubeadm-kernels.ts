import type { Certainty } from "#src/model/finding.ts";
import { stageOf } from "./stages.ts";

export interface KubeadmKernelLimit {
  /** The first kubeadm whose preflight check does not accept the kernel. */
  version: string;
  certainty: Certainty;
  /** `refuses-then-warns`: an error in 1.32 and 1.33, a warning since. `warns`: never more than a warning. */
  effect: "refuses-then-warns" | "warns";
  /** The first kubeadm that only warns about it. */
  onlyWarnsFrom: string;
}

/** kubeadm turned the error into a warning in 1.34 (kubernetes/kubernetes#131919). */
const ONLY_WARNS_FROM = "1.34";

/**
 * From which version kubeadm's preflight check objects to a kernel, whatever the proxy mode; null where it
 * has no plan to. Kernels that are no long-term releases (5.14, say) get a harmless warning since 1.34 and are
 * not listed here.
 */
export function kubeadmRefusesKernel(kernel: { major: number; minor: number }): KubeadmKernelLimit | null {
  const { major, minor } = kernel;
  if (major < 4 || (major === 4 && minor < 19)) {
    const { version, certainty } = stageOf("kubeadm-kernels-1.32");
    return { version, certainty, effect: "refuses-then-warns", onlyWarnsFrom: ONLY_WARNS_FROM };
  }
  if (major === 5 && (minor === 4 || minor === 10)) {
    const { version, certainty } = stageOf("kubeadm-kernels-1.39");
    return { version, certainty, effect: "warns", onlyWarnsFrom: version };
  }
  return null;
}
