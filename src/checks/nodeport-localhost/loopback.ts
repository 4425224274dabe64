import { BlockList, isIPv6 } from "node:net";
import type { ProxySettings } from "#src/evidence/data-plane/instance.ts";
import { compareMinor } from "#src/kubernetes/version.ts";

const GATE = "KubeProxyNFTablesLocalhostNodePorts";

/**
 * Whether kube-proxy in iptables mode serves NodePorts on 127.0.0.1: by default, unless iptables.localhostNodePorts
 * is false or nodePortAddresses leaves loopback out.
 */
export function iptablesServesLocalhost(settings: ProxySettings): boolean {
  if (settings.iptables.localhostNodePorts === false) return false;
  const addresses = settings.nodePortAddresses ?? [];
  return addresses.length === 0 || addresses.some((address) => covers(address, "127.0.0.1"));
}

/** Entries that name loopback by themselves: the word or a loopback CIDR. `all` and 0.0.0.0/0 do not (KEP-6032). */
export function explicitLoopback(settings: ProxySettings): string[] {
  return (settings.nodePortAddresses ?? []).filter(
    (address) =>
      address === "localhost" ||
      (address !== "all" &&
        !address.endsWith("/0") &&
        (covers(address, "127.0.0.1") || covers(address, "::1"))),
  );
}

/** KEP-6032: the gate appears in 1.37, off, and is on by default from 1.38; older versions do not know it. */
export function nftablesGateOn(settings: ProxySettings, minor: string | null): boolean {
  if (minor !== null && compareMinor(minor, "1.37") < 0) return false;
  return settings.featureGates[GATE] ?? (minor !== null && compareMinor(minor, "1.38") >= 0);
}

function covers(address: string, target: string): boolean {
  if (address === "all" || (address === "localhost" && target !== "")) return true;
  const [base = "", prefix = ""] = address.split("/");
  const family = isIPv6(base) ? "ipv6" : "ipv4";
  if ((family === "ipv6") !== isIPv6(target)) return false;
  const list = new BlockList();
  try {
    list.addSubnet(base, Number(prefix), family);
  } catch {
    return false;
  }
  return list.check(target, family);
}
