import { describe, expect, it } from "vitest";
import { redacted, redactingReplacer } from "#src/model/redact.ts";

describe("what goes into a log", () => {
  it.each([
    ["a cluster's token", "401 for k8s-aws-v1.aHR0cHM6Ly9zdHM_-x", "401 for k8s-aws-v1.[redacted]"],
    ["a header", "Authorization: Bearer eyJhb.GciOi-J_x", "Authorization: [redacted]"],
    ["a bearer token", "with Bearer eyJhb.GciOi-J_x sent", "with Bearer [redacted] sent"],
    ["a basic header", 'authorization: "Basic dXNlcjpw"', 'authorization: "[redacted]"'],
    ["Slack's tokens", "xoxb-1-2-abc and xapp-1-A", "xoxb-[redacted] and xapp-[redacted]"],
    [
      "Slack's answer address",
      "POST https://hooks.slack.com/commands/T1/2/x failed",
      "POST https://hooks.slack.com/[redacted] failed",
    ],
    [
      "a presigned URL",
      "GET https://sts/?X-Amz-Credential=AKIA/x&X-Amz-Signature=abc&X-Amz-Security-Token=t%2B",
      "GET https://sts/?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]&X-Amz-Security-Token=[redacted]",
    ],
    [
      "nothing secret",
      "AccessDenied: AssumeRole arn:aws:iam::1:role/x",
      "AccessDenied: AssumeRole arn:aws:iam::1:role/x",
    ],
  ])("holds nothing of %s that could be used", (_name, text, expected) => {
    expect(redacted(text)).toBe(expected);
  });

  it("holds no value under a telling key, however deep", () => {
    const value = { a: { token: "t", Authorization: ["x"], note: "xoxb-1" }, externalId: null };
    expect(JSON.parse(JSON.stringify(value, redactingReplacer))).toEqual({
      a: { token: "[redacted]", Authorization: "[redacted]", note: "xoxb-[redacted]" },
      externalId: null,
    });
  });
});
