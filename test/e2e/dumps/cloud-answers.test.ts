import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { dataPlaneOf } from "./dump.ts";

describe("answers of clouds without objects", () => {
  const addon = (configurationValues: string | undefined) => ({
    addon: {
      addonName: "kube-proxy",
      clusterName: "payments",
      status: "ACTIVE",
      addonVersion: "v1.35.3-eksbuild.13",
      ...(configurationValues === undefined ? {} : { configurationValues }),
    },
  });
  it.each([
    [
      "an EKS add-on's values in JSON",
      addon('{"mode":"ipvs","ipvs":{"scheduler":"lc"}}'),
      { mode: "ipvs", scheduler: "lc" },
    ],
    [
      "an EKS add-on's values in YAML",
      addon("mode: ipvs\nipvs:\n  scheduler: rr\n"),
      { mode: "ipvs", scheduler: "rr" },
    ],
    ["an EKS add-on without values", addon(undefined), { mode: "iptables" }],
    [
      "AKS",
      {
        kubernetesVersion: "1.35",
        networkProfile: {
          kubeProxyConfig: { enabled: true, mode: "IPVS", ipvsConfig: { scheduler: "LeastConnection" } },
        },
      },
      { mode: "ipvs", scheduler: "lc" },
    ],
    [
      "AKS by ARM template",
      {
        properties: {
          kubernetesVersion: "1.35",
          networkProfile: { kubeProxyConfig: { enabled: true, mode: "NFTABLES" } },
        },
      },
      { mode: "nftables" },
    ],
    [
      "/configz up to 1.35",
      { "kubeproxy.config.k8s.io": { Mode: "ipvs", IPVS: { Scheduler: "lc", StrictARP: true } } },
      { mode: "ipvs", scheduler: "lc", strictARP: true },
    ],
    [
      "/configz from 1.36",
      {
        "kubeproxy.config.k8s.io": {
          apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
          kind: "KubeProxyConfiguration",
          mode: "ipvs",
          ipvs: { scheduler: "lc" },
        },
      },
      { mode: "ipvs", scheduler: "lc" },
    ],
  ])("%s", async (_, answer, expected) => {
    for (const text of [JSON.stringify(answer), stringify(answer)]) {
      expect(await dataPlaneOf(text)).toMatchObject(expected);
    }
  });
});
