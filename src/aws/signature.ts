import { createHash, createHmac } from "node:crypto";

export const SIGNING_ALGORITHM = "AWS4-HMAC-SHA256";

/** What a signature is good for: one day, Region and service. */
export interface SigningScope {
  /** `20270301` */
  day: string;
  region: string;
  service: string;
}

export function scopeText({ day, region, service }: SigningScope): string {
  return `${day}/${region}/${service}/aws4_request`;
}

/** `20270301T090000Z`, as signature version 4 writes times. */
export function signingTime(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** The signature of a canonical request, in hexadecimal (AWS Signature Version 4, "create a signature"). */
export function signatureOf(
  canonicalRequest: string,
  with_: { time: string; scope: SigningScope; secretAccessKey: string },
): string {
  const { time, scope, secretAccessKey } = with_;
  const toSign = [SIGNING_ALGORITHM, time, scopeText(scope), sha256(canonicalRequest)].join("\n");
  const { day, region, service } = scope;
  const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return hmac(key, toSign).toString("hex");
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
