import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { failed, type Outcome } from "./outcome.ts";

export interface BodyOptions {
  host: string;
  /** Decoded bytes: a gzip body of kilobytes can unfold into gigabytes. */
  maxBytes: number;
  /** Called with the bytes of each piece, before and after decompression. */
  count(bytes: { wire: number; decoded: number }): void;
}

/** The whole body, decompressed. An answer that is too large or ends early is `invalid`. */
export async function bodyOf(response: IncomingMessage, options: BodyOptions): Promise<Outcome<Buffer>> {
  const encoding = response.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip") {
    response.destroy();
    return failed("invalid", `${options.host} answered in an encoding that was not asked for`);
  }
  response.on("data", (chunk: Buffer) => options.count({ wire: chunk.length, decoded: 0 }));
  // The error of either stream arrives where the decoded one is read, so the callback has nothing to do.
  const decoded = encoding === "gzip" ? pipeline(response, createGunzip(), () => undefined) : response;
  try {
    return await collected(decoded, options);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "Z_DATA_ERROR") return failed("invalid", `${options.host} sent a broken gzip body`);
    return {
      ...failed("invalid", `${options.host} broke off in the middle of an answer`),
      transient: true,
    };
  } finally {
    response.destroy();
  }
}

async function collected(decoded: AsyncIterable<Buffer>, options: BodyOptions): Promise<Outcome<Buffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded) {
    size += chunk.length;
    options.count({ wire: 0, decoded: chunk.length });
    if (size > options.maxBytes) {
      return failed("invalid", `${options.host} sent more than ${options.maxBytes} bytes in one answer`);
    }
    chunks.push(chunk);
  }
  return { ok: true, value: Buffer.concat(chunks, size) };
}
