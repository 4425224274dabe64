import { type Failed, failed } from "./outcome.ts";

const UNTRUSTED = "the certificate is not signed by the cluster's CA";
const NOT_TLS = "the port does not speak TLS";
const PROXY_REFUSES = "the proxy does not let the connection through";

/** By Node's error code, what is wrong in plain words. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "host name not found",
  EAI_AGAIN: "the host name could not be looked up (DNS does not answer)",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ECONNRESET: "the connection was closed on the way",
  EPIPE: "the connection was closed on the way",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  CERT_UNTRUSTED: UNTRUSTED,
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet (is the clock right?)",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host name",
  ERR_PROXY_TUNNEL: PROXY_REFUSES,
  EPROTO: NOT_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
};

const TRANSIENT = new Set(["ECONNRESET", "EPIPE"]);

/** What an error of a connection means for the reader. Its message is not used: it may hold what was sent. */
export function connectionFailure(error: unknown, host: string): Failed {
  const code = codeOf(error);
  if (code === "ETIMEDOUT") return failed("timeout", `${host}: no answer to the connection attempt`);
  if (code.startsWith("HPE_")) return failed("invalid", `${host}: the answer is not HTTP`);
  // Thrown before anything is sent: the PEM data or the token of the configuration cannot be used.
  if (code.startsWith("ERR_OSSL_") || code.startsWith("ERR_CRYPTO_")) {
    return failed("unauthenticated", `${host}: the configured CA, client certificate or key is broken`);
  }
  if (code === "ERR_INVALID_CHAR") {
    return failed("unauthenticated", `${host}: the credentials hold characters that HTTP forbids`);
  }
  if (code.startsWith("ERR_SSL_") && code.includes("_ALERT_")) {
    return failed("unreachable", `${host}: the server refuses the TLS connection (${code})`);
  }
  if (isProxyRefusal(error)) return failed("unreachable", `${host}: ${PROXY_REFUSES}`);
  const reason = REASONS[code] ?? `the connection failed (${code})`;
  return { ...failed("unreachable", `${host}: ${reason}`), transient: TRANSIENT.has(code) };
}

/** The agents for `proxy-url` (hpagent, socks) give their errors no code. */
function isProxyRefusal(error: unknown): boolean {
  return error instanceof Error && /^(?:Bad response: \d{3}$|Socks)/.test(error.message);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "no code";
  if ("code" in error && typeof error.code === "string") return error.code;
  // socks wraps the error of its connection and keeps the message alone.
  return /^(?:connect|getaddrinfo) (E[A-Z_]+)/.exec(error.message)?.[1] ?? "no code";
}
