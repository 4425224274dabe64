import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { config, configMap, daemonSet, listOf, node } from "./objects.ts";
import { cli, NOW } from "./run-cli.ts";

interface Cluster {
  /** Lines of kube-proxy's configuration; null: its ConfigMap is not in the dump. */
  lines: string[] | null;
  version?: string;
  kernel?: string;
  provider?: "kubeadm" | "eks";
  answers?: object[];
}

/** A whole dump of a cluster, as `kubectl get ... -o json` gives it. */
function dump({
  lines,
  version = "1.35",
  kernel = "6.8.0-63-generic",
  provider = "kubeadm",
  answers = [],
}: Cluster): string {
  const kubeletVersion = provider === "eks" ? `v${version}.2-eks-99d6cc0` : `v${version}.2`;
  const objects = [
    ...(["a", "b"] as const).map((name) => node(name, { kubeletVersion, kernelVersion: kernel })),
    daemonSet({ image: `registry.k8s.io/kube-proxy:v${version}.2`, desired: 2 }),
    ...(lines === null ? [] : [configMap({ "config.conf": config(...lines) })]),
  ];
  return [listOf(...objects), ...answers].map((document) => JSON.stringify(document)).join("\n---\n");
}

const IPVS = ["mode: ipvs", "ipvs:", "  strictARP: false"];

/** A published build of EKS's kube-proxy add-on and the modes its configuration schema lists. */
function addonSchema(addonVersion: string, modes: string[]): object {
  return {
    addonName: "kube-proxy",
    addonVersion,
    configurationSchema: JSON.stringify({
      $ref: "#/definitions/KubeProxy",
      definitions: { KubeProxy: { properties: { mode: { enum: modes, type: "string" } }, type: "object" } },
    }),
  };
}

async function gate(stdin: string, to: string, ...more: string[]) {
  const args = ["gate", "--to", to, "--manifests", "-", "--store", "none", "--output", "json", ...more];
  const { exitCode, stdout, stderr } = await cli(args, { stdin });
  expect(stderr).toBe("");
  return { exitCode, verdict: JSON.parse(stdout).clusters[0] as Verdict };
}

interface Verdict {
  verdict: string;
  blockers: string[];
  unknown: string[];
  waived: string[];
  reasons: string[];
  certainty: string | null;
  warnings: string[];
}

const EKS_READ = addonSchema("v1.36.0-eksbuild.9", ["iptables", "ipvs", "nftables"]);
const EKS_WITHOUT = addonSchema("v1.36.0-eksbuild.9", ["iptables", "nftables"]);
const FORCED = [...IPVS, "featureGates:", "  KubeProxyIPVS: true"];
const UNSET = ["mode: ''"];

describe("gate", () => {
  it.each<[string, Cluster, string, number, string, string[]]>([
    ["ipvs at 1.39", { lines: IPVS }, "1.39", 0, "clear-with-warnings", []],
    ["ipvs at 1.40", { lines: IPVS }, "1.40", 2, "blocked", ["proxy-mode"]],
    ["ipvs on EKS at 1.36, schema unread", { lines: IPVS, provider: "eks" }, "1.36", 3, "incomplete", []],
    [
      "ipvs on EKS at 1.36, schema lists it",
      { lines: IPVS, provider: "eks", answers: [EKS_READ] },
      "1.36",
      0,
      "clear-with-warnings",
      [],
    ],
    [
      "ipvs on EKS at 1.36, schema does not",
      { lines: IPVS, provider: "eks", answers: [EKS_WITHOUT] },
      "1.36",
      2,
      "blocked",
      ["proxy-mode"],
    ],
    [
      "ipvs on EKS below 1.36",
      { lines: IPVS, provider: "eks", version: "1.34" },
      "1.35",
      0,
      "clear-with-warnings",
      [],
    ],
    [
      "ipvs on EKS at 1.40, schema unread",
      { lines: IPVS, provider: "eks" },
      "1.40",
      2,
      "blocked",
      ["proxy-mode"],
    ],
    ["the gate forced on at 1.42", { lines: FORCED, version: "1.37" }, "1.42", 0, "clear-with-warnings", []],
    [
      "the gate forced on at 1.43",
      { lines: FORCED, version: "1.37" },
      "1.43",
      2,
      "blocked",
      ["proxy-mode", "ipvs-gate"],
    ],
    [
      "unset on kernel 5.10 at 1.39",
      { lines: UNSET, kernel: "5.10.0-33-amd64" },
      "1.39",
      0,
      "clear-with-warnings",
      [],
    ],
    [
      "unset on kernel 5.10 at 1.40",
      { lines: UNSET, kernel: "5.10.0-33-amd64" },
      "1.40",
      2,
      "blocked",
      ["proxy-mode-unset"],
    ],
    ["unset on kernel 6.8 at 1.40", { lines: UNSET }, "1.40", 0, "clear-with-warnings", []],
    [
      "explicit iptables on kernel 5.10 at 1.43, to which only kubeadm objects",
      { lines: ["mode: iptables"], version: "1.37", kernel: "5.10.0-33-amd64" },
      "1.43",
      0,
      "clear-with-warnings",
      [],
    ],
    ["nftables at 1.43", { lines: ["mode: nftables"], version: "1.37" }, "1.43", 0, "clear", []],
    ["a ConfigMap that was not read", { lines: null }, "1.40", 3, "incomplete", []],
  ])("%s", async (_, cluster, to, exitCode, verdict, blockers) => {
    expect(await gate(dump(cluster), to)).toMatchObject({ exitCode, verdict: { verdict, blockers } });
  });

  it("says that a plan decided", async () => {
    expect((await gate(dump({ lines: IPVS }), "1.40")).verdict.certainty).toBe("planned");
  });

  it("fails on warnings where that was asked for", async () => {
    expect((await gate(dump({ lines: IPVS }), "1.39", "--fail-on", "warning")).exitCode).toBe(2);
    expect(
      (await gate(dump({ lines: ["mode: nftables"], version: "1.37" }), "1.39", "--fail-on", "warning"))
        .exitCode,
    ).toBe(0);
  });

  it("takes a target at or below what runs for a mistake, not a verdict", async () => {
    const args = ["gate", "--to", "1.35", "--manifests", "-", "--store", "none"];
    const { exitCode, stdout, stderr } = await cli(args, { stdin: dump({ lines: IPVS }) });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toBe("proxy-audit: stdin already runs 1.35: 1.35 is no upgrade. Give a newer version.\n");
  });
});

describe("gate on the demo fleet, live", () => {
  it("is a matrix in which the worst decides", async () => {
    const { exitCode, stdout } = await cli(["gate", "--all", "--demo", "--to", "1.40", "--store", "none"]);
    expect(exitCode).toBe(2);
    for (const name of ["web-kubeadm", "payments-prod-eu", "unreachable", "locked-down"])
      expect(stdout).toContain(name);
  });

  it.each([
    ["unreachable", 3],
    ["locked-down", 3],
    ["web-kubeadm", 0],
    ["data-nftables", 0],
    ["ack-shanghai", 2],
  ])("gives %s exit code %i", async (name, exitCode) => {
    const run = await cli(["gate", name, "--demo", "--to", "1.40", "--store", "none"]);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stdout).toContain(name);
  });
});

describe("gate from the store", () => {
  let folder: string;
  let store: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "proxy-audit-gate-"));
    store = join(folder, "audits.sqlite");
    for (const [name, lines] of [
      ["orders", IPVS],
      ["search", ["mode: nftables"]],
    ] as const) {
      const file = join(folder, `${name}.json`);
      await writeFile(file, dump({ lines: [...lines] }));
      const { exitCode } = await cli(["scan", "--manifests", file, "--store", store]);
      expect(exitCode).toBe(0);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const hoursLater = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

  async function stored(argv: string[], now = NOW) {
    const { exitCode, stdout, stderr } = await cli(["gate", ...argv, "--store", store, "--output", "json"], {
      now,
    });
    return { exitCode, stderr, clusters: stdout === "" ? [] : JSON.parse(stdout).clusters };
  }

  it("answers without reading a cluster", async () => {
    expect((await stored(["orders", "--to", "1.40"])).exitCode).toBe(2);
    expect((await stored(["search", "--to", "1.40"])).exitCode).toBe(0);
  });

  it("takes a name by its beginning, and says which are near to a wrong one", async () => {
    expect((await stored(["ord", "--to", "1.40"])).exitCode).toBe(2);
    const { exitCode, stderr } = await stored(["oders", "--to", "1.40"]);
    expect([exitCode, stderr]).toEqual([1, 'proxy-audit: no cluster "oders". Did you mean orders?\n']);
  });

  it("is incomplete where the audit is too old, whatever it found", async () => {
    const { exitCode, clusters } = await stored(["search", "--to", "1.40"], hoursLater(37));
    expect([exitCode, clusters[0].verdict]).toEqual([3, "incomplete"]);
    expect(clusters[0].reasons).toEqual(["stale: audited 37 hours ago, at most 36 count"]);
    expect((await stored(["search", "--to", "1.40", "--max-audit-age", "48"], hoursLater(37))).exitCode).toBe(
      0,
    );
  });

  it("lets the worst of all decide", async () => {
    const { exitCode, clusters } = await stored(["--all", "--to", "1.40"]);
    expect(exitCode).toBe(2);
    expect(clusters.map((row: { name: string }) => row.name)).toEqual(["orders", "search"]);
  });

  it("honours a waiver until it expires, and lists what was waived", async () => {
    const waive = [
      "waive",
      "orders",
      "proxy-mode",
      "--reason",
      "moves to a new cluster",
      "--days",
      "10",
      "--as",
      "ana",
    ];
    expect(await cli([...waive, "--store", store])).toMatchObject({ exitCode: 0, stderr: "" });
    const during = await stored(["orders", "--to", "1.40"], hoursLater(1));
    expect([during.exitCode, during.clusters[0].waived]).toEqual([0, ["proxy-mode"]]);
    const after = await stored(["orders", "--to", "1.40", "--max-audit-age", "1000"], hoursLater(11 * 24));
    expect([after.exitCode, after.clusters[0].waived]).toEqual([2, []]);
  });
});
