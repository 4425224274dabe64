import { describe, expect, it } from "vitest";
import { kubeadmRefusesKernel } from "#src/timeline/kubeadm-kernels.ts";
import { maxControlPlaneFor } from "#src/timeline/skew.ts";
import {
  containerd1EndsAt,
  DEFAULT_MODE_STAGES,
  defaultModeAt,
  IPVS_STAGES,
  ipvsBlocksFrom,
} from "#src/timeline/stages.ts";

describe("stages", () => {
  it("of ipvs are those of KEP-5495", () => {
    expect(IPVS_STAGES.map(({ version, certainty }) => [version, certainty])).toEqual([
      ["1.35", "released"],
      ["1.37", "released"],
      ["1.40", "planned"],
      ["1.43", "planned"],
      ["1.46", "planned"],
    ]);
  });

  it("of the default mode are those of KEP-5343", () => {
    expect(DEFAULT_MODE_STAGES.map(({ version, component }) => [version, component])).toEqual([
      ["1.37", "kube-proxy"],
      ["1.37", "kubeadm"],
      ["1.39", "kubeadm"],
      ["1.40", "kube-proxy"],
      ["1.40", "kubeadm"],
    ]);
  });

  it.each([
    [undefined, { version: "1.40", component: "kube-proxy", certainty: "planned" }],
    [true, { version: "1.43", component: "kube-proxy", certainty: "planned" }],
    [false, { version: "1.37", component: "kube-proxy", certainty: "released" }],
  ])("ipvs with KubeProxyIPVS %s blocks from %o", (gate, expected) => {
    expect(ipvsBlocksFrom(gate)).toEqual(expected);
  });

  it.each([
    ["1.9", "iptables", "released"],
    ["1.28", "iptables", "released"],
    ["1.37", "iptables", "released"],
    ["1.38", "iptables", "planned"],
    ["1.39", "iptables", "planned"],
    ["1.40", "nftables", "planned"],
    ["1.46", "nftables", "planned"],
  ])("the default mode at %s is %s (%s)", (minor, mode, certainty) => {
    expect(defaultModeAt(minor)).toEqual({ mode, certainty });
  });

  it("plan the end of containerd 1.x for kubelet 1.38", () => {
    expect(containerd1EndsAt()).toEqual({ version: "1.38", component: "kubelet", certainty: "planned" });
  });

  const OLD = {
    version: "1.32",
    certainty: "released",
    effect: "refuses-then-warns",
    onlyWarnsFrom: "1.34",
  };
  const LEAVING = { version: "1.39", certainty: "planned", effect: "warns", onlyWarnsFrom: "1.39" };
  it.each([
    ["3.10", OLD],
    ["4.18", OLD],
    ["4.19", null],
    ["5.3", null],
    ["5.4", LEAVING],
    ["5.10", LEAVING],
    ["5.14", null],
    ["5.15", null],
    ["6.1", null],
    ["7.0", null],
  ])("kubeadm and kernel %s: %o", (kernel, expected) => {
    const [major = 0, minor = 0] = kernel.split(".").map(Number);
    expect(kubeadmRefusesKernel({ major, minor })).toEqual(expected);
  });

  it.each([
    ["1.24", "1.26"],
    ["1.25", "1.28"],
    ["1.39", "1.42"],
    ["1.42", "1.45"],
  ])("kube-proxy %s runs beside control planes up to %s", (kubeProxy, controlPlane) => {
    expect(maxControlPlaneFor(kubeProxy)).toBe(controlPlane);
  });
});
