import { createHash, createHmac } from "node:crypto";
import type { AwsCredentials } from "./credentials.ts";
import { stsHostOf } from "./partition.ts";

export interface EksToken {
  token: string;
  /** When to stop using it. */
  expiresAt: Date;
}

export interface EksTokenRequest {
  /** The cluster's name (for a local cluster on Outposts its id). It is signed: a token is good for one cluster. */
  clusterName: string;
  region: string;
  credentials: AwsCredentials;
  now: Date;
}

/** The server takes a token for 15 minutes after it was signed (aws-iam-authenticator, pkg/token); kubectl drops it after 14. */
const LIFETIME_MS = 14 * 60_000;
const ALGORITHM = "AWS4-HMAC-SHA256";
const CLUSTER_HEADER = "x-k8s-aws-id";
const SIGNED_HEADERS = `host;${CLUSTER_HEADER}`;

/**
 * A bearer token for an EKS cluster's API server: a presigned STS GetCallerIdentity request. The same bytes as
 * `aws eks get-token` makes at the same second; nothing is sent. Null for a Region that no partition has.
 */
export function eksToken({ clusterName, region, credentials, now }: EksTokenRequest): EksToken | null {
  const host = stsHostOf(region);
  if (host === null) return null;
  const url = presignedUrl({ host, region, clusterName, credentials, now });
  const expiresAt = Math.min(now.getTime() + LIFETIME_MS, credentials.expiration?.getTime() ?? Infinity);
  return {
    token: `k8s-aws-v1.${Buffer.from(url).toString("base64url")}`,
    expiresAt: new Date(expiresAt),
  };
}

function presignedUrl(of: EksTokenRequest & { host: string }): string {
  const { host, region, clusterName, credentials } = of;
  const time = of.now.toISOString().replace(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/sts/aws4_request`;
  const parameters: [string, string][] = [
    ["Action", "GetCallerIdentity"],
    ["Version", "2011-06-15"],
    ["X-Amz-Algorithm", ALGORITHM],
    ["X-Amz-Credential", `${credentials.accessKeyId}/${scope}`],
    ["X-Amz-Date", time],
    ["X-Amz-Expires", "60"],
    ["X-Amz-SignedHeaders", SIGNED_HEADERS],
  ];
  if (credentials.sessionToken) parameters.push(["X-Amz-Security-Token", credentials.sessionToken]);
  const query = parameters.map(([name, value]) => `${name}=${encoded(value)}`).join("&");
  // Sorted by name in what is signed; the order in the URL is the AWS CLI's.
  const canonicalQuery = query.split("&").toSorted().join("&");
  const headers = `host:${host}\n${CLUSTER_HEADER}:${clusterName}\n`;
  const request = ["GET", "/", canonicalQuery, headers, SIGNED_HEADERS, sha256("")].join("\n");
  const toSign = [ALGORITHM, time, scope, sha256(request)].join("\n");
  const key = [day, region, "sts", "aws4_request"].reduce<string | Buffer>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  );
  return `https://${host}/?${query}&X-Amz-Signature=${hmac(key, toSign).toString("hex")}`;
}

/** Percent-encoding as signature version 4 has it: all but `A-Z a-z 0-9 - . _ ~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
