import type { DataPlaneReading } from "#src/evidence/data-plane/reading.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import { observedValue } from "#src/model/observed.ts";
import type { ProviderSignals } from "#src/providers/index.ts";

/** What the evidence shows of who made the cluster. */
export function providerSignalsOf(evidence: Evidence, dataPlane: DataPlaneReading): ProviderSignals {
  const nodes = observedValue(evidence.nodes) ?? [];
  const workloads = [evidence.daemonSets, evidence.deployments, evidence.statefulSets].flatMap(
    (list) => observedValue(list) ?? [],
  );
  const proxies = new Set(dataPlane.instances.map((instance) => `${instance.namespace}/${instance.name}`));
  const proxyWorkloads = [...workloads, ...(observedValue(evidence.systemPods) ?? [])].filter((workload) =>
    proxies.has(`${workload.namespace}/${workload.name}`),
  );
  const version = observedValue(evidence.version);
  return {
    gitVersion: version?.gitVersion ?? null,
    kubeletVersions: [...new Set(nodes.map((node) => node.kubeletVersion))],
    osImages: [...new Set(nodes.map((node) => node.osImage))],
    nodeLabels: new Set(
      nodes.flatMap((node) =>
        Object.entries(node.labels).flatMap(([key, value]) => [key, `${key}=${value}`]),
      ),
    ),
    workloads: new Set(
      workloads.map((workload) => `${workload.kind} ${workload.namespace}/${workload.name}`),
    ),
    kubeProxyLabels: new Set(
      proxyWorkloads.flatMap((workload) =>
        Object.entries(workload.labels).map(([key, value]) => `${key}=${value}`),
      ),
    ),
    kubeProxyImages: dataPlane.instances.flatMap((instance) => instance.image ?? []),
    configMapKeys: new Set(
      [...evidence.configMaps].flatMap(([name, read]) =>
        Object.keys(observedValue(read)?.data ?? {}).map((key) => `${name}[${key}]`),
      ),
    ),
    customKinds: new Set(
      evidence.customKinds.openShiftNetworks.seen === true ? ["Network.operator.openshift.io"] : [],
    ),
    answeredBy: new Set([
      ...(evidence.eks.cluster.seen === true || evidence.eks.addon.seen === true ? (["eks"] as const) : []),
      ...(evidence.aks.seen === true ? (["aks"] as const) : []),
    ]),
  };
}
