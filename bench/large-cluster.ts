/** A cluster of `count` nodes: real in what an audit reads, and in the size of its objects. */

type Json = Record<string, unknown>;

const KERNELS = ["5.10.245-241.978.amzn2.x86_64", "6.1.176-221.360.amzn2023.x86_64"];
const DAEMON_SETS = ["kube-proxy", "aws-node", "ebs-csi-node"];
const SERVICES = 1_000;

export function largeCluster(count: number): Json[] {
  const nodes = Array.from({ length: count }, (_, index) => nodeOf(index));
  const pods = DAEMON_SETS.flatMap((name) => nodes.map((_, index) => podOf(name, index)));
  return [
    ...nodes,
    ...DAEMON_SETS.map((name) => daemonSetOf(name, count)),
    ...pods,
    ...Array.from({ length: SERVICES }, (_, index) => serviceOf(index)),
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "kube-proxy-config", namespace: "kube-system" },
      data: {
        config:
          "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: ipvs\nipvs:\n  scheduler: rr\n",
      },
    },
  ];
}

function nodeName(index: number): string {
  return `ip-10-${index >> 16}-${(index >> 8) & 255}-${index & 255}.eu-west-1.compute.internal`;
}

function nodeOf(index: number): Json {
  const pool = `pool-${index % 8}`;
  const labels = {
    "kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": nodeName(index),
    "eks.amazonaws.com/nodegroup": pool,
    "node.kubernetes.io/instance-type": "m6i.2xlarge",
    "topology.kubernetes.io/region": "eu-west-1",
    "topology.kubernetes.io/zone": `eu-west-1${"abc"[index % 3]}`,
  };
  const owned = Object.fromEntries(Object.keys(labels).map((key) => [`f:${key}`, {}]));
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: nodeName(index),
      labels,
      annotations: {
        "node.alpha.kubernetes.io/ttl": "300",
        "csi.volume.kubernetes.io/nodeid": "x".repeat(90),
      },
      managedFields: ["kubelet", "vpc-resource-controller", "kube-controller-manager"].map((manager) => ({
        manager,
        operation: "Update",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:metadata": { "f:labels": owned } },
      })),
    },
    spec: { providerID: `aws:///eu-west-1a/i-${index.toString(16).padStart(17, "0")}` },
    status: {
      capacity: { cpu: "8", memory: "32386544Ki", pods: "58" },
      conditions: ["MemoryPressure", "DiskPressure", "PIDPressure", "Ready"].map((type) => ({
        type,
        status: type === "Ready" ? "True" : "False",
        lastHeartbeatTime: "2026-11-30T08:59:00Z",
        lastTransitionTime: "2026-11-01T08:59:00Z",
        reason: "KubeletHas",
        message: "kubelet is posting ready status",
      })),
      // The kubelet reports fifty images: most of a Node's size.
      images: Array.from({ length: 50 }, (_, image) => ({
        names: [
          `602401143452.dkr.ecr.eu-west-1.amazonaws.com/team/image-${image}@sha256:${"0".repeat(64)}`,
          `602401143452.dkr.ecr.eu-west-1.amazonaws.com/team/image-${image}:v1.${image}.0`,
        ],
        sizeBytes: 100_000_000 + image,
      })),
      nodeInfo: {
        kubeletVersion: "v1.35.2-eks-99d6cc0",
        kernelVersion: KERNELS[index % 8 === 0 ? 0 : 1],
        osImage: index % 8 === 0 ? "Amazon Linux 2" : "Amazon Linux 2023.8.20250818",
        operatingSystem: "linux",
        architecture: "amd64",
        containerRuntimeVersion: "containerd://2.1.5",
      },
    },
  };
}

function daemonSetOf(name: string, desired: number): Json {
  const labels = { "k8s-app": name };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name, namespace: "kube-system", labels },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpecOf(name) } },
    status: { desiredNumberScheduled: desired, numberReady: desired },
  };
}

function podSpecOf(name: string): Json {
  const command =
    name === "kube-proxy" ? ["kube-proxy", "--v=2", "--config=/var/lib/kube-proxy-config/config"] : [name];
  return {
    hostNetwork: true,
    containers: [
      {
        name,
        image: `602401143452.dkr.ecr.eu-west-1.amazonaws.com/eks/${name}:v1.35.2-eksbuild.4`,
        command,
        volumeMounts: [{ name: "config", mountPath: "/var/lib/kube-proxy-config" }],
      },
    ],
    volumes: [{ name: "config", configMap: { name: `${name}-config` } }],
  };
}

function podOf(name: string, index: number): Json {
  const suffix = index.toString(36).padStart(5, "0");
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${name}-${suffix}`,
      namespace: "kube-system",
      labels: { "k8s-app": name },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "DaemonSet", name, uid: name, controller: true }],
    },
    spec: { ...podSpecOf(name), nodeName: nodeName(index) },
    status: { phase: "Running", startTime: "2026-11-01T09:00:00Z" },
  };
}

function serviceOf(index: number): Json {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: `service-${index}`, namespace: `team-${index % 20}` },
    spec: {
      type: index % 50 === 0 ? "NodePort" : "ClusterIP",
      clusterIP: `172.20.${index >> 8}.${index & 255}`,
      ports: [
        {
          port: 80,
          protocol: "TCP",
          targetPort: 8080,
          ...(index % 50 === 0 ? { nodePort: 30000 + index } : {}),
        },
      ],
      selector: { app: `service-${index}` },
    },
  };
}
