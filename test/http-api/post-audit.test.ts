import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerPost } from "#src/http-api/post-audit.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";
import type { FindingStore } from "#src/store/store.ts";
import { audit } from "../model/audits.ts";
import { ACCOUNT, bodyOf, urlEvent } from "./events.ts";

const NOW = new Date("2027-03-01T10:00:00Z");
const POSTED = "2027-03-01T09:59:00Z";
const ID = `eks:${ACCOUNT}/eu-west-1/vault`;
const POSTER = `arn:aws:sts::${ACCOUNT}:assumed-role/proxy-audit-post/session`;

describe("an audit that a cluster posts", () => {
  let store: FindingStore;
  beforeEach(async () => {
    store = await openSqliteStore(":memory:");
  });
  afterEach(() => store.close());

  const post = (request: Parameters<typeof urlEvent>[0]) =>
    answerPost(urlEvent({ method: "POST", ...request }), {
      store,
      postingRole: "proxy-audit-post",
      now: NOW,
    });
  const posting = (fields: Partial<Parameters<typeof audit>[0]> = {}) => ({
    schemaVersion: 1,
    audit: audit({ id: ID, auditedAt: POSTED, ...fields }),
  });

  it("is stored with who posted it, with verdicts of our own, and once", async () => {
    const lie = {
      name: "another",
      account: "222222222222",
      region: "x",
      postedBy: "nobody",
      verdicts: {},
    };
    const answer = await post({ body: posting(lie), base64: true });
    expect(answer.statusCode).toBe(200);
    expect(bodyOf(answer)).toEqual({ id: ID, auditedAt: POSTED, kept: "latest" });
    const stored = await store.latest(ID);
    expect(stored).toMatchObject({
      id: ID,
      name: "vault",
      account: ACCOUNT,
      region: "eu-west-1",
      postedBy: POSTER,
    });
    expect(Object.keys(stored?.verdicts ?? {})).toEqual(["1.36", "1.40", "1.43"]);
    expect(bodyOf(await post({ body: posting() }))).toMatchObject({ kept: "duplicate" });
  });

  it("of a cluster that is not EKS's gets an id that names the poster's account", async () => {
    const answer = await post({ body: posting({ id: "in-cluster:onprem", name: "onprem" }) });
    expect(bodyOf(answer)).toMatchObject({ id: `posted:${ACCOUNT}/onprem` });
  });

  it.each([
    ["another role", { role: "admin", body: posting() }, 403, "forbidden"],
    ["a cluster of another account", { account: "222222222222", body: posting() }, 403, "forbidden"],
    ["another method", { method: "PUT", body: posting() }, 400, "usage"],
    ["no body", {}, 400, "usage"],
    ["a body that is not JSON", { body: "<html>" }, 400, "usage"],
    ["something else", { body: { schemaVersion: 1, audit: { id: ID } } }, 400, "usage"],
    ["another schema", { body: { ...posting(), schemaVersion: 2 } }, 400, "usage"],
    ["an audit from the future", { body: posting({ auditedAt: "2027-03-01T11:00:00Z" }) }, 400, "usage"],
    ["an old audit", { body: posting({ auditedAt: "2027-02-27T09:00:00Z" }) }, 400, "usage"],
    ["a time that is none", { body: posting({ auditedAt: "soon" }) }, 400, "usage"],
  ] as const)("is refused from %s", async (_name, request, statusCode, code) => {
    const answer = await post(request);
    expect({ statusCode: answer.statusCode, body: bodyOf(answer) }).toEqual({
      statusCode,
      body: { error: { code, message: expect.any(String) } },
    });
    expect(await store.latest(ID)).toBeUndefined();
  });
});
