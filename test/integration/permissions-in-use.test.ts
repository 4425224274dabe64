import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MEMBER_ACTIONS } from "#src/aws/read-only-actions.ts";
import { lambdaContext, runConsumers } from "../fakes/lambda.ts";
import { urlEvent } from "../http-api/events.ts";
import { statementsOf } from "../infra/packaged.ts";
import { resourcesIn } from "../infra/template-roles.ts";
import { audit } from "../model/audits.ts";
import { type Backend, localBackend } from "./fleet-backends.ts";
import { HUB, PAYMENTS, SEARCH } from "./fleet-organization.ts";
import { type FleetWorld, startFleetWorld } from "./fleet-world.ts";

/** What a function's role allows of DynamoDB, as operations. */
function allowed(role: string): string[] {
  const resource = resourcesIn("infra/service/roles.yml")[role];
  return (resource === undefined ? [] : statementsOf(resource))
    .flatMap(({ Action }) => Action)
    .flatMap((action) => (action.startsWith("dynamodb:") ? [action.slice("dynamodb:".length)] : []))
    .toSorted();
}

describe("the permissions of the functions", () => {
  let world: FleetWorld;
  let backend: Backend;

  beforeEach(async () => {
    world = await startFleetWorld(localBackend);
    ({ backend } = world);
    backend.operations();
  });
  afterEach(() => world.close());

  function expectAllowed(role: string, atLeast: readonly string[]): void {
    const used = backend.operations();
    expect({ role, beyond: used.filter((operation) => !allowed(role).includes(operation)) }).toEqual({
      role,
      beyond: [],
    });
    expect(used).toEqual(expect.arrayContaining([...atLeast]));
  }

  it("cover what each function asks of the table, and of the accounts exactly what it asks", async () => {
    const { handler: discover } = await import("../../functions/discover.ts");
    const { handler: enumerate } = await import("../../functions/enumerate.ts");
    const { handler: auditClusters } = await import("../../functions/audit.ts");
    const { handler: closeRun } = await import("../../functions/close-run.ts");
    const { handler: gate } = await import("../../functions/gate.ts");
    const { handler: ingest } = await import("../../functions/ingest.ts");

    await discover({}, lambdaContext("discover"));
    expectAllowed("DiscoverRole", ["PutItem", "Query"]);
    const accounts = { queueUrl: backend.queueUrl("accounts"), handler: enumerate, batchSize: 1 };
    await runConsumers(backend.sqs, [accounts]);
    expectAllowed("EnumerateRole", ["GetItem", "PutItem", "UpdateItem"]);
    const clusters = { queueUrl: backend.queueUrl("clusters"), handler: auditClusters, batchSize: 4 };
    await runConsumers(backend.sqs, [clusters]);
    expectAllowed("AuditRole", ["GetItem", "PutItem", "UpdateItem"]);
    await closeRun({}, lambdaContext("close-run"));
    expectAllowed("CloseRunRole", ["BatchGetItem", "PutItem", "Query", "UpdateItem"]);
    expect(await gate(urlEvent({ query: { all: "true", to: "1.40" } }), lambdaContext("gate"))).toMatchObject(
      {
        statusCode: 200,
      },
    );
    expectAllowed("GateRole", ["BatchGetItem", "Query"]);
    const posted = audit({ id: `eks:${PAYMENTS}/eu-west-1/vault`, auditedAt: new Date().toISOString() });
    const event = urlEvent({ method: "POST", body: { schemaVersion: 1, audit: posted } });
    expect(await ingest(event, lambdaContext("ingest"))).toMatchObject({ statusCode: 200 });
    expectAllowed("IngestRole", ["GetItem", "PutItem"]);

    const asked = world.aws.calls
      .filter(({ account, service }) => [PAYMENTS, SEARCH].includes(account) && service !== "sts")
      .map(({ service, operation }) => `${service}:${operation}`);
    // EC2 too: ListRegions is answered in us-east-1, which is closed to one of the accounts.
    expect([...new Set(asked)].toSorted()).toEqual([...MEMBER_ACTIONS].toSorted());
    expect(world.aws.calls.filter(({ account, service }) => account === HUB && service === "eks")).toEqual(
      [],
    );
  }, 120_000);

  it("leave what a private cluster has posted from inside as it is, when nobody can look in", async () => {
    const id = `eks:${PAYMENTS}/eu-west-1/vault`;
    const { handler: ingest } = await import("../../functions/ingest.ts");
    const posted = audit({ id, name: "vault", auditedAt: new Date(Date.now() - 3_600_000).toISOString() });
    const event = urlEvent({ method: "POST", body: { schemaVersion: 1, audit: posted } });
    await ingest(event, lambdaContext("ingest"));
    const { handler } = await import("../../functions/audit.ts");
    const body = JSON.stringify({
      kind: "cluster",
      runId: "r",
      account: PAYMENTS,
      region: "eu-west-1",
      name: "vault",
      accountTags: {},
    });
    const record = { messageId: "m", body, attributes: { ApproximateReceiveCount: "1" } };
    await world.store.startRun("r", new Date().toISOString());
    await handler({ Records: [record] }, lambdaContext("audit"));
    expect(await world.store.latest(id)).toMatchObject({ auditedAt: posted.auditedAt, reachable: true });
    expect(await world.store.run("r")).toMatchObject({ done: [id], partial: [] });
  });
});
