import { describe, expect, it } from "vitest";
import { awsFailureOf, mayPass } from "#src/aws/failure.ts";

function sdkError(name: string, message = "said", more: object = {}): Error {
  return Object.assign(new Error(message), { name, ...more });
}

describe("what a failure of AWS means", () => {
  it.each([
    ["AccessDeniedException", "forbidden"],
    ["AccessDenied", "forbidden"],
    ["UnauthorizedOperation", "forbidden"],
    ["UnrecognizedClientException", "unauthenticated"],
    ["InvalidClientTokenId", "unauthenticated"],
    ["ExpiredTokenException", "unauthenticated"],
    ["CredentialsProviderError", "unauthenticated"],
    ["ThrottlingException", "throttled"],
    ["TooManyRequestsException", "throttled"],
    ["RequestLimitExceeded", "throttled"],
    ["ResourceNotFoundException", "absent"],
    ["TimeoutError", "timeout"],
    ["InvalidParameterException", "invalid"],
    ["SomethingNew", "invalid"],
  ])("%s: %s", (name, why) => {
    expect(awsFailureOf(sdkError(name), "ListClusters")).toEqual({
      ok: false,
      why,
      detail: `ListClusters: ${name}: said`,
    });
  });

  it.each([
    ["a status of 503", sdkError("SomethingNew", "m", { $metadata: { httpStatusCode: 503 } }), "unreachable"],
    ["a status of 429", sdkError("SomethingNew", "m", { $metadata: { httpStatusCode: 429 } }), "throttled"],
    ["a status of 403", sdkError("SomethingNew", "m", { $metadata: { httpStatusCode: 403 } }), "forbidden"],
    ["a refused connection", sdkError("Error", "connect", { code: "ECONNREFUSED" }), "unreachable"],
    ["a name that does not exist", sdkError("Error", "getaddrinfo", { code: "ENOTFOUND" }), "unreachable"],
    ["a web page", sdkError("SyntaxError", "Unexpected token '<'"), "invalid"],
    ["text that was thrown", "broken", "invalid"],
    ["nothing", undefined, "invalid"],
  ])("%s is told from what else it says", (_name, error, why) => {
    expect(awsFailureOf(error, "ListClusters").why).toBe(why);
  });

  it("is one line that no terminal acts on, and does not repeat a web page", () => {
    const hostile = sdkError("AccessDeniedException", "no\r\n\u001b[31mroot\u202e");
    expect(awsFailureOf(hostile, "ListClusters").detail).toBe(
      "ListClusters: AccessDeniedException: no [31mroot",
    );
    expect(awsFailureOf(sdkError("SyntaxError", "Unexpected token '<', \"<!doctype\""), "X").detail).toBe(
      "X: SyntaxError: the answer is not AWS's: is there a proxy in between?",
    );
  });

  it.each([
    ["throttled", true],
    ["timeout", true],
    ["unreachable", true],
    ["forbidden", false],
    ["absent", false],
    ["invalid", false],
  ] as const)("%s may pass by itself: %s", (why, expected) => {
    expect(mayPass(why)).toBe(expected);
  });
});
