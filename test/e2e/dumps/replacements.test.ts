import { config, configMap, daemonSet, flags, listOf } from "../objects.ts";
import { describeDumps } from "./dump.ts";

const ipvs = config("mode: ipvs", "ipvs:", "  scheduler: lc", "  strictARP: true");

const cilium = (value: string, namespace = "kube-system") =>
  configMap({ "kube-proxy-replacement": value }, "cilium-config", namespace);

const agent = (namespace: string) =>
  daemonSet({
    name: "cilium",
    namespace,
    image: "quay.io/cilium/cilium:v1.18.3",
    command: ["cilium-agent", "--config-dir=/tmp/cilium/config-map"],
    pod: { volumes: [{ name: "cilium-config-path", configMap: { name: "cilium-config" } }] },
  });

describeDumps("what replaces kube-proxy", [
  ["Cilium", [cilium("true"), agent("kube-system")], { mode: "none", replacedBy: "cilium" }],
  [
    "Cilium in a namespace of its own",
    [cilium("true", "cilium"), agent("cilium")],
    { mode: "none", replacedBy: "cilium" },
  ],
  [
    "Cilium that does it in part",
    [cilium("partial"), agent("kube-system")],
    { mode: "unknown", replacedBy: null },
  ],
  [
    "Calico's Installation",
    [
      listOf(),
      {
        apiVersion: "operator.tigera.io/v1",
        kind: "Installation",
        metadata: { name: "default" },
        spec: { calicoNetwork: { linuxDataplane: "BPF" } },
      },
    ],
    { mode: "none", replacedBy: "calico-ebpf" },
  ],
  [
    "Calico beside a parked kube-proxy",
    [
      daemonSet({ desired: 0, pod: { nodeSelector: { "non-calico": "true" } } }),
      configMap({ "config.conf": ipvs }),
      {
        apiVersion: "projectcalico.org/v3",
        kind: "FelixConfiguration",
        metadata: { name: "default" },
        spec: { bpfEnabled: true },
      },
    ],
    { mode: "none", replacedBy: "calico-ebpf" },
  ],
  [
    "Antrea for all",
    [
      daemonSet({
        name: "antrea-agent",
        image: "antrea/antrea-agent-ubuntu:v2.3.0",
        command: ["antrea-agent"],
        pod: { volumes: [{ name: "c", configMap: { name: "antrea-config" } }] },
      }),
      configMap({ "antrea-agent.conf": "antreaProxy:\n  proxyAll: true\n" }, "antrea-config"),
    ],
    { mode: "none", replacedBy: "antrea" },
  ],
  [
    "Antrea for Pods only",
    [
      daemonSet({
        name: "antrea-agent",
        image: "antrea/antrea-agent-ubuntu:v2.3.0",
        command: ["antrea-agent"],
        pod: { volumes: [{ name: "c", configMap: { name: "antrea-config" } }] },
      }),
      configMap({ "antrea-agent.conf": "antreaProxy:\n  proxyAll: false\n" }, "antrea-config"),
    ],
    { mode: "unknown", replacedBy: null },
  ],
  [
    "Dataplane V2 of GKE",
    [daemonSet({ name: "anetd", image: "gke.gcr.io/cilium/cilium:v1.15", command: ["/entrypoint.sh"] })],
    { mode: "none", replacedBy: "cilium" },
  ],
  [
    "kube-router",
    [
      daemonSet({
        name: "kube-router",
        image: "docker.io/cloudnativelabs/kube-router:v2.5.0",
        command: [],
        args: ["--run-router=true", "--run-service-proxy=true"],
      }),
    ],
    { mode: "none", replacedBy: "kube-router", otherIpvsUsers: ["kube-router"] },
  ],
  [
    "kube-router that only routes",
    [
      daemonSet({
        name: "kube-router",
        image: "docker.io/cloudnativelabs/kube-router:v2.5.0",
        command: [],
        args: ["--run-router=true", "--run-service-proxy=false"],
      }),
      flags("--proxy-mode=ipvs"),
    ],
    { mode: "ipvs", replacedBy: null, otherIpvsUsers: [] },
  ],
]);

describeDumps("who else uses kernel IPVS", [
  [
    "kube-vip that balances",
    [
      flags("--proxy-mode=iptables"),
      daemonSet({
        name: "kube-vip-ds",
        image: "ghcr.io/kube-vip/kube-vip:v0.9.2",
        command: [],
        args: ["manager"],
        container: { env: [{ name: "lb_enable", value: "true" }] },
      }),
    ],
    { mode: "iptables", otherIpvsUsers: ["kube-vip"] },
  ],
  [
    "kube-vip that only holds an address",
    [
      flags("--proxy-mode=iptables"),
      daemonSet({
        name: "kube-vip-ds",
        image: "ghcr.io/kube-vip/kube-vip:v0.9.2",
        command: [],
        args: ["manager"],
        container: { env: [{ name: "lb_enable", value: "false" }] },
      }),
    ],
    { mode: "iptables", otherIpvsUsers: [] },
  ],
]);
