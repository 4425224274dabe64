import { z } from "zod";
import type { Failed } from "#src/kubernetes/outcome.ts";
import { printable } from "#src/kubernetes/printable.ts";
import type { Unseen } from "#src/model/observed.ts";

/**
 * Error codes that say the same on every AWS service, by what they mean to an audit. Regions that are not enabled
 * answer as if the credentials were unknown (UnrecognizedClientException, InvalidClientTokenId, AuthFailure).
 */
const CODES: Readonly<Record<string, Unseen>> = {
  AccessDenied: "forbidden",
  AccessDeniedException: "forbidden",
  UnauthorizedOperation: "forbidden",
  AuthFailure: "unauthenticated",
  CredentialsProviderError: "unauthenticated",
  ExpiredToken: "unauthenticated",
  ExpiredTokenException: "unauthenticated",
  IncompleteSignature: "unauthenticated",
  InvalidAccessKeyId: "unauthenticated",
  InvalidClientTokenId: "unauthenticated",
  InvalidSignatureException: "unauthenticated",
  OptInRequired: "unauthenticated",
  RequestExpired: "unauthenticated",
  SignatureDoesNotMatch: "unauthenticated",
  SubscriptionRequiredException: "unauthenticated",
  TokenRefreshRequired: "unauthenticated",
  UnrecognizedClientException: "unauthenticated",
  LimitExceededException: "throttled",
  RequestLimitExceeded: "throttled",
  SlowDown: "throttled",
  Throttling: "throttled",
  ThrottlingException: "throttled",
  ThrottledException: "throttled",
  TooManyRequestsException: "throttled",
  AWSOrganizationsNotInUseException: "absent",
  NotFoundException: "absent",
  ResourceNotFoundException: "absent",
  NoSuchConfigurationAggregatorException: "absent",
  AbortError: "timeout",
  RequestTimeout: "timeout",
  RequestTimeoutException: "timeout",
  TimeoutError: "timeout",
};

const UNREACHABLE =
  /^(ECONN|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EPIPE|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

const sdkError = z.object({
  name: z.string().catch(""),
  message: z.string().catch(""),
  code: z.string().optional().catch(undefined),
  $metadata: z.object({ httpStatusCode: z.number().optional() }).optional().catch(undefined),
});

/**
 * What an AWS call's failure means, in the words of `Observed`. The detail names the call and what AWS said, in
 * one line without control characters; it never holds a request's headers.
 *
 * @param call the operation and where it was asked, e.g. `ListClusters in 111122223333/eu-west-1`
 */
export function awsFailureOf(error: unknown, call: string): Failed {
  const { name, message, code, $metadata } = sdkError.parse(Object(error));
  const why = whyOf(name, code ?? "", $metadata?.httpStatusCode ?? 0);
  const title = name === "" || name === "Error" ? (code ?? "") : name;
  // An answer that is not the API's (a proxy's page) shows up as the parser's error.
  const said = name === "SyntaxError" ? "the answer is not AWS's: is there a proxy in between?" : message;
  const detail = [call, printable(title), printable(said)].filter((part) => part !== "").join(": ");
  return { ok: false, why, detail };
}

/** Whether the same call may work a minute later: on the next delivery of a message, say. */
export function mayPass(why: Unseen): boolean {
  return why === "throttled" || why === "timeout" || why === "unreachable";
}

function whyOf(name: string, code: string, status: number): Unseen {
  const known = CODES[name] ?? CODES[code];
  if (known !== undefined) return known;
  if (name === "SyntaxError") return "invalid";
  if (UNREACHABLE.test(code)) return "unreachable";
  if (status === 429) return "throttled";
  if (status === 403) return "forbidden";
  if (status === 401) return "unauthenticated";
  return status >= 500 ? "unreachable" : "invalid";
}
