import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startDemoFleet } from "#src/demo/start-demo-fleet.ts";

/** `npm run console` as a person starts it, until it says where it is. */
async function started(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ["scripts/console.ts", "--no-open", "--port", "0", ...args], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  let stdout = "";
  let stderr = "";
  child.stderr.on("data", (part) => {
    stderr += part;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (part) => {
      stdout += part;
      const found = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/.exec(stdout)?.[0];
      if (found !== undefined) resolve(found);
    });
    void ended.then((code) => reject(new Error(`ended with ${code}: ${stderr}`)));
  });
  const { origin, hash } = new URL(url);
  const authorization = `Bearer ${hash.slice("#token=".length)}`;
  const get = async (path: string) => {
    const response = await fetch(`${origin}${path}`, { headers: { authorization } });
    return path.startsWith("/api") ? response.json() : response.text();
  };
  const post = async (path: string, body: object) => {
    const response = await fetch(`${origin}${path}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  return { get, post, interrupt: () => child.kill("SIGINT"), ended, stderr: () => stderr };
}

async function emptyHome(): Promise<Record<string, string>> {
  const home = await mkdtemp(join(tmpdir(), "proxy-audit-home-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return { HOME: home, XDG_STATE_HOME: join(home, "state"), KUBECONFIG: "" };
}

it("opens on the user's own store, which may be empty, offers the demo, and ends with Ctrl-C", async () => {
  const { get, interrupt, ended, stderr } = await started([], await emptyHome());
  expect(await get("/")).toContain('<div id="page">');
  expect(await get("/api/state")).toMatchObject({
    fleet: { kind: "own" },
    kinds: ["own", "demo"],
    scan: null,
  });
  expect(await get("/api/fleet")).toMatchObject({ total: 0, rows: [] });
  expect(await get("/api/sources")).toMatchObject({
    sources: [{ id: "kubeconfig", clusters: [], problem: expect.stringContaining("kube/config") }],
  });
  interrupt();
  expect([await ended, stderr()]).toEqual([0, ""]);
}, 60_000);

it("scans the clusters of a kubeconfig into the user's store", async () => {
  const home = await emptyHome();
  const demo = await startDemoFleet();
  onTestFinished(() => demo.close());
  const file = join(home.HOME ?? "", "kubeconfig.yaml");
  await writeFile(file, demo.kubeconfig);
  const { get, post, interrupt, ended } = await started(["--kubeconfig", file], home);
  const { sources } = (await get("/api/sources")) as { sources: { clusters: { id: string }[] }[] };
  expect(sources[0]?.clusters.map(({ id }) => id)).toContain("kubeconfig:web-kubeadm");
  expect(await post("/api/scans", { clusters: ["kubeconfig:web-kubeadm"] })).toEqual({ id: "1" });
  await expect
    .poll(() => get("/api/fleet"), { timeout: 30_000 })
    .toMatchObject({
      total: 1,
      coverage: { audited: 1 },
      rows: [{ id: "kubeconfig:web-kubeadm", mode: "iptables", verdict: "clear" }],
    });
  interrupt();
  expect(await ended).toBe(0);
}, 60_000);

it("opens on the demo fleet, scanning it at once, and leaves nothing of it behind", async () => {
  const home = await emptyHome();
  const { get, interrupt, ended } = await started(["--demo"], { ...home, TMPDIR: home.HOME ?? "" });
  await expect
    .poll(async () => ((await get("/api/state")) as { scan: unknown }).scan, { timeout: 30_000 })
    .toBeNull();
  expect(await get("/api/fleet")).toMatchObject({ coverage: { unreachable: 1, denied: 1 } });
  interrupt();
  expect(await ended).toBe(0);
  expect(await readdir(home.HOME ?? "")).toEqual([]);
}, 60_000);
