import { z } from "zod";
import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import { RESOURCES } from "#src/kubernetes/resources.ts";
import { notSeen, type Observed } from "#src/model/observed.ts";
import { itemsOf, projecting } from "./projecting.ts";

/** A Service that node ports, external IPs or load balancer addresses make interesting. */
export interface ServiceOfInterest {
  namespace: string;
  name: string;
  type: string;
  nodePorts: { port: number; protocol: string }[];
  externalIPs: string[];
  loadBalancerIPs: string[];
  /** `VIP` (the default) or `Proxy`, as `status.loadBalancer.ingress[].ipMode` says. */
  ipModes: string[];
  externalTrafficPolicy: string | null;
  sessionAffinity: string | null;
  labels: Record<string, string>;
}

export interface ServiceFacts {
  /** All Services, headless ones included. */
  count: number;
  ofInterest: ServiceOfInterest[];
  /** ClusterIPs of the cluster's DNS Services, for NodeLocal DNSCache. */
  dnsClusterIPs: string[];
}

const serviceSchema = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: z.string().default("default"),
    labels: z.record(z.string(), z.string()).nullish(),
  }),
  spec: z
    .object({
      type: z.string().nullish(),
      clusterIP: z.string().nullish(),
      clusterIPs: z.array(z.string()).nullish(),
      externalIPs: z.array(z.string()).nullish(),
      externalTrafficPolicy: z.string().nullish(),
      sessionAffinity: z.string().nullish(),
      ports: z.array(z.object({ nodePort: z.number().nullish(), protocol: z.string().nullish() })).nullish(),
    })
    .nullish(),
  status: z
    .object({
      loadBalancer: z
        .object({
          ingress: z.array(z.object({ ip: z.string().nullish(), ipMode: z.string().nullish() })).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

/** All Services, page by page; only those are kept that a change of mode can touch. */
export async function readServices(reader: ClusterReader): Promise<Observed<ServiceFacts>> {
  const read = itemsOf(await reader.list({ resource: RESOURCES.services }, projecting(serviceOf)));
  if (read.seen === false) return read;
  const facts: ServiceFacts = { count: read.value.length, ofInterest: [], dnsClusterIPs: [] };
  for (const service of read.value) {
    if (service === PLAIN) continue;
    facts.dnsClusterIPs.push(...service.dnsClusterIPs);
    if (service.ofInterest) facts.ofInterest.push(service.ofInterest);
  }
  return { ...read, value: facts };
}

interface ServiceRead {
  ofInterest: ServiceOfInterest | null;
  dnsClusterIPs: string[];
}

/** Most Services are plain ClusterIP ones: they are counted, not kept. */
const PLAIN: ServiceRead = { ofInterest: null, dnsClusterIPs: [] };

function serviceOf(item: unknown): ServiceRead | null {
  const parsed = serviceSchema.safeParse(item);
  if (!parsed.success) return null;
  const { metadata, spec, status } = parsed.data;
  const labels = metadata.labels ?? {};
  const isDns = labels["k8s-app"] === "kube-dns" || /^(kube-dns|coredns|rke2-coredns)/.test(metadata.name);
  const dnsClusterIPs =
    isDns && metadata.namespace === "kube-system"
      ? (spec?.clusterIPs ?? [spec?.clusterIP ?? ""]).filter((ip) => ip !== "" && ip !== "None")
      : [];
  const nodePorts = (spec?.ports ?? []).flatMap((port) =>
    port.nodePort ? [{ port: port.nodePort, protocol: port.protocol ?? "TCP" }] : [],
  );
  const ingress = status?.loadBalancer?.ingress ?? [];
  const loadBalancerIPs = ingress.flatMap((entry) => entry.ip ?? []);
  const externalIPs = spec?.externalIPs ?? [];
  const plain = nodePorts.length === 0 && externalIPs.length === 0 && loadBalancerIPs.length === 0;
  if (plain) return dnsClusterIPs.length === 0 ? PLAIN : { ofInterest: null, dnsClusterIPs };
  return {
    dnsClusterIPs,
    ofInterest: {
      namespace: metadata.namespace,
      name: metadata.name,
      type: spec?.type ?? "ClusterIP",
      nodePorts,
      externalIPs,
      loadBalancerIPs,
      ipModes: ingress.flatMap((entry) => entry.ipMode ?? []),
      externalTrafficPolicy: spec?.externalTrafficPolicy ?? null,
      sessionAffinity: spec?.sessionAffinity ?? null,
      labels,
    },
  };
}

/**
 * How many EndpointSlices there are, by one page of one item and what the server says is left: a large
 * cluster has more of them than the audit wants to read.
 */
export async function countEndpointSlices(reader: ClusterReader): Promise<Observed<{ count: number }>> {
  const request = { resource: RESOURCES.endpointSlices, as: "metadata", pageSize: 1, atMost: 1 } as const;
  const read = await reader.list(request, { start: () => null, add: () => undefined });
  if (read.seen === false) return read;
  const { count, remaining } = read.value;
  if (remaining === null)
    return notSeen("invalid", "the server does not count its EndpointSlices", read.source);
  return { ...read, value: { count: count + remaining } };
}
