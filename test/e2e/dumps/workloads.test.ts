import { describe, expect, it } from "vitest";
import { config, configMap, daemonSet, flags, node, staticPod } from "../objects.ts";
import { dataPlaneOf, describeDumps, spellings } from "./dump.ts";

const ipvs = config("mode: ipvs", "ipvs:", "  scheduler: lc", "  strictARP: true");

describeDumps("several kube-proxies", [
  [
    "one for each architecture",
    [
      daemonSet({ name: "kube-proxy-amd64" }),
      daemonSet({ name: "kube-proxy-arm64", image: "k8s.gcr.io/kube-proxy-arm64:v1.35.2" }),
      configMap({ "config.conf": ipvs }),
    ],
    { mode: "ipvs" },
  ],
  [
    "Linux and Windows",
    [
      daemonSet(),
      daemonSet({
        name: "kube-proxy-windows",
        pod: { nodeSelector: { "kubernetes.io/os": "windows" } },
        command: ["kube-proxy.exe", "--proxy-mode=kernelspace"],
      }),
      configMap({ "config.conf": ipvs }),
    ],
    { mode: "ipvs", willStart: true },
  ],
  [
    "Windows by affinity",
    [
      daemonSet(),
      daemonSet({
        name: "kube-proxy-windows",
        pod: {
          nodeSelector: {},
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  { matchExpressions: [{ key: "kubernetes.io/os", operator: "In", values: ["windows"] }] },
                ],
              },
            },
          },
        },
        command: ["kube-proxy.exe", "--proxy-mode=kernelspace"],
      }),
      configMap({ "config.conf": ipvs }),
    ],
    { mode: "ipvs" },
  ],
  [
    "modes that differ",
    [
      flags("--proxy-mode=ipvs"),
      daemonSet({ name: "kube-proxy-new", command: ["kube-proxy", "--proxy-mode=nftables"] }),
    ],
    { mode: "mixed" },
  ],
  [
    "a parked one beside one that runs",
    [
      flags("--proxy-mode=iptables"),
      daemonSet({ name: "kube-proxy-old", command: ["kube-proxy", "--proxy-mode=ipvs"], desired: 0 }),
    ],
    { mode: "iptables" },
  ],
  [
    "static pods alike",
    [node("a"), node("b"), staticPod("a", ["--proxy-mode=ipvs"]), staticPod("b", ["--proxy-mode=ipvs"])],
    { mode: "ipvs" },
  ],
  [
    "static pods that differ",
    [node("a"), node("b"), staticPod("a", ["--proxy-mode=ipvs"]), staticPod("b", ["--proxy-mode=nftables"])],
    { mode: "mixed" },
  ],
]);

describeDumps("what is not kube-proxy", [
  [
    "a clean-up run",
    [daemonSet({ name: "cleanup", command: ["kube-proxy", "--cleanup"] })],
    { mode: "unknown" },
  ],
  [
    "an init container",
    [
      daemonSet({
        name: "agent",
        image: "example.com/agent:1",
        command: ["agent"],
        pod: {
          initContainers: [
            {
              name: "init",
              image: "kube-proxy:v1.35.0",
              command: ["kube-proxy", "--init-only", "--proxy-mode=ipvs"],
            },
          ],
        },
      }),
    ],
    { mode: "unknown" },
  ],
  [
    "one that mounts its ConfigMap",
    [
      daemonSet({ name: "speaker", image: "example.com/speaker:1", command: ["speaker"] }),
      configMap({ "config.conf": ipvs }),
    ],
    { mode: "unknown" },
  ],
  [
    "a proxy of RBAC",
    [
      daemonSet({
        name: "exporter",
        image: "quay.io/brancz/kube-rbac-proxy:v0.18.0",
        command: [],
        args: ["--secure-listen-address=:8443"],
      }),
    ],
    { mode: "unknown" },
  ],
]);

describe("dumps of pods, without their DaemonSets", () => {
  const pod = (name: string, args: string[]) => ({
    ...staticPod("a", args),
    metadata: {
      name,
      namespace: "kube-system",
      labels: { "k8s-app": "kube-proxy" },
      ownerReferences: [
        { apiVersion: "apps/v1", kind: "DaemonSet", name: "kube-proxy", uid: "u", controller: true },
      ],
    },
  });

  it("tell the mode all the same", async () => {
    const documents = [
      pod("kube-proxy-x2v9k", ["--proxy-mode=ipvs"]),
      pod("kube-proxy-8hq4z", ["--proxy-mode=ipvs"]),
    ];
    for (const text of spellings(documents)) expect(await dataPlaneOf(text)).toMatchObject({ mode: "ipvs" });
  });
});
