import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { auditCluster } from "#src/audit/audit-cluster.ts";
import { signedHeaders } from "#src/aws/sign-request.ts";
import type { ApiServer } from "#src/demo/api-server/options.ts";
import { startApiServer } from "#src/demo/api-server/start-api-server.ts";
import { readDemoFleet } from "#src/demo/fleet-folder.ts";
import { answerPost } from "#src/http-api/post-audit.ts";
import { sendAudit } from "#src/http-api/send-audit.ts";
import { openInCluster } from "#src/inventory/in-cluster.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";
import type { FindingStore } from "#src/store/store.ts";
import { cli } from "../e2e/run-cli.ts";
import { ACCOUNT, urlEvent } from "./events.ts";

const KEYS = { accessKeyId: "AKIAPOST", secretAccessKey: "secret" };

/** The ingest function's URL: lets in what is signed with the poster's key, as AWS_IAM does. */
async function startIngest(store: FindingStore): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const signedAt = String(request.headers["x-amz-date"]);
    const now = new Date(signedAt.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
    const expected = signedHeaders({
      method: "POST",
      url,
      body,
      region: "us-east-1",
      service: "lambda",
      credentials: KEYS,
      now,
    });
    if (request.headers.authorization !== expected.authorization) {
      response.writeHead(403).end('{"Message":"Forbidden"}');
      return;
    }
    const answer = await answerPost(urlEvent({ method: "POST", body }), {
      store,
      postingRole: "proxy-audit-post",
      now,
    });
    response.writeHead(answer.statusCode, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

describe("an audit from inside a cluster", () => {
  let store: FindingStore;
  let server: ApiServer;
  let ingest: { url: string; close(): void };
  let folder: string;

  beforeEach(async () => {
    const [cluster] = readDemoFleet().filter(({ name }) => name === "payments-prod-eu");
    store = await openSqliteStore(":memory:");
    server = await startApiServer({
      objects: cluster?.objects ?? [],
      version: { gitVersion: cluster?.gitVersion ?? "" },
      users: { "pod-token": { name: "proxy-audit", rules: "all" } },
      anonymous: "none",
    });
    ingest = await startIngest(store);
    folder = mkdtempSync(join(tmpdir(), "proxy-audit-pod-"));
    writeFileSync(join(folder, "ca.crt"), server.ca);
    writeFileSync(join(folder, "token"), "pod-token\n");
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
    ingest.close();
    await server.close();
    await store.close();
  });

  const pod = () => ({
    KUBERNETES_SERVICE_HOST: "127.0.0.1",
    KUBERNETES_SERVICE_PORT: String(server.port),
  });

  async function auditHere() {
    return auditCluster(
      {
        id: "in-cluster:onprem",
        name: "onprem",
        account: null,
        region: null,
        team: "payments",
        environment: null,
        answers: [],
        open: (limits = {}) => openInCluster(pod(), { limits, folder }),
      },
      { now: new Date(), logs: 0 },
    );
  }

  it("is made with the pod's own identity, signed, and kept under the account that posted it", async () => {
    const audit = await auditHere();
    expect(audit).toMatchObject({ reachable: true, dataPlane: { mode: "ipvs" } });
    const sent = await sendAudit(audit, { url: new URL(ingest.url), credentials: KEYS, now: new Date() });
    const id = `posted:${ACCOUNT}/onprem`;
    expect(sent).toEqual({ id, kept: "latest" });
    expect(await store.latest(id)).toMatchObject({ id, team: "payments", dataPlane: { mode: "ipvs" } });
    expect(server.writesRefused()).toBe(0);
  });

  it("that another key has signed is not taken, and says what to check", async () => {
    const credentials = { ...KEYS, secretAccessKey: "another" };
    const sending = sendAudit(await auditHere(), { url: new URL(ingest.url), credentials, now: new Date() });
    await expect(sending).rejects.toMatchObject({
      code: "aws",
      message: expect.stringMatching(/did not take the audit \(HTTP 403\): check the URL, the role's/),
    });
  });

  it.each([
    ["http://abc.lambda-url.eu-west-1.on.aws/", "usage"],
    ["https://evil.example/", "usage"],
    ["https://abc.lambda-url.eu-west-1.on.aws.evil.example/", "usage"],
  ])("is not signed for %s", async (url, code) => {
    const sending = sendAudit(await auditHere(), { url: new URL(url), credentials: KEYS, now: new Date() });
    await expect(sending).rejects.toMatchObject({ code });
  });

  it("cannot be made outside of a cluster", async () => {
    const run = await cli(["post", "--url", "https://a.lambda-url.eu-west-1.on.aws/", "--name", "x"]);
    expect(run).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "proxy-audit: KUBERNETES_SERVICE_HOST is not set: this command runs in a pod of the cluster that it audits.\n",
    });
  });

  it("without a ServiceAccount's token says so", async () => {
    rmSync(join(folder, "token"));
    await expect(openInCluster(pod(), { folder })).rejects.toThrow(/the pod has no ServiceAccount token/);
  });
});
