import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FakeFleet } from "../fakes/aws/fleet.ts";
import { HUB } from "../fakes/aws/organization.ts";
import { hubCredentials, startAwsServer } from "../fakes/aws-server.ts";

describe("the bundled command line, with AWS", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "proxy-audit-bundle-"));
    const built = spawnSync(process.execPath, ["scripts/bundle.ts", "--outdir", folder], {
      encoding: "utf8",
    });
    if (built.status !== 0) throw new Error(built.stderr);
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true }));

  /** Without blocking this process, which serves AWS. */
  function run(argv: readonly string[], env: Record<string, string>) {
    const child = spawn(process.execPath, [join(folder, "proxy-audit.js"), ...argv], { env });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (text) => {
      stdout += String(text);
    });
    child.stderr.on("data", (text) => {
      stderr += String(text);
    });
    return new Promise<{ exitCode: number | null; stdout: string; stderr: string }>((resolve) => {
      child.once("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
    });
  }

  // Regression: packages that are imported when wanted lost their names in chunks ("s is not a function").
  it("signs in, and finds the clusters of the caller's account", async () => {
    const clusters = [{ name: "vault", version: "1.34", private: true }];
    const fleet: FakeFleet = { hub: HUB, accounts: [{ id: HUB, regions: { "eu-west-1": { clusters } } }] };
    const aws = await startAwsServer(fleet);
    const { accessKeyId, secretAccessKey } = hubCredentials(fleet);
    const env = {
      AWS_ENDPOINT_URL: aws.url,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_REGION: "eu-west-1",
    };
    const ran = await run(["scan", "--aws", "--store", "none", "--output", "ndjson"], env);
    await aws.close();
    expect(ran.stderr).toContain("vault was not reached");
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: `eks:${HUB}/eu-west-1/vault`, reachable: false });
    expect(ran.exitCode).toBe(4);
  });

  it("runs post, which says what is missing outside of a cluster", async () => {
    const ran = await run(["post", "--url", "https://a.lambda-url.eu-west-1.on.aws/", "--name", "x"], {});
    expect(ran).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("KUBERNETES_SERVICE_HOST is not set"),
    });
  });
});
