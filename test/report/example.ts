import type { ClusterAudit, ScanResult, Verdict } from "#src/model/cluster-audit.ts";
import type { Source } from "#src/model/observed.ts";

export const NOW = "2027-03-01T12:00:00Z";
const AT = "2027-03-01T09:00:04Z";

export const TITLES = {
  "proxy-mode": "Proxy mode",
  "node-kernel": "Node kernels",
  "version-skew": "Version skew",
};

function kubernetes(ref: string): Source {
  return { kind: "kubernetes", ref, at: AT };
}

const KUBE_PROXY_CONFIG = kubernetes("/api/v1/namespaces/kube-system/configmaps/kube-proxy-config");

function verdict(target: string, with_: Partial<Verdict> & Pick<Verdict, "verdict">): Verdict {
  return {
    target,
    blockers: [],
    warnings: [],
    unknown: [],
    waived: [],
    reasons: [],
    certainty: null,
    controlPlaneAlone: null,
    covers: "kube-proxy, node kernel, container runtime",
    doesNotCover: "API removals, storage, admission",
    assumptions: [],
    auditedAt: AT,
    ...with_,
  };
}

/** Runs ipvs: blocked from 1.40, and somebody has set the gate too early. */
export const PAYMENTS: ClusterAudit = {
  id: "eks:111122223333/eu-west-1/payments",
  name: "payments",
  provider: "eks",
  account: "111122223333",
  region: "eu-west-1",
  team: "payments",
  environment: "prod",
  kubernetesVersion: "1.35",
  kubeProxyVersions: ["1.34", "1.35"],
  auditedAt: AT,
  reachable: true,
  dataPlane: {
    mode: "ipvs",
    effectiveMode: null,
    observedMode: "ipvs",
    replacedBy: null,
    managedBy: null,
    otherIpvsUsers: [],
    willStart: false,
    scheduler: "lc",
    strictARP: null,
    nodePortAddresses: null,
    featureGates: { KubeProxyIPVS: true },
    sources: [{ ref: "ConfigMap kube-system/kube-proxy-config data[config].mode", says: "ipvs" }],
    ignored: ["--proxy-mode=iptables"],
  },
  nodes: {
    count: 12,
    belowNftablesKernel: 3,
    unknownKernel: 0,
    containerd1: 4,
    pools: [
      { name: "general", count: 9, kernels: ["6.1.159-182.297.amzn2023.x86_64"], nftables: "yes" },
      { name: "legacy", count: 3, kernels: ["5.10.234-225.921.amzn2.x86_64"], nftables: "no" },
    ],
  },
  findings: [
    {
      check: "ipvs-settings-lost",
      about: "migration",
      status: "warning",
      title: "The ipvs scheduler lc has no counterpart in other modes",
      detail:
        "lc picks the endpoint with the fewest connections, counted on each node by itself. iptables and nftables pick at random.",
      evidence: [{ source: KUBE_PROXY_CONFIG, path: "data[config].ipvs.scheduler", excerpt: "lc" }],
      fix: "Use sessionAffinity or internalTrafficPolicy on the Services that depend on it",
      fingerprint: "ipvs-settings-lost/scheduler",
    },
    {
      check: "proxy-mode",
      about: "upgrade",
      status: "warning",
      title: "kube-proxy is configured for ipvs, which Kubernetes plans to remove",
      detail: "ipvs mode is off by default from 1.40, and kube-proxy then refuses to start with it.",
      evidence: [
        { source: KUBE_PROXY_CONFIG, path: "data[config].mode", excerpt: "ipvs" },
        {
          source: {
            kind: "log",
            ref: "/api/v1/namespaces/kube-system/pods/kube-proxy-x7k2p/log",
            at: "2027-03-01T09:00:07Z",
          },
          excerpt: "Using ipvs Proxier",
        },
      ],
      fix: "Set mode to nftables in the kube-proxy add-on",
      blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
      facts: ["ipvs-off-1.40"],
      fingerprint: "proxy-mode/ipvs",
    },
    {
      check: "ipvs-gate",
      about: "upgrade",
      status: "blocker",
      title: "kube-proxy will not start again: it does not know the feature gate KubeProxyIPVS",
      detail:
        "The gate exists from 1.37. The pods that run started before it was set; each one that restarts stays down.",
      evidence: [
        { source: KUBE_PROXY_CONFIG, path: "data[config].featureGates.KubeProxyIPVS", excerpt: "true" },
      ],
      fix: "Remove featureGates.KubeProxyIPVS from the kube-proxy add-on's configuration values",
      blocksFrom: { version: "1.35", component: "kube-proxy", certainty: "released" },
      fingerprint: "ipvs-gate/true-too-early",
    },
    {
      check: "nodeport-addresses",
      about: "migration",
      status: "warning",
      title: "NodePorts answer on every address today and only on the primary one under nftables",
      detail: "nodePortAddresses is not set.",
      evidence: [{ source: KUBE_PROXY_CONFIG, path: "data[config].nodePortAddresses", excerpt: "(not set)" }],
      fix: "Set nodePortAddresses to what clients use before changing the mode",
      upgradeFrom: { version: "1.40", certainty: "planned" },
      subjects: ["payments/api", "payments/callbacks"],
      subjectCount: 14,
      fingerprint: "nodeport-addresses/unset",
    },
    {
      check: "host-firewall",
      about: "migration",
      status: "info",
      title: "A firewall on the nodes may drop NodePort traffic under nftables",
      detail: "kube-proxy no longer opens NodePorts in a host firewall. The Kubernetes API cannot show one.",
      evidence: [],
      fix: "Check the nodes for firewalld or nft input chains with policy drop",
      fingerprint: "host-firewall/verify",
    },
    {
      check: "version-skew",
      about: "upgrade",
      status: "pass",
      title: "kube-proxy is within one version of the API server",
      detail: "",
      evidence: [],
      fingerprint: "version-skew/ok",
    },
  ],
  verdicts: {
    "1.40": verdict("1.40", {
      verdict: "blocked",
      blockers: ["ipvs-gate", "proxy-mode"],
      warnings: ["nodeport-addresses"],
      certainty: "planned",
      controlPlaneAlone: { kubeProxy: "1.39", atMost: "1.42" },
      assumptions: ["upstream's plan applies beyond the add-on versions that EKS has published"],
    }),
    "1.36": verdict("1.36", { verdict: "blocked", blockers: ["ipvs-gate"], certainty: "released" }),
  },
  unread: [],
};

/** Its role may not read kube-proxy's configuration. */
export const SEARCH: ClusterAudit = {
  id: "eks:444455556666/us-east-1/search",
  name: "search",
  provider: "eks",
  account: "444455556666",
  region: "us-east-1",
  team: null,
  environment: null,
  kubernetesVersion: "1.36",
  kubeProxyVersions: ["1.36"],
  auditedAt: AT,
  reachable: true,
  dataPlane: {
    mode: "unknown",
    effectiveMode: null,
    observedMode: null,
    replacedBy: null,
    managedBy: null,
    otherIpvsUsers: ["kube-vip"],
    willStart: null,
    scheduler: null,
    strictARP: null,
    nodePortAddresses: null,
    featureGates: {},
    sources: [],
    ignored: [],
  },
  nodes: { count: 1, belowNftablesKernel: 0, unknownKernel: 1, containerd1: 0, pools: [] },
  findings: [
    {
      check: "proxy-mode",
      about: "upgrade",
      status: "unknown",
      title: "The proxy mode could not be read",
      detail: "The ConfigMap kube-proxy-config is there, and this role may not read it.",
      evidence: [{ source: KUBE_PROXY_CONFIG, excerpt: "403 forbidden" }],
      fix: "Grant get on configmaps in kube-system: proxy-audit doctor",
      blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
      fingerprint: "proxy-mode/unread",
    },
  ],
  verdicts: {
    "1.37": verdict("1.37", { verdict: "clear-with-warnings", warnings: ["support-window"] }),
    "1.40": verdict("1.40", { verdict: "incomplete", unknown: ["proxy-mode"], waived: ["node-kernel"] }),
  },
  unread: [
    {
      what: "ConfigMap kube-system/kube-proxy-config",
      why: "forbidden",
      detail: 'configmaps "kube-proxy-config" is forbidden',
    },
  ],
};

/** nftables on new kernels: nothing to do. */
export const EDGE: ClusterAudit = {
  id: "kubeconfig:edge",
  name: "edge",
  provider: "k3s",
  account: null,
  region: null,
  team: "edge",
  environment: null,
  kubernetesVersion: "1.37",
  kubeProxyVersions: ["1.37"],
  auditedAt: AT,
  reachable: true,
  dataPlane: {
    mode: "nftables",
    effectiveMode: "nftables",
    observedMode: null,
    replacedBy: null,
    managedBy: null,
    otherIpvsUsers: [],
    willStart: true,
    scheduler: null,
    strictARP: null,
    nodePortAddresses: ["primary"],
    featureGates: {},
    sources: [{ ref: "Node annotation k3s.io/node-args", says: "nftables" }],
    ignored: [],
  },
  nodes: { count: 3, belowNftablesKernel: 0, unknownKernel: 0, containerd1: 0, pools: [] },
  findings: [
    {
      check: "proxy-mode",
      about: "upgrade",
      status: "pass",
      title: "kube-proxy runs in nftables mode",
      detail: "",
      evidence: [
        { source: kubernetes("/api/v1/nodes"), path: "k3s.io/node-args", excerpt: "proxy-mode=nftables" },
      ],
      fingerprint: "proxy-mode/nftables",
    },
    {
      check: "node-kernel",
      about: "upgrade",
      status: "pass",
      title: "Every node has kernel 5.13 or newer",
      detail: "",
      evidence: [],
      fingerprint: "node-kernel/ok",
    },
  ],
  verdicts: { "1.38": verdict("1.38", { verdict: "clear" }), "1.40": verdict("1.40", { verdict: "clear" }) },
  unread: [],
};

/** Nothing came from it: every check is unknown, or missing. */
export const DARK: ClusterAudit = {
  ...SEARCH,
  id: "kubeconfig:old-lab",
  name: "old-lab",
  provider: "unknown",
  account: null,
  region: null,
  kubernetesVersion: null,
  kubeProxyVersions: [],
  reachable: false,
  dataPlane: { ...SEARCH.dataPlane, otherIpvsUsers: [] },
  nodes: { ...SEARCH.nodes, count: 0, unknownKernel: 0 },
  findings: [],
  verdicts: {},
  unread: [{ what: "/version", why: "timeout", detail: "no answer from 10.0.0.7:6443 within 60 s" }],
};

export function scan(...clusters: ClusterAudit[]): ScanResult {
  return {
    schemaVersion: 1,
    startedAt: "2027-03-01T09:00:00Z",
    finishedAt: "2027-03-01T09:00:12Z",
    clusters,
  };
}

export const FLEET = scan(PAYMENTS, SEARCH, EDGE);

/** Everything that a name could carry to break a renderer, in the places that names come from. */
export const HOSTILE_NAME = `=cmd|' /C calc'!A0\x1b[31m\u202etxt\u200b<script>alert(1)</script>"><img src=x>]]>|\`x\`\n@here`;
export const HOSTILE: ClusterAudit = {
  ...SEARCH,
  id: `kubeconfig:${HOSTILE_NAME}`,
  name: HOSTILE_NAME,
  team: HOSTILE_NAME,
  findings: SEARCH.findings.map((finding) => ({
    ...finding,
    title: HOSTILE_NAME,
    detail: HOSTILE_NAME,
    fix: HOSTILE_NAME,
    subjects: [HOSTILE_NAME],
    evidence: [
      {
        source: { kind: "manifest" as const, ref: HOSTILE_NAME, at: AT },
        path: HOSTILE_NAME,
        excerpt: HOSTILE_NAME,
      },
    ],
  })),
  unread: [{ what: HOSTILE_NAME, why: "invalid", detail: HOSTILE_NAME }],
};
