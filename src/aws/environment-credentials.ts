import { ProxyAuditError } from "#src/model/errors.ts";
import type { CredentialsProvider } from "./credentials.ts";

/** The credentials that Lambda puts into a function's environment, and a shell that has signed in. */
export function environmentCredentials(
  env: Readonly<Record<string, string | undefined>>,
): CredentialsProvider {
  return async () => {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
    if (!accessKeyId || !secretAccessKey) {
      throw new ProxyAuditError(
        "invalid-configuration",
        "There are no AWS credentials: AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not set.",
      );
    }
    const sessionToken = env.AWS_SESSION_TOKEN;
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
  };
}
