import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { config, configMap, daemonSet, listOf, node } from "./objects.ts";
import { cli, scanned } from "./run-cli.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "proxy-audit-manifests-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(files: Record<string, unknown>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, name.endsWith(".json") ? JSON.stringify(content) : stringify(content));
  }
}

const IPVS = configMap({ "config.conf": config("mode: ipvs") });
const NFTABLES = configMap({ "config.conf": config("mode: nftables") });

/** `name: mode` of each cluster. */
async function modes(paths: string[], stdin = ""): Promise<string[]> {
  const argv = paths.flatMap((path) => ["--manifests", path === "-" ? path : join(folder, path)]);
  return (await scanned(argv, { stdin })).clusters.map(({ name, dataPlane }) => `${name}: ${dataPlane.mode}`);
}

describe("scan --manifests", () => {
  it("takes a folder for one cluster, with all below it, in YAML and JSON", async () => {
    await write({
      "prod/nodes.json": listOf(node("a")),
      "prod/kube-system/ds.yaml": daemonSet(),
      "prod/kube-system/cm.yml": IPVS,
    });
    expect(await modes(["prod"])).toEqual(["prod: ipvs"]);
  });

  it("takes single files together for one cluster", async () => {
    await write({ "dump/ds.yaml": daemonSet(), "dump/cm.json": NFTABLES });
    expect(await modes(["dump/ds.yaml", "dump/cm.json"])).toEqual(["dump: nftables"]);
  });

  it("takes the standard input together with files", async () => {
    await write({ "cm.yaml": IPVS });
    expect(await modes(["-", "cm.yaml"], JSON.stringify(daemonSet()))).toEqual(["stdin: ipvs"]);
  });

  it("keeps folders of one name apart", async () => {
    await write({
      "eu/prod/all.yaml": listOf(daemonSet(), IPVS),
      "us/prod/all.yaml": listOf(daemonSet(), NFTABLES),
    });
    expect(await modes(["eu/prod", "us/prod"])).toEqual(["prod: ipvs", "prod-2: nftables"]);
  });

  it("reads what the EKS API said beside the objects", async () => {
    const kubelet = { kubeletVersion: "v1.35.2-eks-99d6cc0" };
    await write({
      "eks/all.yaml": listOf(node("a", kubelet), daemonSet(), IPVS),
      "eks/cluster.json": { cluster: { name: "pay", version: "1.35", status: "ACTIVE" } },
      "eks/addon.json": {
        addon: {
          addonName: "kube-proxy",
          clusterName: "pay",
          addonVersion: "v1.35.3-eksbuild.2",
          status: "ACTIVE",
          configurationValues: '{"mode":"iptables"}',
        },
      },
      "eks/vpc-cni.json": {
        addon: {
          addonName: "vpc-cni",
          clusterName: "pay",
          addonVersion: "v1.21.1-eksbuild.1",
          status: "ACTIVE",
        },
      },
    });
    const { clusters } = await scanned(["--manifests", join(folder, "eks")]);
    expect(clusters[0]).toMatchObject({
      provider: "eks",
      kubernetesVersion: "1.35",
      dataPlane: { mode: "ipvs" },
    });
    expect(clusters[0]?.dataPlane.sources).toContainEqual({
      ref: "EKS add-on configurationValues.mode",
      says: "iptables (intent)",
    });
  });

  it("takes answers of the cloud by themselves", async () => {
    await write({
      "aks.json": {
        name: "web",
        kubernetesVersion: "1.35",
        networkProfile: { kubeProxyConfig: { enabled: true, mode: "IPVS" } },
      },
    });
    expect(await modes(["aks.json"])).toEqual(["aks: ipvs"]);
  });

  it.each<[string, Record<string, unknown>]>([
    [
      "two clusters of az aks list",
      {
        "mixed/aks.json": ["web", "api"].map((name) => ({
          name,
          kubernetesVersion: "1.35",
          networkProfile: {},
        })),
      },
    ],
    [
      "two clusters of the EKS API",
      {
        "mixed/a.json": { cluster: { name: "a" } },
        "mixed/b.json": { addon: { addonName: "kube-proxy", clusterName: "b" } },
      },
    ],
    ["two different objects of one name", { "mixed/a.yaml": IPVS, "mixed/b.yaml": NFTABLES }],
  ])("refuses %s in one folder", async (_, files) => {
    await write(files);
    const { exitCode, stdout, stderr } = await cli(["scan", "--manifests", join(folder, "mixed")]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^proxy-audit: .*two .* Give each cluster's folder by its own --manifests\.\n$/);
  });
});
