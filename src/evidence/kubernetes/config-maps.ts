import { z } from "zod";
import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import { RESOURCES } from "#src/kubernetes/resources.ts";
import { notSeen, type Observed } from "#src/model/observed.ts";

export interface ConfigMapFacts {
  namespace: string;
  name: string;
  labels: Record<string, string>;
  data: Record<string, string>;
  /** When its data was last changed, as the API server recorded it in managed fields; null when it did not. */
  changedAt: string | null;
  /** Field managers that wrote it, e.g. `eks`, `kubeadm`, `Helm`, `kubectl-edit`. */
  managers: string[];
}

const configMapSchema = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: z.string().default("default"),
    labels: z.record(z.string(), z.string()).nullish(),
    creationTimestamp: z.string().nullish(),
    managedFields: z
      .array(
        z.object({
          manager: z.string().default(""),
          time: z.string().nullish(),
          fieldsV1: z.record(z.string(), z.unknown()).nullish(),
        }),
      )
      .nullish(),
  }),
  data: z.record(z.string(), z.string()).nullish(),
});

/** One ConfigMap by name; its data is only what the API shows, decoded by whoever uses it. */
export async function readConfigMap(
  reader: ClusterReader,
  namespace: string,
  name: string,
): Promise<Observed<ConfigMapFacts>> {
  const read = await reader.get(RESOURCES.configMaps, { namespace, name });
  if (read.seen === false) return read;
  const parsed = configMapSchema.safeParse(read.value);
  if (!parsed.success) return notSeen("invalid", "the answer is not a ConfigMap", read.source);
  const { metadata, data } = parsed.data;
  const writes = (metadata.managedFields ?? []).filter((field) => field.fieldsV1?.["f:data"] !== undefined);
  const times = [...writes.map((field) => field.time), metadata.creationTimestamp].filter(
    (time): time is string => typeof time === "string",
  );
  return {
    ...read,
    value: {
      namespace: metadata.namespace,
      name: metadata.name,
      labels: metadata.labels ?? {},
      data: data ?? {},
      changedAt: times.toSorted().at(-1) ?? null,
      managers: [...new Set((metadata.managedFields ?? []).map((field) => field.manager))].filter(Boolean),
    },
  };
}
