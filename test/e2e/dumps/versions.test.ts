import { config, configMap, daemonSet } from "../objects.ts";
import { describeDumps } from "./dump.ts";

describeDumps("versions decide what is refused", [
  [
    "KubeProxyIPVS at 1.36",
    [
      daemonSet({ image: "kube-proxy:v1.36.0" }),
      configMap({ "config.conf": config("mode: ipvs", "featureGates:", "  KubeProxyIPVS: true") }),
    ],
    { willStart: false },
  ],
  [
    "KubeProxyIPVS at 1.37",
    [
      daemonSet({ image: "kube-proxy:v1.37.0" }),
      configMap({ "config.conf": config("mode: ipvs", "featureGates:", "  KubeProxyIPVS: true") }),
    ],
    { willStart: true, effectiveMode: "ipvs" },
  ],
  [
    "the rehearsal of 1.40",
    [
      daemonSet({ image: "kube-proxy:v1.37.0" }),
      configMap({ "config.conf": config("mode: ipvs", "featureGates:", "  KubeProxyIPVS: false") }),
    ],
    { mode: "ipvs", willStart: false, effectiveMode: null },
  ],
  [
    "ipvs at 1.40",
    [daemonSet({ image: "kube-proxy:v1.40.0" }), configMap({ "config.conf": config("mode: ipvs") })],
    { mode: "ipvs", willStart: false, effectiveMode: null },
  ],
  [
    "ipvs at 1.43, forced",
    [
      daemonSet({ image: "kube-proxy:v1.43.0" }),
      configMap({ "config.conf": config("mode: ipvs", "featureGates:", "  KubeProxyIPVS: true") }),
    ],
    { mode: "ipvs", willStart: false, effectiveMode: null },
  ],
  [
    "nftables at 1.28",
    [daemonSet({ image: "kube-proxy:v1.28.4" }), configMap({ "config.conf": config("mode: nftables") })],
    { mode: "nftables", willStart: false, effectiveMode: null },
  ],
  [
    "nftables at 1.33",
    [daemonSet({ image: "kube-proxy:v1.33.1" }), configMap({ "config.conf": config("mode: nftables") })],
    { willStart: true },
  ],
  [
    "userspace at 1.26",
    [daemonSet({ image: "kube-proxy:v1.26.0" }), configMap({ "config.conf": config("mode: userspace") })],
    { willStart: false },
  ],
  [
    "NodePorts on localhost by word at 1.36",
    [
      daemonSet({ image: "kube-proxy:v1.36.0" }),
      configMap({ "config.conf": config("mode: nftables", "nodePortAddresses: [localhost]") }),
    ],
    { willStart: false },
  ],
  [
    "unset at 1.40",
    [daemonSet({ image: "kube-proxy:v1.40.0" }), configMap({ "config.conf": config("mode: ''") })],
    { mode: "unset", effectiveMode: "nftables" },
  ],
]);
