import { daemonSet, listOf, node, staticPod } from "../objects.ts";
import { describeDumps } from "./dump.ts";

const k3sNode = (name: string, args: string[]) =>
  node(
    name,
    { kubeletVersion: "v1.35.2+k3s1", osImage: "K3s" },
    { annotations: { "k3s.io/node-args": JSON.stringify(args) } },
  );

describeDumps("kube-proxy that a distribution or a cloud runs", [
  ["k3s", [k3sNode("a", ["server", "--kube-proxy-arg", "proxy-mode=ipvs"])], { mode: "ipvs" }],
  ["k3s by a flag with =", [k3sNode("a", ["server", "--kube-proxy-arg=proxy-mode=ipvs"])], { mode: "ipvs" }],
  ["k3s without an argument", [k3sNode("a", ["server"])], { mode: "iptables" }],
  ["k3s whose annotation is gone", [node("a", { kubeletVersion: "v1.35.2+k3s1" })], { mode: "unknown" }],
  [
    "a service of the host (RKE1, microk8s)",
    [listOf(), node("a", { kubeletVersion: "v1.28.4" }), flagsOfAnother()],
    { mode: "unknown" },
  ],
  [
    "GKE's static pods",
    [
      node("gke-a", { kubeletVersion: "v1.33.4-gke.1350000" }),
      staticPod("gke-a", [], {
        containers: [
          {
            name: "kube-proxy",
            image: "gke.gcr.io/kube-proxy-amd64:v1.33.4-gke.1350000",
            command: [
              "/bin/sh",
              "-c",
              "exec kube-proxy --v=2 --oom-score-adj=-998 1>>/var/log/kube-proxy.log 2>&1",
            ],
          },
        ],
      }),
    ],
    { mode: "unset", effectiveMode: "iptables", managedBy: "provider" },
  ],
]);

function flagsOfAnother(): object {
  return daemonSet({ name: "calico-node", image: "docker.io/calico/node:v3.30.1", command: ["start_runit"] });
}
