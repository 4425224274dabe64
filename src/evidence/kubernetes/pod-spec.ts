import { z } from "zod";

export const strings = z.record(z.string(), z.string()).nullish();

const containerSchema = z.object({
  name: z.string().default(""),
  image: z.string().default(""),
  command: z.array(z.string()).nullish(),
  args: z.array(z.string()).nullish(),
  env: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().nullish(),
        valueFrom: z
          .object({
            configMapKeyRef: z.object({ name: z.string().default(""), key: z.string() }).nullish(),
            fieldRef: z.object({ fieldPath: z.string() }).nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
  envFrom: z
    .array(
      z.object({
        prefix: z.string().nullish(),
        configMapRef: z.object({ name: z.string().default("") }).nullish(),
      }),
    )
    .nullish(),
  volumeMounts: z
    .array(z.object({ name: z.string(), mountPath: z.string(), subPath: z.string().nullish() }))
    .nullish(),
});

const itemSchema = z.object({ key: z.string(), path: z.string() });
const configMapSourceSchema = z.object({
  name: z.string().default(""),
  items: z.array(itemSchema).nullish(),
  optional: z.boolean().nullish(),
});

const nodeAffinitySchema = z.object({
  requiredDuringSchedulingIgnoredDuringExecution: z
    .object({
      nodeSelectorTerms: z
        .array(
          z.object({
            matchExpressions: z
              .array(
                z.object({ key: z.string(), operator: z.string(), values: z.array(z.string()).nullish() }),
              )
              .nullish(),
          }),
        )
        .nullish(),
    })
    .nullish(),
});

/** What of a pod's spec the audit reads; other fields are dropped. */
export const podSpecSchema = z.object({
  containers: z.array(containerSchema).default([]),
  initContainers: z.array(containerSchema).nullish(),
  volumes: z
    .array(
      z.object({
        name: z.string(),
        configMap: configMapSourceSchema.nullish(),
        projected: z
          .object({ sources: z.array(z.object({ configMap: configMapSourceSchema.nullish() })).nullish() })
          .nullish(),
      }),
    )
    .nullish(),
  nodeSelector: strings,
  nodeName: z.string().nullish(),
  affinity: z.object({ nodeAffinity: nodeAffinitySchema.nullish() }).nullish(),
  hostNetwork: z.boolean().nullish(),
  os: z.object({ name: z.string() }).nullish(),
  securityContext: z.object({ windowsOptions: z.unknown() }).partial().nullish(),
});
export type PodContainer = z.infer<typeof containerSchema>;
export type PodSpec = z.infer<typeof podSpecSchema>;

const OS_LABELS = ["kubernetes.io/os", "beta.kubernetes.io/os"];

/** Whether the pod can only run on Windows nodes: by selector, affinity, `os` or Windows options. */
export function runsOnWindows({ nodeSelector, affinity, os, securityContext }: PodSpec): boolean {
  const terms =
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const everyTerm = terms.every((term) =>
    (term.matchExpressions ?? []).some(
      ({ key, operator, values }) =>
        OS_LABELS.includes(key) && operator === "In" && values?.length === 1 && values[0] === "windows",
    ),
  );
  return (
    OS_LABELS.some((label) => nodeSelector?.[label] === "windows") ||
    (terms.length > 0 && everyTerm) ||
    os?.name === "windows" ||
    securityContext?.windowsOptions != null
  );
}
