import { onTestFinished, vi } from "vitest";
import { type AwsAccess, openAwsAccess } from "#src/aws/access.ts";
import type { AwsInventoryRequest } from "#src/inventory/aws/from-aws.ts";
import type { FakeFleet } from "../../fakes/aws/fleet.ts";
import { type AwsServer, hubCredentials, startAwsServer } from "../../fakes/aws-server.ts";

export const NOW = new Date("2026-11-30T10:20:30.000Z");

/** The caller's access to a fake AWS, both ended with the test. */
export async function accessTo(
  fleet: FakeFleet,
  settings: { externalId?: string; requestTimeoutMs?: number; maxAttempts?: number } = {},
): Promise<{ access: AwsAccess; aws: AwsServer }> {
  const aws = await startAwsServer(fleet, { now: () => NOW });
  vi.stubEnv("AWS_ENDPOINT_URL", aws.url);
  const opened = await openAwsAccess({
    credentials: async () => hubCredentials(fleet),
    region: "eu-west-1",
    roleIn: () => ({
      name: "proxy-audit-read",
      externalId: settings.externalId ?? null,
      sessionName: "proxy-audit",
    }),
    clients: {
      maxAttempts: settings.maxAttempts ?? 2,
      requestTimeoutMs: settings.requestTimeoutMs ?? 5_000,
    },
    now: () => NOW,
  });
  if (!opened.ok) throw new Error(opened.detail);
  const access = opened.value;
  onTestFinished(async () => {
    access.close();
    vi.unstubAllEnvs();
    await aws.close();
  });
  return { access, aws };
}

export const REQUEST: AwsInventoryRequest = {
  accounts: { kind: "organization", units: [], exclude: [], tags: true },
  regions: [],
  aggregator: null,
  ownership: { teamTags: ["team"], environmentTags: ["environment"], mapping: [] },
  privateEndpoints: false,
  extraHosts: [],
  kubernetesIdentity: "member",
};
