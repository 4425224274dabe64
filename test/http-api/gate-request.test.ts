import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerGate } from "#src/http-api/gate-request.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";
import type { FindingStore } from "#src/store/store.ts";
import { audit, finding } from "../model/audits.ts";
import { bodyOf, urlEvent } from "./events.ts";

const NOW = new Date("2027-03-01T10:00:00Z");
const AT = "2027-03-01T09:00:00Z";
const PAYMENTS = "eks:111111111111/eu-west-1/payments";
const SEARCH = "eks:111111111111/eu-west-1/search";

describe("the gate over HTTPS", () => {
  let store: FindingStore;

  beforeEach(async () => {
    store = await openSqliteStore(":memory:");
    const blocker = {
      ...finding("proxy-mode", "warning"),
      blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" } as const,
    };
    await store.putAudit(
      audit({ id: PAYMENTS, name: "payments", team: "pay", auditedAt: AT, findings: [blocker] }),
    );
    await store.putAudit(audit({ id: SEARCH, name: "search", team: "find", auditedAt: AT }));
  });
  afterEach(() => store.close());

  const ask = (event: unknown, now = NOW) => answerGate(event, { store, maxAuditAgeHours: 36, now });

  it.each([
    ["blocked", { cluster: PAYMENTS, to: "1.40" }, "blocked", 2, 1],
    ["blocked by a name", { cluster: "payments", to: "v1.40.2" }, "blocked", 2, 1],
    ["the worst of all", { all: "true", to: "1.40" }, "blocked", 2, 2],
    ["a team's", { team: "find", to: "1.40" }, "clear", 0, 1],
  ])("answers %s with the exit code", async (_name, query, worst, exitCode, clusters) => {
    const answer = await ask(urlEvent({ query }));
    expect(answer.statusCode).toBe(200);
    const body = bodyOf(answer) as { clusters: unknown[] };
    expect(body).toMatchObject({ schemaVersion: 1, target: "1.40", worst, exitCode });
    expect(body.clusters).toHaveLength(clusters);
  });

  it("is incomplete once audits are stale", async () => {
    const later = new Date("2027-03-03T10:00:00Z");
    const answer = await ask(urlEvent({ query: { cluster: SEARCH, to: "1.40" } }), later);
    expect(bodyOf(answer)).toMatchObject({ worst: "incomplete", exitCode: 3 });
  });

  it.each([
    ["no signature", { requestContext: { http: { method: "GET" } } }, 403, "forbidden"],
    ["another method", urlEvent({ method: "POST", query: { cluster: SEARCH, to: "1.40" } }), 400, "usage"],
    ["no target", urlEvent({ query: { cluster: SEARCH } }), 400, "usage"],
    ["no version for a target", urlEvent({ query: { cluster: SEARCH, to: "latest" } }), 400, "usage"],
    ["a target that is reached", urlEvent({ query: { cluster: SEARCH, to: "1.35" } }), 400, "usage"],
    ["no cluster", urlEvent({ query: { to: "1.40" } }), 400, "usage"],
    [
      "a cluster and a team",
      urlEvent({ query: { cluster: SEARCH, team: "find", to: "1.40" } }),
      400,
      "usage",
    ],
    ["a misspelt parameter", urlEvent({ query: { clustre: SEARCH, to: "1.40" } }), 400, "usage"],
    ["an unknown cluster", urlEvent({ query: { cluster: "paymnets", to: "1.40" } }), 404, "not-found"],
    ["an unknown team", urlEvent({ query: { team: "nobody", to: "1.40" } }), 404, "not-found"],
  ])("fails closed for %s", async (_name, event, statusCode, code) => {
    const answer = await ask(event);
    expect({ statusCode: answer.statusCode, body: bodyOf(answer) }).toEqual({
      statusCode,
      body: { error: { code, message: expect.any(String) } },
    });
  });

  it("says nothing of what went wrong inside", async () => {
    const broken = { ...store, latest: () => Promise.reject(new Error("secret stack")) };
    const answer = await answerGate(urlEvent({ query: { cluster: SEARCH, to: "1.40" } }), {
      store: broken,
      maxAuditAgeHours: 36,
      now: NOW,
    });
    expect(answer).toMatchObject({ statusCode: 500, body: expect.not.stringContaining("secret") });
  });
});
