import type { AwsCredentials } from "./credentials.ts";
import { stsHostOf } from "./partition.ts";
import { SIGNING_ALGORITHM, scopeText, sha256, signatureOf, signingTime } from "./signature.ts";

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
  const time = signingTime(of.now);
  const scope = { day: time.slice(0, 8), region, service: "sts" };
  const parameters: [string, string][] = [
    ["Action", "GetCallerIdentity"],
    ["Version", "2011-06-15"],
    ["X-Amz-Algorithm", SIGNING_ALGORITHM],
    ["X-Amz-Credential", `${credentials.accessKeyId}/${scopeText(scope)}`],
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
  const signature = signatureOf(request, { time, scope, secretAccessKey: credentials.secretAccessKey });
  return `https://${host}/?${query}&X-Amz-Signature=${signature}`;
}

/** Percent-encoding as signature version 4 has it: all but `A-Z a-z 0-9 - . _ ~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
