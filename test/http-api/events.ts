export const ACCOUNT = "111111111111";

/** A request to a function's URL as Lambda gets it, signed by a session of a role. */
export function urlEvent(request: {
  method?: string;
  query?: Record<string, string>;
  body?: unknown;
  base64?: boolean;
  role?: string;
  account?: string;
}): unknown {
  const {
    method = "GET",
    query,
    body,
    base64 = false,
    role = "proxy-audit-post",
    account = ACCOUNT,
  } = request;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    version: "2.0",
    rawPath: "/",
    headers: { "content-type": "application/json" },
    ...(query === undefined ? {} : { queryStringParameters: query }),
    ...(body === undefined ? {} : { body: base64 ? Buffer.from(text).toString("base64") : text }),
    isBase64Encoded: base64,
    requestContext: {
      http: { method, path: "/" },
      authorizer: {
        iam: {
          accessKey: "ASIA",
          accountId: account,
          callerId: "AROA:session",
          userArn: `arn:aws:sts::${account}:assumed-role/${role}/session`,
          userId: "AROA:session",
        },
      },
    },
  };
}

export function bodyOf({ body }: { body: string }): unknown {
  return JSON.parse(body);
}
