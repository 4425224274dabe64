import { describe, expect, it } from "vitest";
import { type K3sNodeArgs, k3sNodeArgs } from "#src/kubernetes/argv.ts";

describe("k3sNodeArgs", () => {
  it.each<[string, string[], K3sNodeArgs]>([
    [
      "split items",
      ["server", "--kube-proxy-arg", "proxy-mode=ipvs", "--kube-proxy-arg", "ipvs-scheduler=lc"],
      { kubeProxyArgs: ["--proxy-mode=ipvs", "--ipvs-scheduler=lc"], disableKubeProxy: false },
    ],
    [
      "one item, dashes, no value",
      ["agent", "--kube-proxy-arg=--proxy-mode=ipvs", "--kube-proxy-arg", "masquerade-all"],
      { kubeProxyArgs: ["--proxy-mode=ipvs", "--masquerade-all=true"], disableKubeProxy: false },
    ],
    [
      "true as an item",
      ["server", "--disable-kube-proxy", "true"],
      { kubeProxyArgs: [], disableKubeProxy: true },
    ],
    [
      "a flag next",
      ["server", "--disable-kube-proxy", "--debug"],
      { kubeProxyArgs: [], disableKubeProxy: true },
    ],
    ["nothing next", ["server", "--disable-kube-proxy"], { kubeProxyArgs: [], disableKubeProxy: true }],
    ["false", ["server", "--disable-kube-proxy", "false"], { kubeProxyArgs: [], disableKubeProxy: false }],
    ["=false", ["server", "--disable-kube-proxy=false"], { kubeProxyArgs: [], disableKubeProxy: false }],
    ["no mention", ["server", "--token", "********"], { kubeProxyArgs: [], disableKubeProxy: false }],
  ])("reads %s", (_, items, expected) => {
    expect(k3sNodeArgs(JSON.stringify(items))).toEqual(expected);
  });

  it.each(["", "server --disable-kube-proxy", "{}", "[1]"])("cannot read %j", (annotation) => {
    expect(k3sNodeArgs(annotation)).toBeNull();
  });
});
