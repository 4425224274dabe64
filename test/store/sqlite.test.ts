import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "#src/store/open.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";
import { audit, finding } from "../model/audits.ts";
import { describeStore } from "./contract/contract.ts";

let folder: string;
let files = 0;
const newPath = () => join(folder, `store-${files++}.sqlite`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proxy-audit-store-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describeStore("SQLite", () => openSqliteStore(newPath()));

describe("the SQLite file", () => {
  it("is read again by the next process, and by two at once", async () => {
    const path = newPath();
    const [first, second] = [await openSqliteStore(path), await openSqliteStore(path)];
    const put = audit({ id: "prod", auditedAt: "2027-03-01T09:00:00Z" });
    await first.putAudit(put);
    expect(await second.latest("prod")).toEqual(put);
    await first.close();
    await second.close();
    const third = await openSqliteStore(path);
    expect(await third.latest("prod")).toEqual(put);
    await third.close();
  });

  it("forgets history and changes more than 400 days older than the newest audit", async () => {
    const store = await openSqliteStore(newPath());
    const findings = [finding("proxy-mode", "warning")];
    for (const auditedAt of ["2026-01-01T00:00:00Z", "2026-06-01T00:00:00Z", "2027-03-01T00:00:00Z"]) {
      await store.putAudit(audit({ id: "prod", auditedAt, findings }));
    }
    const history = await store.history("prod", { limit: 9 });
    expect(history.map((one) => one.auditedAt)).toEqual(["2027-03-01T00:00:00Z", "2026-06-01T00:00:00Z"]);
    expect(await store.changesSince("2020-01-01T00:00:00Z")).toEqual([]);
    await store.close();
  });

  it.each<[string, string, (path: string) => Promise<void>]>([
    ["in a folder that does not exist", "cannot be opened or created", async () => {}],
    [
      "that is a folder",
      "cannot be opened or created",
      async (path) => void (await mkdir(path, { recursive: true })),
    ],
    [
      "that is not a database",
      "not a proxy-audit store, or it is damaged",
      async (path) => {
        await mkdir(join(path, ".."), { recursive: true });
        await writeFile(path, "clusters:\n- prod\n".repeat(500));
      },
    ],
    [
      "of another program",
      "is a database of another program",
      async (path) => {
        await mkdir(join(path, ".."), { recursive: true });
        const other = new DatabaseSync(path);
        other.exec("CREATE TABLE bookmarks (url TEXT)");
        other.close();
      },
    ],
    [
      "of a newer proxy-audit",
      "was written by a newer proxy-audit",
      async (path) => {
        await mkdir(join(path, ".."), { recursive: true });
        await (await openSqliteStore(path)).close();
        const newer = new DatabaseSync(path);
        newer.exec("UPDATE schema_version SET version = 99");
        newer.close();
      },
    ],
  ])("%s is refused with its path and left as it is", async (_, reason, make) => {
    const path = join(folder, `refused-${files++}`, "store.sqlite");
    await make(path);
    const before = await readFile(path).catch(() => undefined);
    await expect(openSqliteStore(path)).rejects.toMatchObject({
      code: "store-unavailable",
      message: expect.stringMatching(new RegExp(`${path}.*${reason}`)),
    });
    expect(await readFile(path).catch(() => undefined)).toEqual(before);
  });

  // Root may write anywhere, so there is nothing to see as root.
  it.skipIf(process.getuid?.() === 0)("in a read-only folder is refused with its path", async () => {
    const path = join(folder, "read-only", "store.sqlite");
    await mkdir(join(path, ".."));
    await chmod(join(path, ".."), 0o500);
    await expect(openSqliteStore(path)).rejects.toMatchObject({
      code: "store-unavailable",
      message: expect.stringContaining(path),
    });
  });

  it("that is damaged while in use is an error with its path, and is not deleted", async () => {
    const path = newPath();
    const store = await openSqliteStore(path);
    for (let day = 10; day < 30; day++) {
      await store.putAudit(audit({ id: "prod", auditedAt: `2027-03-${day}T00:00:00Z` }));
    }
    await store.close();
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0x5a, 8192));
    const history = async () => {
      const reopened = await openSqliteStore(path);
      return await reopened.history("prod", { limit: 50 });
    };
    const damaged = await history().catch((error: unknown) => error);
    expect(damaged).toMatchObject({ code: "store-unavailable", message: expect.stringContaining(path) });
    expect((await readFile(path)).length).toBe(bytes.length);
  });

  it("with a row that cannot be read says whose it is, and takes the cluster's next audit", async () => {
    const path = newPath();
    const store = await openSqliteStore(path);
    await store.putAudit(audit({ id: "prod", auditedAt: "2027-03-01T09:00:00Z" }));
    const outside = new DatabaseSync(path);
    outside.exec("UPDATE latest SET body = '{}', open = 'nothing'");
    outside.close();
    await expect(store.latest("prod")).rejects.toMatchObject({
      code: "store-unavailable",
      message: expect.stringContaining("an audit of prod"),
    });
    const next = audit({ id: "prod", auditedAt: "2027-03-02T09:00:00Z" });
    await store.putAudit(next);
    expect(await store.latest("prod")).toEqual(next);
    await store.close();
  });

  it("is opened without a warning on the terminal, while other warnings still come through", async () => {
    const script = `
      import { openSqliteStore } from ${JSON.stringify(join(import.meta.dirname, "../../src/store/sqlite.ts"))};
      await (await openSqliteStore(process.argv[1])).close();
      process.emitWarning("something else", "ExperimentalWarning");`;
    const { stderr } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "-e",
      script,
      newPath(),
    ]);
    expect(stderr).not.toContain("SQLite");
    expect(stderr).toContain("ExperimentalWarning: something else");
  });
});

describe("openStore", () => {
  it("is null for none", async () => {
    expect(await openStore({ path: "none", env: {} })).toBeNull();
  });

  it.each([
    [
      "XDG_STATE_HOME",
      (root: string) => ({ XDG_STATE_HOME: root, HOME: "/nowhere" }),
      "proxy-audit/store.sqlite",
    ],
    ["HOME", (root: string) => ({ HOME: root }), ".local/state/proxy-audit/store.sqlite"],
    [
      "HOME where XDG_STATE_HOME is relative",
      (root: string) => ({ XDG_STATE_HOME: "state", HOME: root }),
      ".local/state/proxy-audit/store.sqlite",
    ],
    [
      "HOME where XDG_STATE_HOME is empty",
      (root: string) => ({ XDG_STATE_HOME: "", HOME: root }),
      ".local/state/proxy-audit/store.sqlite",
    ],
  ])("makes its file under %s", async (_, env, file) => {
    const root = join(folder, `home-${files++}`);
    const store = await openStore({ env: env(root) });
    await store?.close();
    expect((await readFile(join(root, file))).subarray(0, 15).toString()).toBe("SQLite format 3");
  });

  it.each([
    ["no HOME", {}, "neither XDG_STATE_HOME nor HOME is set"],
    [
      "a HOME that cannot hold folders",
      { HOME: "/dev/null" },
      "/dev/null/.local/state/proxy-audit/store.sqlite",
    ],
  ])("with %s says what to do instead", async (_, env, message) => {
    await expect(openStore({ env })).rejects.toMatchObject({
      code: "store-unavailable",
      message: expect.stringContaining(message),
    });
  });
});
