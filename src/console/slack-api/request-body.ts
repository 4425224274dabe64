import type { IncomingMessage } from "node:http";

const MOST_BYTES = 5 * 1024 * 1024;

export async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MOST_BYTES) throw new Error(`a request of more than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Arguments that a form carries as JSON, as @slack/web-api sends them. */
const JSON_ARGUMENTS = new Set(["attachments", "blocks", "metadata", "view"]);

/** A call's arguments, from a form or from JSON; undefined when they are neither. */
export function argumentsOf(
  body: string,
  contentType: string | undefined,
): Record<string, unknown> | undefined {
  if (contentType?.startsWith("application/json") === true) return jsonObject(body);
  return Object.fromEntries(
    [...new URLSearchParams(body)].map(([name, value]) => [
      name,
      JSON_ARGUMENTS.has(name) ? (json(value) ?? value) : value,
    ]),
  );
}

export function jsonObject(body: string): Record<string, unknown> | undefined {
  const value = json(body);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
