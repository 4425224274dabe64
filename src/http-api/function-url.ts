import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { z } from "zod";
import { ProxyAuditError, type ProxyAuditErrorCode } from "#src/model/errors.ts";
import { safeJson } from "#src/report/json.ts";

/** A request to a function's URL (payload format 2.0), as far as it is used. AWS has checked its signature. */
export const functionUrlEventSchema = z.object({
  queryStringParameters: z.record(z.string(), z.string()).default({}),
  body: z.string().optional(),
  isBase64Encoded: z.boolean().default(false),
  requestContext: z.object({
    http: z.object({ method: z.string() }),
    authorizer: z.object({
      iam: z.object({ accountId: z.string().regex(/^\d{12}$/), userArn: z.string().min(1) }),
    }),
  }),
});
export type FunctionUrlEvent = z.infer<typeof functionUrlEventSchema>;

export interface HttpResponse extends APIGatewayProxyStructuredResultV2 {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

export function jsonResponse(statusCode: number, value: unknown): HttpResponse {
  return {
    statusCode,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
    body: `${safeJson(value, "compact")}\n`,
  };
}

const STATUS: Partial<Record<ProxyAuditErrorCode, number>> = {
  usage: 400,
  "not-found": 404,
  forbidden: 403,
  "store-unavailable": 503,
};

/** An error as an answer: its code and what to do. What is not ours to explain is a 500 without detail. */
export function errorResponse(error: unknown): HttpResponse {
  if (!(error instanceof ProxyAuditError)) {
    return jsonResponse(500, {
      error: { code: "unexpected", message: "It failed: see the function's log." },
    });
  }
  const { code, message } = error;
  return jsonResponse(STATUS[code] ?? 500, { error: { code, message } });
}

/**
 * The request, which must have been signed.
 *
 * @throws ProxyAuditError `forbidden` for an event without an IAM identity: the URL is not set to AWS_IAM.
 */
export function signedRequest(event: unknown): FunctionUrlEvent {
  const parsed = functionUrlEventSchema.safeParse(event);
  if (parsed.success) return parsed.data;
  throw new ProxyAuditError("forbidden", "The request carries no IAM identity: sign it with SigV4.");
}
