import { config, configMap, daemonSet } from "../objects.ts";
import { describeDumps } from "./dump.ts";

const ipvs = config("mode: ipvs", "ipvs:", "  scheduler: lc", "  strictARP: true");

const iptables = config("mode: iptables");

describeDumps("a configuration file", [
  [
    "from a ConfigMap",
    [daemonSet(), configMap({ "config.conf": ipvs })],
    { mode: "ipvs", scheduler: "lc", strictARP: true },
  ],
  [
    "through a projected volume",
    [
      daemonSet({
        pod: {
          volumes: [{ name: "config", projected: { sources: [{ configMap: { name: "kube-proxy" } }] } }],
        },
      }),
      configMap({ "config.conf": ipvs }),
    ],
    { mode: "ipvs" },
  ],
  [
    "renamed by items",
    [
      daemonSet({
        pod: {
          volumes: [
            {
              name: "config",
              configMap: { name: "kube-proxy", items: [{ key: "linux", path: "config.conf" }] },
            },
          ],
        },
      }),
      configMap({ linux: ipvs, "config.conf": iptables }),
    ],
    { mode: "ipvs" },
  ],
  [
    "by subPath",
    [
      daemonSet({
        container: {
          volumeMounts: [
            { name: "config", mountPath: "/var/lib/kube-proxy/config.conf", subPath: "linux.conf" },
          ],
        },
      }),
      configMap({ "linux.conf": ipvs, "config.conf": iptables }),
    ],
    { mode: "ipvs" },
  ],
  [
    "wins over flags",
    [daemonSet({ args: ["--proxy-mode=ipvs"] }), configMap({ "config.conf": iptables })],
    { mode: "iptables", ignored: ["--proxy-mode=ipvs"] },
  ],
  [
    "by --config and its value apart",
    [
      daemonSet({ command: ["kube-proxy", "--config", "/var/lib/kube-proxy/config.conf"] }),
      configMap({ "config.conf": ipvs }),
    ],
    { mode: "ipvs" },
  ],
  [
    "in capital letters",
    [daemonSet(), configMap({ "config.conf": config("mode: IPVS") })],
    { mode: "unknown", willStart: false },
  ],
  [
    "in JSON",
    [
      daemonSet(),
      configMap({
        "config.conf": JSON.stringify({
          apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
          kind: "KubeProxyConfiguration",
          mode: "ipvs",
        }),
      }),
    ],
    { mode: "ipvs" },
  ],
  [
    "with yes and no",
    [daemonSet(), configMap({ "config.conf": config("mode: ipvs", "ipvs:", "  strictARP: yes") })],
    { mode: "ipvs", strictARP: true },
  ],
  [
    "of an API version that there is not",
    [
      daemonSet(),
      configMap({
        "config.conf":
          "apiVersion: kubeproxy.config.k8s.io/v1alpha2\nkind: KubeProxyConfiguration\nmode: ipvs\n",
      }),
    ],
    { willStart: false },
  ],
  ["in no ConfigMap of the dump", [daemonSet()], { mode: "unknown", willStart: null }],
  [
    "under a key that the ConfigMap does not have",
    [daemonSet(), configMap({ other: ipvs })],
    { mode: "unknown" },
  ],
  [
    "on the node",
    [
      daemonSet({ pod: { volumes: [{ name: "config", hostPath: { path: "/etc/kube-proxy" } }] } }),
      configMap({ "config.conf": ipvs }),
    ],
    { mode: "unknown" },
  ],
  [
    "in objects without a namespace",
    [daemonSet({ namespace: null }), configMap({ "config.conf": ipvs }, "kube-proxy", null)],
    { mode: "ipvs" },
  ],
  [
    "in a namespace of its own",
    [daemonSet({ namespace: "network" }), configMap({ "config.conf": ipvs }, "kube-proxy", "network")],
    { mode: "ipvs" },
  ],
]);
