import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import type { Resource } from "#src/kubernetes/resources.ts";
import { notSeen, type Observed, partlySeen, type Source } from "#src/model/observed.ts";

/** One read of an audit: what was asked for, and how. Two reads of one thing have one key. */
export interface Read {
  key: string;
  verb: "version" | "get" | "list" | "log";
  resource: Resource | null;
}

/** Ways in which a read fails. `half`: the connection breaks after some pages. */
export const FAULTS = [
  "forbidden",
  "absent",
  "timeout",
  "unreachable",
  "throttled",
  "invalid",
  "half",
] as const;
export type Fault = (typeof FAULTS)[number];

/**
 * A reader in front of another. It writes down every read, and lets those that `fails` names end with a fault.
 */
export function faultyReader(
  inner: ClusterReader,
  reads: Map<string, Read>,
  fails: (read: Read) => Fault | null = () => null,
): ClusterReader {
  async function through<T>(read: Read, answer: () => Promise<Observed<T>>): Promise<Observed<T>> {
    reads.set(read.key, read);
    const fault = fails(read);
    if (fault === null) return answer();
    const source: Source = { kind: "kubernetes", ref: read.key, at: "2026-11-30T09:00:00.000Z" };
    return notSeen(fault === "half" ? "timeout" : fault, `fault: ${fault}`, source);
  }
  return {
    version: () => through({ key: "version", verb: "version", resource: null }, () => inner.version()),
    get: (resource, at, as) =>
      through({ key: `get ${resource.plural} ${at.namespace ?? ""}/${at.name}`, verb: "get", resource }, () =>
        inner.get(resource, at, as),
      ),
    async list(request, fold) {
      const { resource, namespace = "", labelSelector = "", fieldSelector = "", as = "objects" } = request;
      const key = ["list", resource.plural, namespace, labelSelector, fieldSelector, as]
        .filter((part) => part !== "")
        .join(" ");
      const read: Read = { key, verb: "list", resource };
      if (fails(read) !== "half") return through(read, () => inner.list(request, fold));
      reads.set(key, read);
      // The first half of the items arrived.
      const whole = await inner.list(request, fold);
      if (whole.seen === false) return whole;
      const half = {
        ...fold,
        add: (value: Parameters<typeof fold.add>[0], page: Parameters<typeof fold.add>[1]) =>
          fold.add(value, firstHalf(page)),
      };
      const cut = await inner.list(request, half);
      if (cut.seen === false) return cut;
      return partlySeen(cut.value, "timeout", "fault: half", cut.source);
    },
    podLog: (request) =>
      through({ key: `log ${request.namespace}/${request.pod}`, verb: "log", resource: null }, () =>
        inner.podLog(request),
      ),
    podProxyMode: (pod) =>
      through({ key: `proxyMode ${pod.namespace}/${pod.pod}`, verb: "log", resource: null }, () =>
        inner.podProxyMode(pod),
      ),
    close: () => inner.close(),
  };
}

function firstHalf<P extends { kind: string }>(page: P): P {
  const cut = (list: readonly unknown[]) => list.slice(0, Math.floor(list.length / 2));
  if ("items" in page) return { ...page, items: cut(page.items as unknown[]) };
  return { ...page, rows: cut((page as unknown as { rows: unknown[] }).rows) };
}
