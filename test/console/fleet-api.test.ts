import { describe, expect, it } from "vitest";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { audit } from "../model/audits.ts";
import { darkCluster, eventsOf, json, NOW, testConsole } from "./workbench.ts";

const AT = NOW.toISOString();

describe("the fleet", () => {
  it("never counts what was not read among the audited, and says why of each", async () => {
    const denied = { what: "daemonsets", why: "forbidden", detail: "no" } as const;
    const console = await testConsole({
      audits: [
        audit({ id: "demo:a", auditedAt: AT }),
        audit({ id: "demo:b", auditedAt: AT, unread: [denied] }),
        audit({ id: "demo:c", auditedAt: AT, reachable: false }),
        audit({ id: "demo:d", auditedAt: "2026-11-01T00:00:00Z" }),
      ],
    });
    const { json: fleet } = await json(console, "/api/fleet?target=1.40");
    const rows = fleet.rows as { id: string; coverage: string; verdict: string }[];
    expect([
      fleet.coverage,
      rows.map(({ id, coverage, verdict }) => [id, coverage, verdict]).toSorted(),
    ]).toEqual([
      { audited: 2, unreachable: 1, denied: 1, stale: 1 },
      [
        ["demo:a", "audited", "clear"],
        ["demo:b", "denied", "clear"],
        ["demo:c", "not reached", "clear"],
        ["demo:d", "stale", "incomplete"],
      ],
    ]);
  });

  it("gives a verdict for any version, and none where it is reached", async () => {
    const console = await testConsole({
      audits: [audit({ id: "demo:a", auditedAt: AT, kubernetesVersion: "1.41" })],
    });
    const verdicts = [];
    for (const target of ["1.40", "1.41", "1.42", "v1.43.2"]) {
      const { json: fleet } = await json(console, `/api/fleet?target=${target}`);
      verdicts.push([fleet.target, (fleet.rows as { verdict: string | null }[])[0]?.verdict]);
    }
    expect(verdicts).toEqual([
      ["1.40", null],
      ["1.41", null],
      ["1.42", "clear"],
      ["1.43", "clear"],
    ]);
  });

  it("spells out what cannot be seen in names, and keeps identifiers as they are", async () => {
    const id = "kubeconfig:a\u202eb";
    const console = await testConsole({ audits: [audit({ id, name: "a\u202eb", auditedAt: AT })] });
    const { json: fleet } = await json(console, "/api/fleet");
    expect((fleet.rows as object[])[0]).toMatchObject({ id, name: "a\\u{202e}b" });
    const { status } = await json(console, `/api/clusters/${encodeURIComponent(id)}`);
    expect(status).toBe(200);
  });
});

describe("a scan", () => {
  it("tells each cluster as it was audited, stores it, and counts the day", async () => {
    const console = await testConsole({ clusters: [darkCluster("one"), darkCluster("two")] });
    const started = await json(console, "/api/scans", { clusters: ["kubeconfig:one", "kubeconfig:two"] });
    const told = await eventsOf(console, `/api/scans/${started.json.id}/events`);
    expect([
      started.status,
      told.map((event) => (event as { type: string }).type),
      told.at(0),
      told.at(-1),
      told.find((event) => (event as { id?: string }).id === "kubeconfig:one"),
    ]).toEqual([
      202,
      ["started", "audited", "audited", "finished"],
      {
        type: "started",
        clusters: [
          { id: "kubeconfig:one", name: "one" },
          { id: "kubeconfig:two", name: "two" },
        ],
      },
      { type: "finished", audited: 0, notReached: 2 },
      {
        type: "audited",
        id: "kubeconfig:one",
        name: "one",
        reachable: false,
        why: expect.stringContaining("unreachable: connection refused"),
        worst: "incomplete",
        mode: "unknown",
      },
    ]);
    const { json: history } = await json(console, "/api/history");
    expect(history).toMatchObject({
      rollups: [{ date: "2026-11-30", clusters: 2, notAudited: 2, modes: {} }],
    });
  });

  it("of what is not in any source is refused; a second one waits for the first", async () => {
    const console = await testConsole({ clusters: [darkCluster("one")] });
    const unknown = await json(console, "/api/scans", { clusters: ["kubeconfig:other"] });
    const first = await json(console, "/api/scans", { clusters: ["kubeconfig:one"] });
    const again = await json(console, `/api/scans`, { clusters: ["kubeconfig:one"] });
    expect([unknown.status, first.status]).toEqual([404, 202]);
    expect([202, 400]).toContain(again.status);
    await eventsOf(console, `/api/scans/${first.json.id}/events`);
  });

  it("in which one cluster's audit breaks goes on, and counts that cluster as not reached", async () => {
    const broken: InventoryCluster = {
      ...darkCluster("broken"),
      open: () => Promise.reject(new Error("out of memory")),
    };
    const slow = darkCluster("slow");
    const late: InventoryCluster = {
      ...slow,
      open: async (limits) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return slow.open(limits);
      },
    };
    const console = await testConsole({ clusters: [broken, late] });
    const clusters = ["kubeconfig:broken", "kubeconfig:slow"];
    const { json: started } = await json(console, "/api/scans", { clusters });
    const told = await eventsOf(console, `/api/scans/${started.id}/events`);
    const { json: state } = await json(console, "/api/state");
    expect([told.at(-1), state.scan]).toEqual([{ type: "finished", audited: 0, notReached: 2 }, null]);
  });

  it("that is over tells its story to whoever comes later", async () => {
    const console = await testConsole({ clusters: [darkCluster("one")] });
    const { json: started } = await json(console, "/api/scans", { clusters: ["kubeconfig:one"] });
    const path = `/api/scans/${started.id}/events`;
    expect(await eventsOf(console, path)).toEqual(await eventsOf(console, path));
  });
});
