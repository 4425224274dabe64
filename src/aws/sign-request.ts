import type { AwsCredentials } from "./credentials.ts";
import { SIGNING_ALGORITHM, scopeText, sha256, signatureOf, signingTime } from "./signature.ts";

export interface RequestToSign {
  method: "GET" | "POST";
  /** With its query, if any, already encoded and in order. */
  url: URL;
  body: string;
  region: string;
  /** `lambda` for a function's URL. */
  service: string;
  credentials: AwsCredentials;
  now: Date;
}

/** The headers that make a request one that AWS_IAM lets in (Signature Version 4). */
export function signedHeaders(request: RequestToSign): Record<string, string> {
  const { method, url, body, region, service, credentials } = request;
  const time = signingTime(request.now);
  const scope = { day: time.slice(0, 8), region, service };
  const headers: Record<string, string> = {
    "content-type": "application/json",
    host: url.host,
    "x-amz-content-sha256": sha256(body),
    "x-amz-date": time,
    ...(credentials.sessionToken === undefined ? {} : { "x-amz-security-token": credentials.sessionToken }),
  };
  const names = Object.keys(headers).toSorted();
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    names.join(";"),
    sha256(body),
  ].join("\n");
  const signature = signatureOf(canonical, { time, scope, secretAccessKey: credentials.secretAccessKey });
  const { host: _, ...sent } = headers;
  return {
    ...sent,
    authorization: `${SIGNING_ALGORITHM} Credential=${credentials.accessKeyId}/${scopeText(scope)}, SignedHeaders=${names.join(";")}, Signature=${signature}`,
  };
}
