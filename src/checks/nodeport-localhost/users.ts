import { refOf } from "#src/evidence/data-plane/instances.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { EvidenceItem } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import { KNOWN_LOCALHOST_USERS } from "./known-users.ts";

/** Something that reaches a Service through a NodePort on localhost. */
export interface LocalhostUser {
  /** For people: the workload or Service, and the port. */
  who: string;
  evidence: EvidenceItem;
}

/** `127.0.0.1:31999/library/web:1.0`: the kubelet's runtime pulls such images from the node's own NodePort. */
const LOOPBACK_IMAGE = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\]):(\d{1,5})\//;

/** Images that are pulled from a Service's NodePort on localhost, and Services known to be used that way. */
export function localhostUsersOf(evidence: Evidence): LocalhostUser[] {
  const services = observedValue(evidence.services)?.ofInterest ?? [];
  const byPort = new Map(
    services.flatMap((service) =>
      service.nodePorts.map(({ port }) => [port, `${service.namespace}/${service.name}`] as const),
    ),
  );
  const lists = [
    evidence.daemonSets,
    evidence.deployments,
    evidence.statefulSets,
    evidence.cronJobs,
    evidence.jobs,
    evidence.systemPods,
  ];
  const images = lists.flatMap((list) =>
    (observedValue(list) ?? []).flatMap((workload) =>
      [...workload.containers, ...workload.initContainers].flatMap((container): LocalhostUser[] => {
        const registry = LOOPBACK_IMAGE.exec(container.image);
        const service = byPort.get(Number(registry?.[1]));
        if (!registry || service === undefined) return [];
        const ref = refOf(workload);
        const item = {
          source: list.source,
          path: `${ref} container ${container.name} image`,
          excerpt: registry[0],
        };
        return [
          { who: `${ref} pulls from ${registry[0].slice(0, -1)} (Service ${service})`, evidence: item },
        ];
      }),
    ),
  );
  const known = KNOWN_LOCALHOST_USERS.flatMap(({ namespace, service, what }): LocalhostUser[] => {
    const found = services.find((one) => one.namespace === namespace && one.name === service);
    const ports = found?.nodePorts.map(({ port }) => port) ?? [];
    if (ports.length === 0) return [];
    const path = `Service ${namespace}/${service} spec.ports[].nodePort`;
    return [
      {
        who: `Service ${namespace}/${service}:${ports.join(",")} (${what})`,
        evidence: { source: evidence.services.source, path, excerpt: ports.join(",") },
      },
    ];
  });
  return [...images, ...known];
}
