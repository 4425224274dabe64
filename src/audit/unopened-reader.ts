import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import type { NotSeen } from "#src/model/observed.ts";

/** A cluster that could not be opened, as a reader: every read ends for the same reason. */
export function unopenedReader(reason: NotSeen): ClusterReader {
  return {
    version: async () => reason,
    get: async () => reason,
    list: async () => reason,
    podLog: async () => reason,
    podProxyMode: async () => reason,
    close: async () => {},
  };
}
