import { z } from "zod";
import { parseBool } from "./proxy-flags.ts";

export interface K3sNodeArgs {
  /** What k3s passes on to kube-proxy, in flag form: `--proxy-mode=ipvs`. */
  kubeProxyArgs: string[];
  disableKubeProxy: boolean;
}

const annotationSchema = z.string().transform((text, context) => {
  try {
    return z.array(z.string()).parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: "custom", message: "not a JSON list of strings" });
    return z.NEVER;
  }
});

/**
 * Reads the node annotation `k3s.io/node-args` or `rke2.io/node-args`: the arguments of k3s with its
 * configuration file merged in, as a JSON list. k3s splits `--a=b` into two items; a boolean from the file is
 * followed by `true` or `false`, one from the command line by nothing. Null when it is no such list.
 */
export function k3sNodeArgs(annotation: string): K3sNodeArgs | null {
  const parsed = annotationSchema.safeParse(annotation);
  if (!parsed.success) return null;
  const kubeProxyArgs: string[] = [];
  let disableKubeProxy = false;
  parsed.data.forEach((item, index, items) => {
    const [flag, inline] = splitOnce(item);
    const next = items[index + 1];
    if (flag === "--disable-kube-proxy") {
      disableKubeProxy = parseBool(inline ?? next ?? "true") ?? true;
    }
    const passedOn = inline ?? next;
    if (flag === "--kube-proxy-arg" && passedOn !== undefined) kubeProxyArgs.push(asFlag(passedOn));
  });
  return { kubeProxyArgs, disableKubeProxy };
}

function splitOnce(item: string): [string, string | undefined] {
  const equals = item.indexOf("=");
  return equals < 0 ? [item, undefined] : [item.slice(0, equals), item.slice(equals + 1)];
}

/** k3s takes an argument without a value for `true`. */
function asFlag(arg: string): string {
  const [name, value] = splitOnce(arg.replace(/^--?/, ""));
  return `--${name}=${value ?? "true"}`;
}
