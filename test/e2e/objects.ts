/** Kubernetes objects as `kubectl get -o json` prints them, cut down to what proxy-audit reads. */

type Json = Record<string, unknown>;

interface ProxyDaemonSet {
  name?: string;
  /** null: left out, as in a file that kustomize will give one. */
  namespace?: string | null;
  image?: string;
  command?: string[];
  args?: string[];
  container?: Json;
  pod?: Json;
  desired?: number | null;
}

/** kubeadm's kube-proxy: its file comes from ConfigMap kube-proxy, key config.conf. */
export function daemonSet({
  name = "kube-proxy",
  namespace = "kube-system",
  image = "registry.k8s.io/kube-proxy:v1.35.2",
  command = ["/usr/local/bin/kube-proxy", "--config=/var/lib/kube-proxy/config.conf"],
  args,
  container = {},
  pod = {},
  desired = 1,
}: ProxyDaemonSet = {}): Json {
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name, ...(namespace === null ? {} : { namespace }), labels: { "k8s-app": "kube-proxy" } },
    spec: {
      selector: { matchLabels: { "k8s-app": name } },
      template: {
        metadata: { labels: { "k8s-app": name } },
        spec: {
          hostNetwork: true,
          nodeSelector: { "kubernetes.io/os": "linux" },
          containers: [
            {
              name: "kube-proxy",
              image,
              ...(command.length > 0 ? { command } : {}),
              ...(args ? { args } : {}),
              volumeMounts: [{ name: "config", mountPath: "/var/lib/kube-proxy" }],
              ...container,
            },
          ],
          volumes: [{ name: "config", configMap: { name: "kube-proxy" } }],
          ...pod,
        },
      },
    },
    ...(desired === null ? {} : { status: { desiredNumberScheduled: desired, numberReady: desired } }),
  };
}

/** A kube-proxy that is configured by flags only. */
export function flags(...args: string[]): Json {
  return daemonSet({ command: ["kube-proxy", ...args], pod: { volumes: [] } });
}

export function configMap(
  data: Record<string, string>,
  name = "kube-proxy",
  namespace: string | null = "kube-system",
): Json {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, ...(namespace === null ? {} : { namespace }) },
    data,
  };
}

/** kube-proxy's configuration file. */
export function config(...lines: string[]): string {
  return ["apiVersion: kubeproxy.config.k8s.io/v1alpha1", "kind: KubeProxyConfiguration", ...lines, ""].join(
    "\n",
  );
}

export function node(name: string, info: Json = {}, metadata: Json = {}): Json {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/os": "linux" }, ...metadata },
    status: {
      nodeInfo: {
        kubeletVersion: "v1.35.2",
        kernelVersion: "6.8.0-63-generic",
        osImage: "Ubuntu 24.04.2 LTS",
        operatingSystem: "linux",
        containerRuntimeVersion: "containerd://2.1.3",
        ...info,
      },
    },
  };
}

/** A mirror pod of a static kube-proxy pod. */
export function staticPod(nodeName: string, args: string[], more: Json = {}): Json {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `kube-proxy-${nodeName}`,
      namespace: "kube-system",
      labels: { component: "kube-proxy", tier: "node" },
      annotations: { "kubernetes.io/config.source": "file" },
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name: nodeName, uid: nodeName, controller: true }],
    },
    spec: {
      hostNetwork: true,
      nodeName,
      containers: [
        { name: "kube-proxy", image: "registry.k8s.io/kube-proxy:v1.35.2", command: ["kube-proxy"], args },
      ],
      ...more,
    },
  };
}

export function listOf(...items: Json[]): Json {
  return { apiVersion: "v1", kind: "List", metadata: { resourceVersion: "" }, items };
}
