import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { childCli } from "./child-cli.ts";
import { cli } from "./run-cli.ts";

const CASE = "test/fixtures/cases/clusters/02-kubeadm-ipvs-sed-scheduler";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proxy-audit-input-"));
  await mkdir(join(folder, "empty"));
  await mkdir(join(folder, "notes"));
  const files: Record<string, string> = {
    "broken.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: [kube-proxy\ndata: {}\n",
    "tabs.yaml": "apiVersion: v1\nkind: ConfigMap\n\tmetadata: {}\n",
    "broken.json": '{ "apiVersion": "v1",\n  "kind": "List",\n  "items": [ { ] }\n',
    "words.yaml": "just words\n",
    "notes/readme.yaml": "title: notes\nbody: nothing of Kubernetes\n",
    "config.yaml": `apiVersion: v1
kind: Config
clusters: [{ name: prod, cluster: { server: "https://127.0.0.1:1" } }]
users: [{ name: me, user: { token: secret } }]
contexts: [{ name: prod-eu, context: { cluster: prod, user: me } }]
current-context: prod-eu
`,
    "broken-config.yaml": "apiVersion: v1\nkind: Config\nclusters: [\n",
    "empty-config.yaml": "apiVersion: v1\nkind: Config\n",
    "binary.yaml": "\u0000\u0001\u0002\u0003",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("bad input gets one clear line and exit code 1", () => {
  it.each<[string, string[], RegExp]>([
    [
      "no such file",
      ["scan", "--manifests", "{}/nope.yaml"],
      /no such file or folder: .*nope\.yaml\. Check the path/,
    ],
    [
      "YAML that does not parse",
      ["scan", "--manifests", "{}/broken.yaml"],
      /broken\.yaml:5: .+ Mend the file/,
    ],
    ["tabs in YAML", ["scan", "--manifests", "{}/tabs.yaml"], /tabs\.yaml:3: .+ Mend the file/],
    [
      "JSON that does not parse",
      ["scan", "--manifests", "{}/broken.json"],
      /broken\.json:[34]: .+ Mend the file/,
    ],
    ["a file of words", ["scan", "--manifests", "{}/words.yaml"], /no Kubernetes objects in .*words\.yaml/],
    ["a binary file", ["scan", "--manifests", "{}/binary.yaml"], /binary\.yaml/],
    ["a folder without manifests", ["scan", "--manifests", "{}/empty"], /no Kubernetes objects in .*empty/],
    [
      "a folder without Kubernetes objects",
      ["scan", "--manifests", "{}/notes"],
      /no Kubernetes objects in .*notes/,
    ],
    ["an empty standard input", ["scan", "--manifests", "-"], /no Kubernetes objects in the standard input/],
    ["no such kubeconfig", ["scan", "--kubeconfig", "{}/nope"], /nope/],
    [
      "a kubeconfig that does not parse",
      ["scan", "--kubeconfig", "{}/broken-config.yaml"],
      /broken-config\.yaml/,
    ],
    ["a kubeconfig without contexts", ["scan", "--kubeconfig", "{}/empty-config.yaml"], /empty-config\.yaml/],
    [
      "no such context",
      ["scan", "--kubeconfig", "{}/config.yaml", "--context", "prod-uk"],
      /"?prod-uk"?.*prod-eu/,
    ],
    [
      "an unknown target",
      ["scan", "--manifests", CASE, "--to", "next"],
      /"next" is not a Kubernetes version .* Give one like 1\.40/,
    ],
    [
      "a target far away",
      ["gate", "--manifests", CASE, "--to", "1.99"],
      /"1\.99" is not a Kubernetes version/,
    ],
    ["an unknown option", ["scan", "--manifest", CASE], /unknown option '--manifest'.*--manifests/s],
    ["an unknown command", ["scna"], /unknown command 'scna'.*scan/s],
    ["an unknown format", ["scan", "--manifests", CASE, "--output", "yaml"], /yaml.*(table|choices)/s],
    ["two sources", ["scan", "--manifests", CASE, "--demo"], /--manifests and --demo do not go together/],
    ["a time that is none", ["scan", "--manifests", CASE, "--timeout", "soon"], /Give a time like 60s or 2m/],
    ["no clusters at a time", ["scan", "--manifests", CASE, "--concurrency", "0"], /Give a whole number/],
    ["a gate without a target", ["gate", "web"], /--to <version>.*not specified/],
    ["a gate without a cluster", ["gate", "--to", "1.40", "--store", "{}/fresh.sqlite"], /which cluster\?/],
    [
      "a gate on an empty store",
      ["gate", "web", "--to", "1.40", "--store", "{}/fresh.sqlite"],
      /No audits are stored yet: run proxy-audit scan first/,
    ],
    [
      "an output file in no folder",
      ["scan", "--manifests", CASE, "--out", "{}/no/such/report.json"],
      /cannot write .*report\.json/,
    ],
    ["an unknown check", ["explain", "proxy-mod"], /no check "proxy-mod". Did you mean proxy-mode\?/],
    ["an unknown provider", ["timeline", "--provider", "esk"], /no provider "esk"/],
  ])("%s", async (_, argv, expected) => {
    const { exitCode, stdout, stderr } = await cli(
      [
        ...argv.map((arg) => arg.replace("{}", folder)),
        ...(argv.includes("--store") || argv[0] !== "scan" ? [] : ["--store", "none"]),
      ],
      { env: { HOME: folder, XDG_STATE_HOME: folder } },
    );
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(expected);
    expect(stderr).toMatch(/^proxy-audit: /);
    expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(2);
    expect(stderr).not.toMatch(/\n\s+at |Error:|unexpected:/);
  });

  it("names the stored fleet's absence where there is none to show", async () => {
    const { exitCode, stdout, stderr } = await cli(["fleet", "--store", join(folder, "none-yet.sqlite")]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("proxy-audit scan");
  });
});

describe("a store that cannot be written", () => {
  it("is a warning, and the scan goes on", async () => {
    const { exitCode, stdout, stderr } = await cli([
      "scan",
      "--manifests",
      CASE,
      "--store",
      "/proc/audits.sqlite",
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("ipvs");
    expect(stderr).toMatch(/^proxy-audit: warning: .+ The audits of this run are not kept\.\n$/);
  });
});

describe("a process of its own", () => {
  it("prints its own words and nothing of Node's", async () => {
    const store = join(folder, "child.sqlite");
    const scan = await childCli(["scan", "--manifests", CASE, "--store", store]);
    expect([scan.exitCode, scan.stderr]).toEqual([0, ""]);
    const fleet = await childCli(["fleet", "--store", store]);
    expect([fleet.exitCode, fleet.stderr]).toEqual([0, ""]);
    expect(fleet.stdout).toContain("02-kubeadm-ipvs-sed-scheduler");
  });

  it("prints one line for what went wrong, and nothing of Node's", async () => {
    const { exitCode, stdout, stderr } = await childCli(["scan", "--manifests", join(folder, "broken.yaml")]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^proxy-audit: .*broken\.yaml:5: [^\n]+\n$/);
  });

  it("colours nothing that is not a terminal, nor where NO_COLOR is set", async () => {
    for (const env of [{}, { NO_COLOR: "1", FORCE_COLOR: "1" }]) {
      const { stdout, stderr } = await childCli(["scan", "--manifests", CASE, "--store", "none"], { env });
      expect(`${stdout}${stderr}`).not.toContain("\u001b");
    }
  });

  it("reads a dump from the standard input", async () => {
    const stdin = await readFile(join(CASE, "input.yaml"), "utf8");
    const { exitCode, stdout } = await childCli(
      ["scan", "--manifests", "-", "--store", "none", "--output", "json"],
      { stdin },
    );
    expect([exitCode, JSON.parse(stdout).clusters[0].dataPlane.mode]).toEqual([0, "ipvs"]);
  });

  it("shows progress to nobody who does not watch", async () => {
    const { stderr } = await childCli([
      "scan",
      "--manifests",
      CASE,
      "--manifests",
      "test/fixtures/cases/clusters/93-nftables-old-kernel-nodes",
      "--store",
      "none",
    ]);
    expect(stderr).toBe("");
  });

  it("keeps its help short of a fault when asked for it", async () => {
    const { exitCode, stdout, stderr } = await childCli(["--help"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Usage: proxy-audit");
  });
});
