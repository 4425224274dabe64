import { beforeEach, describe, expect, it } from "vitest";
import type { AwsAccess } from "#src/aws/access.ts";
import { createEksPublished } from "#src/aws/eks-published.ts";
import { auditMessage } from "#src/fleet-run/audit-message.ts";
import { enumerateMessage } from "#src/fleet-run/enumerate-message.ts";
import type { AccountMessage, ClusterMessage } from "#src/fleet-run/messages.ts";
import { planRun } from "#src/fleet-run/plan-run.ts";
import type { Telemetry } from "#src/fleet-run/telemetry.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";
import type { FindingStore } from "#src/store/store.ts";
import { PAYMENTS, smallOrganization } from "../fakes/aws/organization.ts";
import { accessTo, NOW } from "../inventory/aws/with-aws.ts";

const silent: Telemetry = { info() {}, warn() {}, error() {}, count() {} };
const RUN = "2026-11-30";

/** Fails at one call, counted over everything that writes; `after` the write was made, as when the answer is lost. */
interface Crash {
  at: number;
  when: "before" | "after";
}

class Crashed extends Error {}

interface World {
  store: FindingStore;
  accounts: AccountMessage[];
  clusters: ClusterMessage[];
  calls(): number;
}

function crashing<T extends object>(target: T, count: { calls: number }, crash: Crash | null): T {
  return new Proxy(target, {
    get(object, name, receiver) {
      const member: unknown = Reflect.get(object, name, receiver);
      if (typeof member !== "function" || name === "latestAll") return member;
      return async (...args: unknown[]) => {
        count.calls += 1;
        const here = crash?.at === count.calls;
        if (here && crash?.when === "before") throw new Crashed(String(name));
        const result: unknown = await (member as (...args: unknown[]) => unknown).apply(object, args);
        if (here) throw new Crashed(String(name));
        return result;
      };
    },
  });
}

async function runWith(access: AwsAccess, crash: Crash | null): Promise<World> {
  const count = { calls: 0 };
  const plain = await openSqliteStore(":memory:");
  const store = crashing(plain, count, crash);
  const accounts: AccountMessage[] = [];
  const clusters: ClusterMessage[] = [];
  const queueTo = (list: unknown[]) =>
    crashing({ send: async (messages: readonly unknown[]) => void list.push(...messages) }, count, crash);
  const common = { access, store, clustersQueue: queueTo(clusters), telemetry: silent, now: () => NOW };
  const request = {
    accounts: { kind: "static", accounts: [PAYMENTS] } as const,
    regions: [],
    aggregator: null,
    ownerTags: ["team"],
  };
  const resolve = {
    ownership: { teamTags: ["team"], environmentTags: ["environment"], mapping: [] },
    published: createEksPublished(),
    privateEndpoints: false,
    extraHosts: [],
    kubernetesIdentity: "member",
  } as const;

  /** What crashed is delivered again: the schedule retries, messages stay in their queue. */
  async function again(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Crashed)) throw error;
      await work();
    }
  }

  const planning = { ...common, accountsQueue: queueTo(accounts), request };
  await again(() => planRun({ scheduledTime: NOW.toISOString() }, planning));
  for (const message of accounts)
    await again(() => enumerateMessage(message, { last: false }, { ...common, regions: [] }));
  for (const message of clusters) {
    const options = { ...common, resolve, timeoutMs: 5_000, logs: 0, maxAuditAgeHours: 36 };
    await again(() => auditMessage(message, { last: false }, options));
  }
  return { store: plain, accounts, clusters, calls: () => count.calls };
}

/** The end state: the run, and every cluster's audits. */
async function stateOf({ store }: World): Promise<unknown> {
  const audits = await Array.fromAsync(store.latestAll());
  const histories = await Promise.all(audits.map(({ id }) => store.history(id, { limit: 10 })));
  return { run: await store.run(RUN), audits, histories: histories.map((history) => history.length) };
}

describe("a run that is interrupted", () => {
  let access: AwsAccess;

  beforeEach(async () => {
    ({ access } = await accessTo(smallOrganization(), { externalId: "secret-id" }));
  });

  it("ends as if it had not been, whichever write it was interrupted at, before or after", async () => {
    const whole = await runWith(access, null);
    const expected = await stateOf(whole);
    expect(expected).toMatchObject({ run: { pending: [], failed: [] }, histories: [1, 1, 1] });
    expect(whole.calls()).toBeGreaterThan(25);
    for (let at = 1; at <= whole.calls(); at += 1) {
      for (const when of ["before", "after"] as const) {
        const world = await runWith(access, { at, when });
        expect(await stateOf(world), `interrupted ${when} call ${at}`).toEqual(expected);
        await world.store.close();
      }
    }
    await whole.store.close();
  }, 120_000);
});
