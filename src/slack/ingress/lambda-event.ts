import { z } from "zod";

/**
 * What of an HTTP event matters, in the format 2.0 of function URLs and HTTP APIs. They deliver form bodies as
 * base64, and header names in lower case.
 */
export const lambdaEventSchema = z.object({
  headers: z.record(z.string(), z.string().optional()).default({}),
  body: z.string().optional(),
  isBase64Encoded: z.boolean().default(false),
});
export type LambdaEvent = z.input<typeof lambdaEventSchema>;

export interface LambdaResponse {
  statusCode: number;
  headers?: Record<string, string>;
  body: string;
}

/** The bytes that were signed. */
export function rawBodyOf({ body = "", isBase64Encoded }: z.output<typeof lambdaEventSchema>): Buffer {
  return Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
}

export function lowerCaseHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
