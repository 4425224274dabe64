import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Why a request is refused before anything is read or done for it; null where it may pass. */
export type Refusal = { status: 401 | 403 | 421; message: string } | null;

/**
 * Only pages of this very server may ask. A page from elsewhere that had its own name lead to 127.0.0.1 (DNS
 * rebinding) sends that name as Host; one that merely sends requests here sends its Origin.
 */
export function refusalByOrigin(headers: IncomingHttpHeaders, port: number): Refusal {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (headers.host === undefined || !hosts.includes(headers.host)) {
    return { status: 421, message: `open http://127.0.0.1:${port}: other names are not answered` };
  }
  const { origin, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
  const own = origin === undefined || hosts.some((host) => origin === `http://${host}`);
  // A link from elsewhere may lead to the page, as one in a terminal that is itself a web page does.
  const sameSite = site === undefined || site === "same-origin" || site === "none" || mode === "navigate";
  return own && sameSite ? null : { status: 403, message: "requests from other pages are not answered" };
}

/**
 * Everything under /api needs this run's token, as a header that no other page can make a browser send. It is
 * no cookie: a cookie for 127.0.0.1 goes to every port of it, whoever listens there.
 */
export function refusalByToken(headers: IncomingHttpHeaders, token: string): Refusal {
  const [, given = ""] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  if (a.length === b.length && timingSafeEqual(a, b)) return null;
  return {
    status: 401,
    message: "this address needs the token of the running console: open the address that it printed",
  };
}
