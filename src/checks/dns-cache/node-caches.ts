import { refOf } from "#src/evidence/data-plane/instances.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { Container, Workload } from "#src/evidence/kubernetes/workloads.ts";
import type { EvidenceItem } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";

/** One NodeLocal DNSCache and the addresses it listens on. */
export interface NodeCache {
  ref: string;
  /** null: neither arguments nor Corefile show them. */
  addresses: string[] | null;
  /** Of `addresses`, the cluster's DNS Service: how the cache is set up for iptables mode. */
  serviceAddresses: string[];
  evidence: EvidenceItem;
}

export function nodeCachesOf(evidence: Evidence): NodeCache[] {
  const { daemonSets } = evidence;
  return (observedValue(daemonSets) ?? []).flatMap((workload) => {
    const container = workload.containers.find(({ image }) => /k8s-dns-node-cache(?::|@|$)/.test(image));
    if (container === undefined || workload.desired === 0) return [];
    const ref = refOf(workload);
    const byArgs = localIpsOf(container);
    const byFile = byArgs === null ? bindAddressesOf(workload, evidence) : null;
    const addresses = byArgs ?? byFile?.addresses ?? null;
    return [
      {
        ref,
        addresses,
        serviceAddresses: (addresses ?? []).filter((address) => isServiceAddress(address, evidence)),
        evidence: byFile?.evidence ?? {
          source: daemonSets.source,
          path: `${ref} container ${container.name} -localip`,
          excerpt: addresses?.join(",") ?? "not shown",
        },
      },
    ];
  });
}

/** `-localip 169.254.20.10,10.96.0.10`, or with `=`; null without one or where a placeholder is left in it. */
function localIpsOf(container: Container): string[] | null {
  const words = [...(container.command ?? []), ...(container.args ?? [])].flatMap((word) =>
    word.split(/\s+/),
  );
  const at = words.findIndex((word) => /^--?localip(?:=|$)/.test(word));
  if (at < 0) return null;
  const word = words[at] ?? "";
  return addressesIn(word.includes("=") ? word.slice(word.indexOf("=") + 1) : (words[at + 1] ?? ""), ",");
}

/** The addresses of `bind` in the Corefile that the cache is configured by. */
function bindAddressesOf(
  workload: Workload,
  evidence: Evidence,
): { addresses: string[]; evidence: EvidenceItem } | null {
  for (const { configMap } of workload.configMapVolumes) {
    const name = `${workload.namespace}/${configMap}`;
    const read = evidence.configMaps.get(name);
    for (const [key, text] of Object.entries((read && observedValue(read))?.data ?? {})) {
      const bind = /^\s*bind[ \t]+(.+)$/m.exec(text)?.[1];
      const addresses = bind === undefined ? null : addressesIn(bind.trim(), /\s+/);
      if (read === undefined || addresses === null) continue;
      const item = {
        source: read.source,
        path: `ConfigMap ${name} data[${key}] bind`,
        excerpt: addresses.join(" "),
      };
      return { addresses, evidence: item };
    }
  }
  return null;
}

function addressesIn(text: string, separator: string | RegExp): string[] | null {
  const addresses = text
    .split(separator)
    .map((address) => address.trim())
    .filter((address) => address !== "");
  const literal = addresses.every((address) => /^[0-9a-f.:]+$/i.test(address));
  return addresses.length > 0 && literal ? addresses : null;
}

/**
 * Link-local addresses are the cache's own. Any other is the DNS Service's where it says so, and is taken for it
 * where the Services were not read or show no DNS Service.
 */
function isServiceAddress(address: string, evidence: Evidence): boolean {
  if (/^169\.254\.|^fe[89ab]/i.test(address)) return false;
  const known = observedValue(evidence.services)?.dnsClusterIPs ?? [];
  return known.length === 0 || known.includes(address);
}
