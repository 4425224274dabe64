import { BlockList, isIP } from "node:net";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The proxy variables that hold for a server; undefined when it is reached directly. As kubectl reads them (Go,
 * golang.org/x/net/http/httpproxy), because a cluster must be found the way kubectl finds it: NO_PROXY may hold
 * CIDR ranges, and a loopback address never goes through a proxy. Node's own reading knows neither.
 */
export function proxyVariablesFor(server: string, env: Variables): Variables | undefined {
  const { protocol, hostname, port } = new URL(server);
  const name = protocol === "http:" ? "HTTP_PROXY" : "HTTPS_PROXY";
  const proxy = env[name] || env[name.toLowerCase()];
  if (!proxy) return undefined;
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isLoopback(host)) return undefined;
  const exceptions = (env.NO_PROXY || env.no_proxy || "").split(",").map((entry) => entry.trim());
  const portOf = port || (protocol === "http:" ? "80" : "443");
  if (exceptions.some((entry) => entry !== "" && isExcepted(host, portOf, entry.toLowerCase())))
    return undefined;
  return { [name]: proxy.includes("://") ? proxy : `http://${proxy}` };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
}

function isExcepted(host: string, port: string, entry: string): boolean {
  if (entry === "*") return true;
  const [, range, bits] = /^([\da-f.:]+)\/(\d+)$/.exec(entry) ?? [];
  if (range !== undefined) return isIn(host, range, Number(bits));
  const [, name = entry, entryPort] = isIP(entry) === 6 ? [] : (/^(.*):(\d+)$/.exec(entry) ?? []);
  if (entryPort !== undefined && entryPort !== port) return false;
  if (isIP(host) !== 0) return host === name.replace(/^\[|\]$/g, "");
  // `example.com` covers itself and what is below it, `.example.com` and `*.example.com` only the latter.
  const below = name.replace(/^\*?\.?/, ".");
  return host.endsWith(below) || host === name;
}

function isIn(host: string, range: string, bits: number): boolean {
  const family = isIP(range);
  if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false;
  const addresses = new BlockList();
  const type = family === 4 ? "ipv4" : "ipv6";
  addresses.addSubnet(range, bits, type);
  return addresses.check(host, type);
}
