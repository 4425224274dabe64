import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { textOf } from "#src/aws/named-text.ts";

const through = {
  region: "eu-west-1",
  credentials: async () => ({ accessKeyId: "AKIA", secretAccessKey: "secret" }),
};

/** SSM and Secrets Manager, which answer each name as told. */
async function serve(answers: Record<string, { status: number; body: unknown }>): Promise<unknown[]> {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", () => {
      const input = JSON.parse(text) as { Name?: string; SecretId?: string };
      asked.push([request.headers["x-amz-target"], input]);
      const answer = answers[input.Name ?? input.SecretId ?? ""] ?? { status: 500, body: {} };
      response.writeHead(answer.status, { "content-type": "application/x-amz-json-1.1" });
      response.end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("AWS_ENDPOINT_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  return asked;
}

describe("a text by its name", () => {
  it("is fetched from SSM decrypted, from Secrets Manager, or is the value itself", async () => {
    const asked = await serve({
      "/proxy-audit/x": { status: 200, body: { Parameter: { Name: "/proxy-audit/x", Value: "one" } } },
      "proxy-audit/y": { status: 200, body: { Name: "proxy-audit/y", SecretString: "two" } },
    });
    expect(await textOf({ from: "ssm", name: "/proxy-audit/x" }, through)).toBe("one");
    expect(await textOf({ from: "secrets-manager", name: "proxy-audit/y" }, through)).toBe("two");
    expect(await textOf({ from: "environment", value: "three" }, through)).toBe("three");
    expect(asked).toEqual([
      ["AmazonSSM.GetParameter", { Name: "/proxy-audit/x", WithDecryption: true }],
      ["secretsmanager.GetSecretValue", { SecretId: "proxy-audit/y" }],
    ]);
  });

  it.each([
    [
      "denied",
      { status: 400, body: { __type: "AccessDeniedException", message: "not authorized" } },
      "GetParameter /proxy-audit/x: AccessDeniedException: not authorized",
    ],
    [
      "missing",
      { status: 400, body: { __type: "ParameterNotFound", message: "" } },
      "GetParameter /proxy-audit/x: ParameterNotFound",
    ],
    [
      "empty",
      { status: 200, body: { Parameter: {} } },
      "GetParameter /proxy-audit/x: it is empty, or not text",
    ],
  ])("that is %s is told by its name", async (_name, answer, message) => {
    await serve({ "/proxy-audit/x": answer });
    await expect(textOf({ from: "ssm", name: "/proxy-audit/x" }, through)).rejects.toMatchObject({
      code: "invalid-configuration",
      message: expect.stringContaining(message),
    });
  });
});
