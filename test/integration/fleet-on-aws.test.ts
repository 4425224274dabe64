import { createHash } from "node:crypto";
import { ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RunSummary } from "#src/fleet-run/summary.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { Run } from "#src/store/records.ts";
import type { FindingStore } from "#src/store/store.ts";
import type { AwsServer } from "../fakes/aws-server.ts";
import { type Consumer, lambdaContext, runConsumers } from "../fakes/lambda.ts";
import { motoMissing } from "../fakes/moto.ts";
import { type Backend, localBackend, motoBackend } from "./fleet-backends.ts";
import { HUB, LOCKED, PAYMENTS, SEARCH, type ServedFleet } from "./fleet-organization.ts";
import { type FleetWorld, startFleetWorld } from "./fleet-world.ts";

const missing = motoMissing();
if (missing !== null) process.stderr.write(`skipped on moto: ${missing}\n`);

function digestOf(body: unknown): string {
  return createHash("sha256")
    .update(body instanceof Uint8Array ? body : JSON.stringify(body))
    .digest("hex");
}
const SCHEDULED = { scheduledTime: new Date().toISOString() };
const RUN = SCHEDULED.scheduledTime.slice(0, 10);

describe.each([
  ["DynamoDB by dynalite, SQS by a local server", localBackend, null],
  ["DynamoDB and SQS by moto", motoBackend, missing],
] as const)("a fleet on AWS, with %s", (_name, startBackend, cannot) => {
  let world: FleetWorld | undefined;
  let aws: AwsServer;
  let served: ServedFleet;
  let backend: Backend;
  let store: FindingStore;

  beforeEach(async (context) => {
    context.skip(cannot !== null);
    world = await startFleetWorld(startBackend);
    ({ aws, served, backend, store } = world);
  });

  afterEach(() => world?.close());

  async function functions() {
    const [discover, enumerate, audit, closeRun] = await Promise.all([
      import("../../functions/discover.ts"),
      import("../../functions/enumerate.ts"),
      import("../../functions/audit.ts"),
      import("../../functions/close-run.ts"),
    ]);
    return { discover, enumerate, audit, closeRun };
  }

  async function consumers(fate?: Consumer["fate"]): Promise<Consumer[]> {
    const { enumerate, audit } = await functions();
    const common = fate === undefined ? {} : { fate };
    return [
      { queueUrl: backend.queueUrl("accounts"), handler: enumerate.handler, batchSize: 1, ...common },
      { queueUrl: backend.queueUrl("clusters"), handler: audit.handler, batchSize: 4, ...common },
    ];
  }

  async function plan(): Promise<unknown> {
    const { discover } = await functions();
    return discover.handler(SCHEDULED, lambdaContext("discover"));
  }

  async function close(): Promise<RunSummary[]> {
    const { closeRun } = await functions();
    return closeRun.handler({}, lambdaContext("close-run"));
  }

  async function theRun(): Promise<Run> {
    const run = await store.run(RUN);
    if (run === undefined) throw new Error(`there is no run ${RUN}`);
    return run;
  }

  async function deadLetters(): Promise<{ body: string; reason: string | undefined }[]> {
    const answer = await backend.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: backend.queueUrl("dead-letters"),
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ["All"],
      }),
    );
    return (answer.Messages ?? []).map(({ Body = "", MessageAttributes }) => ({
      body: Body,
      reason: MessageAttributes?.reason?.StringValue,
    }));
  }

  const cluster = (account: string, region: string, name: string) => `eks:${account}/${region}/${name}`;
  const audited = [
    cluster(PAYMENTS, "eu-west-1", "busy"),
    cluster(PAYMENTS, "eu-west-1", "data"),
    cluster(PAYMENTS, "eu-west-1", "shop"),
    cluster(PAYMENTS, "eu-west-1", "web"),
    cluster(PAYMENTS, "us-east-1", "auto"),
    cluster(PAYMENTS, "us-east-1", "edge"),
    cluster(SEARCH, "eu-west-1", "plain"),
  ];

  async function expectEveryEnding(): Promise<void> {
    expect(await theRun()).toEqual({
      id: RUN,
      startedAt: expect.any(String),
      closedAt: null,
      pending: [],
      done: [
        PAYMENTS,
        `${PAYMENTS}/eu-west-1`,
        `${PAYMENTS}/us-east-1`,
        SEARCH,
        `${SEARCH}/eu-west-1`,
        ...audited,
      ],
      partial: [
        {
          clusterId: cluster(PAYMENTS, "eu-west-1", "vault"),
          reason: expect.stringContaining("private endpoint"),
        },
        {
          clusterId: cluster(SEARCH, "eu-west-1", "lost"),
          reason: expect.stringContaining("127.0.0.1"),
        },
      ],
      skipped: [
        {
          clusterId: `${SEARCH}/us-east-1`,
          reason: expect.stringContaining("service control policy"),
        },
        {
          clusterId: cluster(PAYMENTS, "eu-west-1", "gone"),
          reason: expect.stringContaining("deleted since it was listed"),
        },
      ],
      failed: [{ clusterId: LOCKED, reason: expect.stringContaining("AssumeRole") }],
    });
  }

  it("ends every cluster as audited, partial, skipped or failed, with a reason, and the counts add up", async () => {
    aws.setFaults([{ operation: "DescribeCluster", cluster: "busy", kind: "throttle", times: 6 }]);
    expect(await plan()).toEqual({ runId: RUN, accounts: 3, clusters: 0, alreadyClosed: false });
    await runConsumers(backend.sqs, await consumers());
    await expectEveryEnding();
    expect(await deadLetters()).toEqual([]);

    const audits: ClusterAudit[] = await Array.fromAsync(store.latestAll());
    expect(audits.map(({ name, reachable, team }) => [name, reachable, team])).toEqual([
      ["busy", true, "payments"],
      ["data", true, "data"],
      ["shop", true, "payments"],
      ["vault", false, "payments"],
      ["web", true, "payments"],
      ["auto", true, "data"],
      ["edge", true, "payments"],
      ["lost", false, "payments"],
      ["plain", true, "payments"],
    ]);
    const vault = audits.find(({ name }) => name === "vault");
    expect({ mode: vault?.dataPlane.mode, version: vault?.kubernetesVersion }).toEqual({
      mode: "ipvs",
      version: "1.34",
    });
    expect([...served.servers.values()].map((server) => server.writesRefused())).toEqual(
      [...served.servers].map(() => 0),
    );

    const [summary] = await close();
    expect(summary).toMatchObject({
      id: RUN,
      state: "partial",
      accounts: { done: 2, partial: 0, skipped: 0, failed: 1, pending: 0 },
      regions: { done: 3, partial: 0, skipped: 1, failed: 0, pending: 0 },
      clusters: { done: 7, partial: 2, skipped: 1, failed: 0, pending: 0 },
    });
    expect(await close()).toEqual([]);
    expect(await store.rollups({ from: RUN, to: RUN })).toMatchObject([{ clusters: 9, notAudited: 2 }]);
    // A duplicate of the schedule's message, after the end.
    expect(await plan()).toMatchObject({ alreadyClosed: true });
  }, 180_000);

  it("is not changed by messages that come twice, at once or after the end", async () => {
    await plan();
    await plan();
    await runConsumers(backend.sqs, await consumers(() => "twice"));
    await expectEveryEnding();
    const before = await backend.items();

    await plan();
    const again = ["shop", "vault", "gone"].map((name) => ({
      kind: "cluster",
      runId: RUN,
      account: PAYMENTS,
      region: "eu-west-1",
      name,
      accountTags: {},
    }));
    for (const message of again) {
      const MessageBody = JSON.stringify(message);
      await backend.sqs.send(new SendMessageCommand({ QueueUrl: backend.queueUrl("clusters"), MessageBody }));
    }
    await runConsumers(backend.sqs, await consumers());
    const after = await backend.items();
    // The account that failed is tried again: only the time of its failure is another.
    const still = (items: Record<string, unknown>[]) =>
      items
        .filter(({ clusterId }) => clusterId !== LOCKED)
        .map((item) => ({ ...item, body: item.body === undefined ? null : digestOf(item.body) }));
    expect(still(after)).toEqual(still(before));
    await expectEveryEnding();
    const history = await store.history(cluster(PAYMENTS, "eu-west-1", "shop"), { limit: 10 });
    expect(history).toHaveLength(1);
  }, 180_000);

  it("loses nothing when functions die in the middle", async () => {
    await plan();
    await runConsumers(
      backend.sqs,
      await consumers((invocation) => (invocation % 3 === 0 ? "dies" : "once")),
    );
    await expectEveryEnding();
  }, 180_000);

  it("gives up on what cannot be done, with the reason in the dead-letter queue", async () => {
    vi.stubEnv("PROXY_AUDIT_ACCOUNTS", PAYMENTS);
    vi.stubEnv("PROXY_AUDIT_REGIONS", "us-east-1");
    aws.setFaults([{ operation: "ListClusters", region: "us-east-1", kind: "error" }]);
    await plan();
    const url = backend.queueUrl("clusters");
    await backend.sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: "not ours" }));
    await backend.sqs.send(
      new SendMessageCommand({ QueueUrl: url, MessageBody: '{"kind":"cluster","runId":"x"}' }),
    );
    await runConsumers(backend.sqs, await consumers());
    expect((await deadLetters()).toSorted((a, b) => (a.body < b.body ? 1 : -1))).toEqual(
      [
        {
          body: '{"kind":"cluster","runId":"x"}',
          reason: expect.stringMatching(/^not a message of this queue: .*\(account\)$/),
        },
        { body: "not ours", reason: "the message is not JSON" },
      ].toSorted((a, b) => (a.body < b.body ? 1 : -1)),
    );
    expect((await theRun()).failed).toEqual([
      { clusterId: `${PAYMENTS}/us-east-1`, reason: expect.stringContaining("ListClusters") },
    ]);
    const [summary] = await close();
    expect(summary?.state).toBe("partial");
  }, 180_000);

  it(`knows that ${HUB} is the hub and reads no other account with its own rights`, async () => {
    await plan();
    await runConsumers(backend.sqs, await consumers());
    const asHub = aws.calls.filter(({ account, service }) => account === HUB && service === "eks");
    expect(asHub).toEqual([]);
  }, 180_000);
});
