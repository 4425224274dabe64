import { configMap, daemonSet, flags } from "../objects.ts";
import { describeDumps } from "./dump.ts";

describeDumps("flags without a file", [
  [
    "--flag=value",
    [flags("--proxy-mode=ipvs", "--ipvs-scheduler=lc")],
    { mode: "ipvs", scheduler: "lc", willStart: true },
  ],
  [
    "--flag value",
    [flags("--proxy-mode", "ipvs", "--ipvs-scheduler", "sh")],
    { mode: "ipvs", scheduler: "sh" },
  ],
  ["the last one wins", [flags("--proxy-mode=ipvs", "--proxy-mode=nftables")], { mode: "nftables" }],
  [
    "a value in quotes in a shell",
    [daemonSet({ command: ["sh", "-c", "exec kube-proxy --proxy-mode='ipvs' --v=2"] })],
    { mode: "ipvs" },
  ],
  ["an empty value is the default", [flags("--proxy-mode=")], { mode: "unset", effectiveMode: "iptables" }],
  ["no flag at all", [flags("--v=2")], { mode: "unset", effectiveMode: "iptables", willStart: true }],
  [
    "capital letters are refused",
    [flags("--proxy-mode=IPVS")],
    { mode: "unknown", effectiveMode: null, willStart: false },
  ],
  [
    "arguments of the image's own entry point",
    [daemonSet({ command: [], args: ["--proxy-mode=ipvs"] })],
    { mode: "ipvs" },
  ],
  [
    "feature gates by flag",
    [flags("--proxy-mode=ipvs", "--feature-gates=KubeProxyIPVS=true")],
    { willStart: false, featureGates: { KubeProxyIPVS: true } },
  ],
  [
    "addresses of NodePorts",
    [flags("--proxy-mode=iptables", "--nodeport-addresses=192.0.2.0/24,127.0.0.0/8")],
    { nodePortAddresses: ["192.0.2.0/24", "127.0.0.0/8"] },
  ],
  [
    "an argument from the environment",
    [
      daemonSet({
        command: ["kube-proxy", "--proxy-mode=$(MODE)"],
        container: { env: [{ name: "MODE", value: "ipvs" }] },
      }),
    ],
    { mode: "ipvs" },
  ],
  [
    "an argument from a ConfigMap's every key",
    [
      daemonSet({
        command: ["kube-proxy", "--proxy-mode=$(MODE)"],
        container: { envFrom: [{ configMapRef: { name: "settings" } }] },
      }),
      configMap({ MODE: "ipvs" }, "settings"),
    ],
    { mode: "ipvs" },
  ],
  [
    "the same with a prefix",
    [
      daemonSet({
        command: ["kube-proxy", "--proxy-mode=$(KP_MODE)"],
        container: { envFrom: [{ prefix: "KP_", configMapRef: { name: "settings" } }] },
      }),
      configMap({ MODE: "ipvs" }, "settings"),
    ],
    { mode: "ipvs" },
  ],
  [
    "an argument from a ConfigMap that is not in the dump",
    [
      daemonSet({
        command: ["kube-proxy", "--proxy-mode=$(MODE)"],
        container: { envFrom: [{ configMapRef: { name: "settings" } }] },
      }),
    ],
    { mode: "unknown" },
  ],
  [
    "one that a later, unread ConfigMap can override",
    [
      daemonSet({
        command: ["kube-proxy", "--proxy-mode=$(MODE)"],
        container: {
          envFrom: [{ configMapRef: { name: "settings" } }, { configMapRef: { name: "overrides" } }],
        },
      }),
      configMap({ MODE: "iptables" }, "settings"),
    ],
    { mode: "unknown" },
  ],
  [
    "one that a Secret can override",
    [
      daemonSet({
        command: ["kube-proxy", "--proxy-mode=$(MODE)"],
        container: {
          envFrom: [{ configMapRef: { name: "settings" } }, { secretRef: { name: "overrides" } }],
        },
      }),
      configMap({ MODE: "iptables" }, "settings"),
    ],
    { mode: "unknown" },
  ],
]);
