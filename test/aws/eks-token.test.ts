import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eksToken } from "#src/aws/eks-token.ts";

const recorded = z
  .object({
    tokens: z.array(
      z.object({
        region: z.string(),
        clusterName: z.string(),
        accessKeyId: z.string(),
        secretAccessKey: z.string(),
        sessionToken: z.string().nullable(),
        at: z.string(),
        token: z.string(),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync("test/fixtures/eks-tokens/tokens.json", "utf8")));

const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret" };
const now = new Date("2026-11-30T10:20:30.987Z");

describe("a token for an EKS cluster", () => {
  it.each(recorded.tokens)("is, byte for byte, the AWS CLI's: $region $clusterName $at", (vector) => {
    const made = eksToken({
      clusterName: vector.clusterName,
      region: vector.region,
      credentials: {
        accessKeyId: vector.accessKeyId,
        secretAccessKey: vector.secretAccessKey,
        ...(vector.sessionToken === null ? {} : { sessionToken: vector.sessionToken }),
      },
      now: new Date(vector.at),
    });
    expect(made?.token).toBe(vector.token);
  });

  it("was recorded for the commercial, China and GovCloud partitions, with and without a session", () => {
    const kinds = recorded.tokens.map(({ region, sessionToken }) => {
      const partition = region.startsWith("cn-") ? "cn" : region.startsWith("us-gov-") ? "gov" : "other";
      return `${partition} ${sessionToken === null ? "key" : "session"}`;
    });
    expect(new Set(kinds)).toEqual(
      new Set(["cn key", "cn session", "gov key", "gov session", "other key", "other session"]),
    );
  });

  it.each([
    ["long-lived keys", undefined, "2026-11-30T10:34:30.987Z"],
    ["a session that outlives it", "2026-11-30T12:00:00.000Z", "2026-11-30T10:34:30.987Z"],
    ["a session that ends before it", "2026-11-30T10:25:00.000Z", "2026-11-30T10:25:00.000Z"],
  ])("is used for 14 minutes, or until its session ends: %s", (_name, expiration, expected) => {
    const ends = expiration === undefined ? {} : { expiration: new Date(expiration) };
    const made = eksToken({
      clusterName: "payments",
      region: "eu-west-1",
      credentials: { ...credentials, ...ends },
      now,
    });
    expect(made?.expiresAt.toISOString()).toBe(expected);
  });

  it("is good for one cluster only: its name is signed", () => {
    const of = (clusterName: string) =>
      eksToken({ clusterName, region: "eu-west-1", credentials, now })?.token;
    expect(of("payments")).not.toBe(of("search"));
  });

  it.each(["", "mars", "eu-west-1.evil.example", "EU-WEST-1", "eu-west-1/"])(
    "is not made for a Region that no partition has: %j",
    (region) => {
      expect(eksToken({ clusterName: "payments", region, credentials, now })).toBeNull();
    },
  );
});
