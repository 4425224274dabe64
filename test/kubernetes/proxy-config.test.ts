import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { type DecodedConfig, decodeKubeProxyConfiguration } from "#src/kubernetes/proxy-config.ts";

const HEAD = "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n";
const CASES = new URL("../fixtures/cases/clusters/", import.meta.url);

function decoded(text: string) {
  const result = decodeKubeProxyConfiguration(HEAD + text);
  if (!result.ok) throw new Error(result.error);
  return result;
}

/** The configurations in the ConfigMaps of one case, by name and key. */
function configurationsOf(name: string): Record<string, DecodedConfig> {
  const shape = z.looseObject({
    kind: z.literal("ConfigMap"),
    metadata: z.object({ name: z.string() }),
    data: z.record(z.string(), z.string()),
  });
  const found: Record<string, DecodedConfig> = {};
  for (const document of parseAllDocuments(readFileSync(new URL(`${name}/input.yaml`, CASES), "utf8"))) {
    const object = document.toJS() as { items?: unknown[] };
    for (const item of object.items ?? [object]) {
      const map = shape.safeParse(item);
      for (const [key, text] of Object.entries(map.data?.data ?? {})) {
        if (!text.includes("KubeProxyConfiguration")) continue;
        found[`${map.data?.metadata.name}/${key}`] = decodeKubeProxyConfiguration(text);
      }
    }
  }
  return found;
}

describe("decodeKubeProxyConfiguration on real ConfigMaps", () => {
  it.each([
    ["01-kubeadm-empty-mode-dualstack", ""],
    ["02-kubeadm-ipvs-sed-scheduler", "ipvs"],
    ["07-commented-alternative", "iptables"],
    ["09-trailing-spaces-plain", "ipvs"],
    ["10-trailing-space-inside-quotes", "ipvs "],
    ["12-capitalised-key-ignored", ""],
    ["15-multi-document-config", "iptables"],
    ["16-crlf-in-config", "ipvs"],
    ["18-json-config", "ipvs"],
    ["20-strictarp-without-ipvs", ""],
    ["32-eks-cm-ipvs-inline-comments", "ipvs"],
    ["59-k0s-inline-json-iptables", "iptables"],
    ["63-openshift-standalone-kube-proxy", "iptables"],
    ["70-removed-ipvs-gate", "ipvs"],
    ["88-helm-chart-nftables", "nftables"],
  ])("%s: mode %j", (name, mode) => {
    const modes = Object.values(configurationsOf(name)).map((config) =>
      config.ok ? config.config.mode : config,
    );
    expect(modes).toEqual([mode]);
  });

  it("every configuration in the cases decodes, except the one with a string for a boolean", () => {
    const failing = readdirSync(CASES).filter((name) =>
      Object.values(configurationsOf(name)).some((config) => !config.ok),
    );
    expect(failing).toEqual(["52-rke2-old-helm-chart-configmap"]);
  });

  it("keeps what can be read of one that kube-proxy cannot load", () => {
    expect(Object.values(configurationsOf("52-rke2-old-helm-chart-configmap"))).toEqual([
      {
        ok: false,
        error: expect.stringContaining("iptables.masqueradeAll"),
        partial: expect.objectContaining({
          mode: "ipvs",
          featureGates: {
            APIListChunking: true,
            APIPriorityAndFairness: false,
            AllAlpha: false,
            AllBeta: false,
            IPv6DualStack: false,
          },
        }),
      },
    ]);
  });
});

describe("decodeKubeProxyConfiguration decodes as kube-proxy 1.36 does", () => {
  it("drops unknown and wrongly written keys, and says which", () => {
    const { config, strictErrors } = decoded(
      "Mode: ipvs\nmode: iptables\nmode: nftables\nipvs: {schedular: lc}\nconntrack: {max: 0}\n",
    );
    expect([config.mode, strictErrors]).toEqual([
      "nftables",
      [
        'key "mode" already set in map',
        'unknown field "ipvs.schedular"',
        'unknown field "conntrack.max"',
        'unknown field "Mode"',
      ],
    ]);
  });

  it("reads YAML 1.1 booleans, durations and nulls", () => {
    const { config } = decoded(
      "featureGates:\nmode: null\nnodePortAddresses: null\nipvs:\n  strictARP: yes\n  tcpTimeout: 1h0m0s\n  excludeCIDRs: [198.18.0.10/32]\n  scheduler: ''\niptables:\nconntrack:\n  tcpBeLiberal: on\n  tcpCloseWaitTimeout: null\n",
    );
    expect(config).toMatchObject({
      featureGates: {},
      mode: "",
      nodePortAddresses: null,
      ipvs: {
        strictARP: true,
        scheduler: null,
        excludeCIDRs: ["198.18.0.10/32"],
        tcpTimeout: "1h0m0s",
        tcpFinTimeout: null,
        udpTimeout: null,
        minSyncPeriod: null,
        syncPeriod: null,
      },
      iptables: { localhostNodePorts: null, masqueradeAll: null },
      nftables: { masqueradeAll: null },
      conntrack: { tcpBeLiberal: true, tcpCloseWaitTimeout: null },
      metricsBindAddress: null,
    });
  });

  it.each([
    ["metricsBindAddress: 0.0.0.0:10249", "0.0.0.0:10249"],
    ['metricsBindAddress: "[::]:10249"', "[::]:10249"],
    ["metricsBindAddress: 10:30", "10:30"],
    ["metricsBindAddress: ''", null],
  ])("%s", (line, address) => {
    expect(decoded(line).config.metricsBindAddress).toBe(address);
  });

  it("reads JSON indented with tabs", () => {
    const json = JSON.stringify(
      { apiVersion: "kubeproxy.config.k8s.io/v1alpha1", kind: "KubeProxyConfiguration", mode: "ipvs" },
      null,
      "\t",
    );
    expect(decodeKubeProxyConfiguration(json)).toMatchObject({ ok: true, config: { mode: "ipvs" } });
  });

  it("ignores a broken second document", () => {
    expect(decoded("mode: ipvs\n---\nmode: [\n").config.mode).toBe("ipvs");
  });

  it("knows every field that kubeadm and k0s write", () => {
    expect(
      decoded(
        "logging: {flushFrequency: 0, options: {json: {infoBufferSize: '0'}}}\nportRange: ''\nwinkernel: {enableDSR: false}\ndetectLocal: {bridgeInterface: ''}\nshowHiddenMetricsForVersion: ''\nclientConnection: {qps: 0, burst: 0}\n",
      ).strictErrors,
    ).toEqual([]);
  });
});

describe("decodeKubeProxyConfiguration refuses", () => {
  it.each([
    ['mode: ipvs\niptables: {masqueradeAll: "true"}', "iptables.masqueradeAll"],
    ["mode: ipvs\nmetricsBindAddress: 10249", "metricsBindAddress"],
    ["mode: ipvs\nfeatureGates: {KubeProxyIPVS: 'true'}", "featureGates.KubeProxyIPVS"],
    ["mode: ipvs\nnodePortAddresses: primary", "nodePortAddresses"],
    ["mode: ipvs\nipvs: {syncPeriod: 30}", "ipvs.syncPeriod"],
    ["mode: ipvs\nipvs: {syncPeriod: null}", "ipvs.syncPeriod"],
    ["mode: ipvs\nipvs: {syncPeriod: 30 seconds}", 'ipvs.syncPeriod: time: invalid duration "30 seconds"'],
    ["mode: ipvs\nipvs: []", "ipvs"],
    ["mode: ipvs\noomScoreAdj: 1.5", "oomScoreAdj"],
  ])("%j, and still tells the mode", (text, error) => {
    expect(decodeKubeProxyConfiguration(HEAD + text)).toMatchObject({
      ok: false,
      error: expect.stringContaining(error),
      partial: { mode: "ipvs" },
    });
  });

  it.each([
    [
      "apiVersion: kubeproxy.config.k8s.io/v1alpha2\nkind: KubeProxyConfiguration\nmode: ipvs",
      "unknown version",
    ],
    ["apiVersion: v1\nkind: Config\nmode: ipvs", "unknown kind"],
    ["kind: KubeProxyConfiguration\nmode: ipvs", "'apiVersion' is missing"],
    ["mode: ipvs", "'Kind' is missing"],
    ["", "'Kind' is missing"],
    ["- a", "'Kind' is missing"],
    ["mode: [", "yaml:"],
    ["a: b: c", "yaml:"],
    ["x: &a [*a, *b]", "yaml:"],
  ])("%j", (text, error) => {
    expect(decodeKubeProxyConfiguration(text)).toMatchObject({
      ok: false,
      error: expect.stringContaining(error),
    });
  });
});
