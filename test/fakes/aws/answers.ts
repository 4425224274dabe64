/** An answer as it goes over the wire. */
export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The four error formats of the services that are served here. */
export type Protocol = "rest-json" | "json" | "query" | "ec2";

const STATUS: Record<string, number> = {
  AccessDenied: 403,
  AccessDeniedException: 403,
  UnauthorizedOperation: 403,
  UnrecognizedClientException: 401,
  InvalidClientTokenId: 403,
  AuthFailure: 401,
  ResourceNotFoundException: 404,
  ServerException: 500,
  InternalError: 500,
};

export function json(value: unknown): WireAnswer {
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

export function xml(body: string): WireAnswer {
  return { status: 200, headers: { "content-type": "text/xml" }, body };
}

export function errorAnswer(
  protocol: Protocol,
  code: string,
  message: string,
  more: Record<string, string> = {},
): WireAnswer {
  const status = STATUS[code] ?? 400;
  switch (protocol) {
    case "rest-json":
      return {
        status,
        headers: { "content-type": "application/json", "x-amzn-errortype": code },
        body: JSON.stringify({ message, ...more }),
      };
    case "json":
      return {
        status: status === 401 || status === 404 ? 400 : status,
        headers: { "content-type": "application/x-amz-json-1.1" },
        body: JSON.stringify({ __type: code, Message: message }),
      };
    case "query":
      return {
        status,
        headers: { "content-type": "text/xml" },
        body: `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error><RequestId>r</RequestId></ErrorResponse>`,
      };
    case "ec2":
      return {
        status,
        headers: { "content-type": "text/xml" },
        body: `<Response><Errors><Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error></Errors><RequestID>r</RequestID></Response>`,
      };
  }
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** One page of a list; the token is the offset. */
export function pageOf<T>(
  all: readonly T[],
  token: string | undefined,
  size: number,
): { items: T[]; next: string | undefined } {
  const start = token === undefined || token === "" ? 0 : Number(token);
  const end = start + size;
  return { items: all.slice(start, end), next: end < all.length ? String(end) : undefined };
}
