import { z } from "zod";

/**
 * The fields of `kubeproxy.config.k8s.io/v1alpha1`, KubeProxyConfiguration, with the types that Go decodes them
 * into (kubernetes/kubernetes, staging/src/k8s.io/kube-proxy/config/v1alpha1/types.go; `snatNodeInternalIP` is the
 * newest field). What is not set is null, except `mode`, which is "" as in kube-proxy. A field that is not in this
 * table is unknown to kube-proxy, which drops it.
 */
export const kubeProxyConfigurationSchema = z.strictObject({
  apiVersion: z.literal("kubeproxy.config.k8s.io/v1alpha1"),
  kind: z.literal("KubeProxyConfiguration"),
  featureGates: gates(),
  clientConnection: struct({
    kubeconfig: text(),
    acceptContentTypes: text(),
    contentType: text(),
    qps: z.number().nullish(),
    burst: int32(),
  }),
  logging: z.unknown().optional(),
  hostnameOverride: text(),
  bindAddress: text(),
  healthzBindAddress: text(),
  metricsBindAddress: text(),
  bindAddressHardFail: bool(),
  enableProfiling: bool(),
  showHiddenMetricsForVersion: text(),
  mode: z
    .string()
    .nullish()
    .transform((mode) => mode ?? ""),
  iptables: struct({
    masqueradeBit: int32(),
    masqueradeAll: bool(),
    localhostNodePorts: bool(),
    snatNodeInternalIP: bool(),
    syncPeriod: duration(),
    minSyncPeriod: duration(),
  }),
  ipvs: struct({
    syncPeriod: duration(),
    minSyncPeriod: duration(),
    scheduler: text(),
    excludeCIDRs: texts(),
    strictARP: bool(),
    tcpTimeout: duration(),
    tcpFinTimeout: duration(),
    udpTimeout: duration(),
  }),
  nftables: struct({
    masqueradeBit: int32(),
    masqueradeAll: bool(),
    syncPeriod: duration(),
    minSyncPeriod: duration(),
  }),
  winkernel: struct({
    networkName: text(),
    sourceVip: text(),
    enableDSR: bool(),
    rootHnsEndpointName: text(),
    forwardHealthCheckVip: bool(),
  }),
  detectLocalMode: text(),
  detectLocal: struct({ bridgeInterface: text(), interfaceNamePrefix: text() }),
  clusterCIDR: text(),
  nodePortAddresses: texts(),
  oomScoreAdj: int32(),
  conntrack: struct({
    maxPerCore: int32(),
    min: int32(),
    tcpEstablishedTimeout: optionalDuration(),
    tcpCloseWaitTimeout: optionalDuration(),
    tcpBeLiberal: bool(),
    udpTimeout: duration(),
    udpStreamTimeout: duration(),
  }),
  configSyncPeriod: duration(),
  portRange: text(),
  windowsRunAsService: bool(),
});
export type KubeProxyConfiguration = z.infer<typeof kubeProxyConfigurationSchema>;

function text() {
  return z
    .string()
    .nullish()
    .transform((value) => value || null);
}

function bool() {
  return z
    .boolean()
    .nullish()
    .transform((value) => value ?? null);
}

function int32() {
  return z
    .int32()
    .nullish()
    .transform((value) => value ?? null);
}

/** Go decodes a null element of a list of strings into "". */
function texts() {
  return z
    .array(z.string().nullable())
    .nullish()
    .transform((items) => items?.map((item) => item ?? "") ?? null);
}

/** Go decodes a null value of a map of booleans into false. */
function gates() {
  return z
    .record(z.string(), z.boolean().nullable())
    .nullish()
    .transform((map) =>
      Object.fromEntries(Object.entries(map ?? {}).map(([name, on]) => [name, on ?? false])),
    );
}

function goDuration() {
  return z.string().regex(/^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/, {
    error: ({ input }) => `time: invalid duration ${JSON.stringify(input)}`,
  });
}

/** metav1.Duration refuses null: its UnmarshalJSON parses it as an empty duration. */
function duration() {
  return goDuration()
    .optional()
    .transform((value) => value ?? null);
}

/** *metav1.Duration takes null for unset. */
function optionalDuration() {
  return goDuration()
    .nullish()
    .transform((value) => value ?? null);
}

function struct<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => value ?? {}, z.strictObject(shape));
}
