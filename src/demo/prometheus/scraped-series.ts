import { parseSamples, type Sample } from "#src/kubernetes/metrics-text.ts";
import { type KubernetesObject, listAt, textAt } from "../api-server/kubernetes-object.ts";

/** What every kube-proxy and every kubelet of a cluster answers to GET /metrics. */
export interface MetricsPages {
  "kube-proxy"?: string;
  kubelet?: string;
}

const KUBE_PROXY_PORT = 10_249;
const KUBELET_PORT = 10_250;

/** The series that a Prometheus has after scraping the cluster, with the labels that it adds to each. */
export function scrapedSeries(objects: readonly KubernetesObject[], pages: MetricsPages): Sample[] {
  const proxies = objects
    .filter((object) => object.kind === "Pod" && runsKubeProxy(object))
    .map((pod) => ({
      job: "kube-proxy",
      instance: `${textAt(pod, "status.podIP")}:${KUBE_PROXY_PORT}`,
      namespace: pod.metadata.namespace ?? "",
      pod: pod.metadata.name ?? "",
      node: textAt(pod, "spec.nodeName") ?? "",
    }));
  const kubelets = objects
    .filter(({ kind }) => kind === "Node")
    .map((node) => ({
      job: "kubelet",
      instance: `${addressOf(node)}:${KUBELET_PORT}`,
      node: node.metadata.name ?? "",
    }));
  return [...scrape(proxies, pages["kube-proxy"] ?? ""), ...scrape(kubelets, pages.kubelet ?? "")];
}

function scrape(targets: readonly Record<string, string>[], page: string): Sample[] {
  const samples = parseSamples(page);
  return targets.flatMap((target) =>
    samples.map((sample) => ({ ...sample, labels: { ...sample.labels, ...target } })),
  );
}

function runsKubeProxy(pod: KubernetesObject): boolean {
  return listAt(pod, "spec.containers").some((container) => textAt(container, "name") === "kube-proxy");
}

function addressOf(node: KubernetesObject): string {
  const address = listAt(node, "status.addresses").find((one) => textAt(one, "type") === "InternalIP");
  return textAt(address, "address") ?? "";
}
