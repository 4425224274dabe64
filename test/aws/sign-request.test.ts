import { describe, expect, it } from "vitest";
import { signedHeaders } from "#src/aws/sign-request.ts";

const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };

describe("a signed request", () => {
  // Recorded from botocore's SigV4Auth for the same request, time and credentials.
  it.each([
    [
      "long-lived keys",
      keys,
      "SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, Signature=e9be35ceb2210bcfd79043fe8981f0b0683b2897294452028ecb14b822a2fca8",
    ],
    [
      "a session",
      { ...keys, sessionToken: "session/+=token" },
      "SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=65a7c976adee28462e191b0acb32d072fd3ce347b68e5b159d4decde7947c3a1",
    ],
  ])("is signed as botocore signs it, with %s", (_name, credentials, signature) => {
    const headers = signedHeaders({
      method: "POST",
      url: new URL("https://abc123.lambda-url.eu-west-1.on.aws/"),
      body: '{"schemaVersion":1,"name":"ä"}',
      region: "eu-west-1",
      service: "lambda",
      credentials,
      now: new Date("2027-03-01T09:00:00.123Z"),
    });
    expect(headers["x-amz-date"]).toBe("20270301T090000Z");
    expect(headers.authorization).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20270301/eu-west-1/lambda/aws4_request, ${signature}`,
    );
    expect(headers).not.toHaveProperty("host");
  });
});
