import { ProxyAuditError } from "#src/model/errors.ts";

const CREDENTIALS = "AWS does not accept the credentials: sign in again, or check the role";
const BUSY = "it is busy: try again in a minute";
const UNREACHABLE = "it cannot be reached: check the network and the region";

const REASONS: Readonly<Record<string, string>> = {
  ResourceNotFoundException:
    "there is no such table in this account and region: check its name, or deploy the service there",
  AccessDeniedException: "this role may not use it: grant it the table and the table's indexes",
  KMSAccessDeniedException: "this role may not use the key that encrypts it",
  CredentialsProviderError: "there are no AWS credentials: sign in, or set AWS_PROFILE",
  UnrecognizedClientException: CREDENTIALS,
  InvalidSignatureException: CREDENTIALS,
  ExpiredTokenException: CREDENTIALS,
  ProvisionedThroughputExceededException: BUSY,
  RequestLimitExceeded: BUSY,
  ThrottlingException: BUSY,
  TimeoutError: UNREACHABLE,
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
};

/** What a request to a table threw, as the error that people see. */
export function dynamoError(error: unknown, table: string): ProxyAuditError {
  const name = error instanceof Error ? error.name : "";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = REASONS[name] ?? REASONS[code] ?? (error instanceof Error ? error.message : String(error));
  return new ProxyAuditError(
    "store-unavailable",
    `The DynamoDB table ${table} is not available: ${reason}.`,
    {
      cause: error,
    },
  );
}

/** For an item that is there and cannot be read: leaving it out would make it disappear without a word. */
export function unreadableItem(table: string, what: string, cause: unknown): ProxyAuditError {
  return new ProxyAuditError(
    "store-unavailable",
    `The DynamoDB table ${table} holds ${what} in a form that cannot be read: store it again, or restore the table to a time before.`,
    { cause },
  );
}
