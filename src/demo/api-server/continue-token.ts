export interface ContinueToken {
  /** Resource version of the first page; -1 asks for the remainder as it is now. */
  resourceVersion: number;
  /** Key of the last item given out. */
  after: string;
}

const NEXT_KEY = "\u0000";

/**
 * The token as the server encodes it. The watch cache, which answers first pages, starts its keys with a slash
 * and the pages after them do not; clients must treat both as opaque.
 */
export function encodeContinueToken(token: ContinueToken, from: "cache" | "continuation"): string {
  const start = `${from === "cache" ? "/" : ""}${token.after}${NEXT_KEY}`;
  const json = JSON.stringify({ v: "meta.k8s.io/v1", rv: token.resourceVersion, start });
  return Buffer.from(json).toString("base64url");
}

/** The token, or why the server refuses it. */
export function decodeContinueToken(text: string): ContinueToken | { refused: string } {
  const json = Buffer.from(text, "base64url");
  let value: unknown;
  try {
    value = JSON.parse(json.toString());
  } catch {
    const first = json[0] === undefined ? "unexpected end of JSON input" : firstByteRefused(json[0]);
    return { refused: `invalid continue token: continue key is not valid: ${first}` };
  }
  const { v, rv, start } = (value ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== "meta.k8s.io/v1") {
    return {
      refused:
        "invalid continue token: continue key is not valid: server does not recognize this encoded version",
    };
  }
  if (typeof rv !== "number" || typeof start !== "string" || !start.endsWith(NEXT_KEY)) {
    return {
      refused: "invalid continue token: continue key is not valid: incorrect encoded start resourceVersion",
    };
  }
  return { resourceVersion: rv, after: start.slice(0, -1).replace(/^\//, "") };
}

function firstByteRefused(byte: number): string {
  const printable = byte >= 0x20 && byte < 0x7f;
  const shown = printable ? String.fromCharCode(byte) : `\\u${byte.toString(16).padStart(4, "0")}`;
  return `invalid character '${shown}' looking for beginning of value`;
}
