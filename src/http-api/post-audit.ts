import { z } from "zod";
import { withVerdicts } from "#src/commands/scan.ts";
import { clusterRefOf } from "#src/inventory/aws/cluster-ref.ts";
import { type ClusterAudit, clusterAuditSchema } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { AuditStore } from "#src/store/store.ts";
import {
  errorResponse,
  type FunctionUrlEvent,
  type HttpResponse,
  jsonResponse,
  signedRequest,
} from "./function-url.ts";

export interface PostAuditOptions {
  store: Pick<AuditStore, "putAudit">;
  /** The only role whose sessions may post. */
  postingRole: string;
  now: Date;
  onStored?: (audit: ClusterAudit) => void;
}

/** What a cluster's CronJob posts: its audit, made inside by the same checks. */
const postedAuditSchema = z.strictObject({ schemaVersion: z.literal(1), audit: clusterAuditSchema });

/** An audit is not from the future, but for clocks that differ; an old one is not news. */
const AHEAD_MS = 5 * 60_000;
const OLD_MS = 24 * 3_600_000;

/**
 * Stores an audit that was made inside a cluster, where no one from outside can read. Who posts is known by IAM, and
 * may speak for clusters of its own account only: an EKS cluster's id names the account, any other cluster becomes
 * `posted:ACCOUNT/NAME`. Verdicts are computed here, not taken over.
 */
export async function answerPost(event: unknown, options: PostAuditOptions): Promise<HttpResponse> {
  try {
    const request = signedRequest(event);
    if (request.requestContext.http.method !== "POST")
      throw new ProxyAuditError("usage", "Send it with POST.");
    const poster = posterOf(request, options.postingRole);
    const audit = owned(parsedAudit(request), poster);
    checkTime(audit, options.now);
    const stored = withVerdicts(audit, [], new Date(audit.auditedAt));
    const { kept } = await options.store.putAudit(stored);
    if (kept !== "duplicate") options.onStored?.(stored);
    return jsonResponse(200, { id: stored.id, auditedAt: stored.auditedAt, kept });
  } catch (error) {
    return errorResponse(error);
  }
}

interface Poster {
  account: string;
  arn: string;
}

function posterOf({ requestContext }: FunctionUrlEvent, postingRole: string): Poster {
  const { accountId, userArn } = requestContext.authorizer.iam;
  const [, account, role] = /^arn:[a-z-]+:sts::(\d{12}):assumed-role\/([^/]+)\/[^/]+$/.exec(userArn) ?? [];
  if (account === accountId && role === postingRole) return { account: accountId, arn: userArn };
  throw new ProxyAuditError("forbidden", `Only sessions of a role named ${postingRole} may post audits.`);
}

function parsedAudit({ body = "", isBase64Encoded }: FunctionUrlEvent): ClusterAudit {
  const text = isBase64Encoded ? Buffer.from(body, "base64").toString("utf8") : body;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProxyAuditError("usage", "The body is not JSON.");
  }
  const parsed = postedAuditSchema.safeParse(value);
  if (parsed.success) return parsed.data.audit;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join(".") || "body";
  throw new ProxyAuditError(
    "usage",
    `Not an audit of this version: ${place}: ${issue?.message ?? "wrong"}. Use the proxy-audit that is deployed.`,
  );
}

/** The audit under an id that its poster may speak for, whatever it says itself. */
function owned(audit: ClusterAudit, poster: Poster): ClusterAudit {
  const ref = clusterRefOf(audit.id);
  if (ref === null) {
    const id = `posted:${poster.account}/${audit.name}`;
    return { ...audit, id, postedBy: poster.arn };
  }
  if (ref.account !== poster.account) {
    throw new ProxyAuditError(
      "forbidden",
      `${poster.arn} may not post for ${audit.id}: it is in another account.`,
      { cluster: audit.id },
    );
  }
  return {
    ...audit,
    name: ref.name,
    account: ref.account,
    region: ref.region,
    postedBy: poster.arn,
  };
}

function checkTime({ auditedAt }: ClusterAudit, now: Date): void {
  const ahead = Date.parse(auditedAt) - now.getTime();
  if (Number.isNaN(ahead) || ahead > AHEAD_MS || ahead < -OLD_MS) {
    throw new ProxyAuditError("usage", `The audit's time ${auditedAt} is not of the last 24 hours.`);
  }
}
