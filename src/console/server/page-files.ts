import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { ALWAYS, contentSecurityPolicy } from "./security-headers.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Where the build leaves the nonce out of the page (`html.cspNonce` of its Vite configuration). */
export const NONCE_PLACEHOLDER = "PROXY-AUDIT-NONCE";

/**
 * A file of the built page: those of `assets/`, whose names change with what is in them, and the page itself for
 * every other address, since the page has addresses of its own (`/clusters/...`).
 */
export async function servePage(folder: string, path: string, response: ServerResponse): Promise<void> {
  const [, asset] = /^\/assets\/([\w.-]+)$/.exec(path) ?? [];
  if (asset !== undefined && !asset.startsWith(".")) {
    const type = TYPES[extname(asset)];
    const bytes = type === undefined ? null : await readFile(join(folder, "assets", asset)).catch(() => null);
    if (type === undefined || bytes === null) return notFound(response);
    response.writeHead(200, {
      ...ALWAYS,
      "content-type": type,
      "content-length": bytes.length,
      "cache-control": "private, max-age=31536000, immutable",
    });
    response.end(bytes);
    return;
  }
  if (path.startsWith("/assets")) return notFound(response);
  const nonce = randomBytes(16).toString("base64url");
  const html = await readFile(join(folder, "index.html"), "utf8");
  response.writeHead(200, {
    ...ALWAYS,
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": contentSecurityPolicy(nonce),
  });
  response.end(html.replaceAll(NONCE_PLACEHOLDER, nonce));
}

function notFound(response: ServerResponse): void {
  response.writeHead(404, { ...ALWAYS, "content-type": "text/plain; charset=utf-8" });
  response.end("not found\n");
}
