import { z } from "zod";
import type { AwsCredentials } from "#src/aws/credentials.ts";
import { signedHeaders } from "#src/aws/sign-request.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";

const TIMEOUT_MS = 30_000;

const storedSchema = z.object({ id: z.string(), kept: z.string() });
const refusedSchema = z.object({ error: z.object({ message: z.string() }) });

export interface SendOptions {
  /** The ingest function's URL: `https://….lambda-url.eu-west-1.on.aws/`. */
  url: URL;
  credentials: AwsCredentials;
  now: Date;
}

/**
 * Posts an audit that was made inside its cluster, signed by the sender's IAM identity.
 *
 * @throws ProxyAuditError `aws` with what the other side said.
 */
export async function sendAudit(
  audit: ClusterAudit,
  options: SendOptions,
): Promise<z.infer<typeof storedSchema>> {
  const { url, credentials, now } = options;
  const region = regionOf(url);
  const body = JSON.stringify({ schemaVersion: 1, audit });
  const headers = signedHeaders({ method: "POST", url, body, region, service: "lambda", credentials, now });
  const { status, text } = await post(url, headers, body);
  const answer: unknown = parsed(text);
  const stored = storedSchema.safeParse(answer);
  if (status === 200 && stored.success) return stored.data;
  const refused = refusedSchema.safeParse(answer);
  const said = refused.success
    ? refused.data.error.message
    : "check the URL, the role's lambda:InvokeFunctionUrl and lambda:InvokeFunction, and the organization's id";
  throw new ProxyAuditError("aws", `${url.host} did not take the audit (HTTP ${status}): ${said}`);
}

/** A redirect is an error: the request is signed for this host alone. */
async function post(
  url: URL,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number; text: string }> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: answer.status, text: await answer.text() };
  } catch (cause) {
    const why = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause : cause).message : "";
    throw new ProxyAuditError("aws", `${url.host} cannot be reached: ${why}`, { cause });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The Region that the request is signed for, which the URL names. */
function regionOf(url: URL): string {
  const [, region] =
    /\.lambda-url\.([a-z0-9-]+)\.on\.(?:aws|amazonwebservices\.com\.cn)$/.exec(url.hostname) ?? [];
  const local = url.hostname === "127.0.0.1";
  if (region !== undefined && url.protocol === "https:") return region;
  if (local) return "us-east-1";
  throw new ProxyAuditError(
    "usage",
    `${url.href} is not a function's URL. Give the one that the deployment printed: https://….lambda-url.REGION.on.aws/`,
  );
}
