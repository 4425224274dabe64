import { addMinor, compareMinor, minorsBetween } from "#src/kubernetes/version.ts";
import type { Finding } from "#src/model/finding.ts";
import { maxControlPlaneFor } from "#src/timeline/skew.ts";
import type { Check, CheckInput } from "../check.ts";
import { finding, missing, unknownFinding } from "../findings.ts";

/** kube-proxy may differ from the kubelet beside it by three minor versions either way. */
const KUBELET_SKEW = 3;

/** kube-proxy against the API server and the kubelets (kubernetes.io, version skew policy). */
export const versionSkew: Check = {
  id: "version-skew",
  title: "kube-proxy's version against the API server and kubelets",
  about: "upgrade",
  canBlock: null,
  evidence: ["the API server's version", "kube-proxy's image", "kubelet versions"],
  permissions: ["get /version", "list daemonsets", "get, list pods in kube-system", "list nodes"],
  judge(input) {
    const { dataPlane, minor, kubeProxyMinors, evidence } = input;
    if (dataPlane.mode === "none") return [notApplicable(input)];
    const [oldest] = kubeProxyMinors;
    const newest = kubeProxyMinors.at(-1);
    // Without the API server's word the oldest kubelet stands in for it elsewhere, but proves nothing here.
    const serverRead = [evidence.version, evidence.eks.cluster, evidence.aks].some(
      (read) => read.seen === true,
    );
    if (minor === null || !serverRead || oldest === undefined || newest === undefined) return [unread(input)];
    const findings = [
      ...againstServer(input, minor, oldest, newest),
      ...againstKubelets(input, oldest, newest),
    ];
    return findings.length > 0 ? findings : [within(input, minor, oldest)];
  },
};

function imageEvidence({ dataPlane }: CheckInput): Finding["evidence"] {
  return dataPlane.running
    .filter((instance) => instance.version !== null)
    .slice(0, 10)
    .map((instance) => ({
      source: instance.evidence.source,
      path: `${instance.ref} ${instance.kind === "Node" ? "kubeletVersion" : "image"}`,
      excerpt: instance.version?.raw ?? "",
    }));
}

function againstServer(input: CheckInput, server: string, oldest: string, newest: string): Finding[] {
  const { name } = input.evidence.cluster;
  const limit = maxControlPlaneFor(oldest);
  const findings: Finding[] = [];
  if (compareMinor(newest, server) > 0) {
    findings.push(
      finding(versionSkew, input, {
        status: "warning",
        title: `kube-proxy ${newest} is newer than the API server ${server}`,
        detail: `${name}: the version skew policy does not allow a kube-proxy that is newer than the API server: it may use an API that is not there yet.`,
        evidence: imageEvidence(input),
        fix: `Take kube-proxy back to ${server}, or upgrade the control plane to ${newest}.`,
        facts: ["version-skew"],
        what: "newer",
      }),
    );
  }
  if (compareMinor(server, limit) > 0) {
    findings.push(
      finding(versionSkew, input, {
        status: "warning",
        title: `kube-proxy ${oldest} is too old for the API server ${server}`,
        detail: `${name}: kube-proxy ${oldest} is supported beside API servers up to ${limit}. This one is ${server}.`,
        evidence: imageEvidence(input),
        fix: `Upgrade kube-proxy to ${server}, at the least to ${oldestFor(server)}.${input.provider.id === "eks" ? " On EKS that is an update of the kube-proxy add-on." : ""}`,
        facts: ["version-skew"],
        what: "too-old",
      }),
    );
  } else if (minorsBetween(oldest, server) >= 2) {
    findings.push(
      finding(versionSkew, input, {
        status: "info",
        title: `kube-proxy ${oldest} lags behind the API server ${server}`,
        detail: `${name}: with kube-proxy ${oldest} the control plane may be at most ${limit}, so kube-proxy holds up a later upgrade.`,
        evidence: imageEvidence(input),
        fix: `Upgrade kube-proxy to ${server} before the control plane passes ${limit}.`,
        facts: ["version-skew"],
        what: "lags",
      }),
    );
  }
  return findings;
}

function againstKubelets(input: CheckInput, oldest: string, newest: string): Finding[] {
  const [lowest] = input.kubeletMinors;
  const highest = input.kubeletMinors.at(-1);
  if (lowest === undefined || highest === undefined) return [];
  const apart = Math.max(minorsBetween(lowest, newest), minorsBetween(oldest, highest));
  if (apart <= KUBELET_SKEW) return [];
  return [
    finding(versionSkew, input, {
      status: "warning",
      title: `kube-proxy and a kubelet are ${apart} minor versions apart`,
      detail: `${input.evidence.cluster.name}: kube-proxy ${oldest === newest ? oldest : `${oldest} to ${newest}`}, ${lowest === highest ? `kubelets ${lowest}` : `kubelets ${lowest} to ${highest}`}. Three are supported where both run on one node.`,
      evidence: imageEvidence(input),
      fix: "Upgrade the nodes or kube-proxy so that they are at most three minor versions apart.",
      facts: ["version-skew"],
      what: "kubelets",
    }),
  ];
}

/** The oldest kube-proxy that may run beside an API server of that version. */
function oldestFor(server: string): string {
  return addMinor(server, -3);
}

function within(input: CheckInput, server: string, oldest: string): Finding {
  return finding(versionSkew, input, {
    status: "pass",
    title: `kube-proxy ${oldest} fits the API server ${server} and the kubelets`,
    detail: `${input.evidence.cluster.name}: with kube-proxy ${oldest} the control plane may be at most ${maxControlPlaneFor(oldest)}.`,
    evidence: imageEvidence(input),
    facts: ["version-skew"],
    what: "within",
  });
}

function notApplicable(input: CheckInput): Finding {
  return finding(versionSkew, input, {
    status: "info",
    title: "No kube-proxy runs: its version skew does not matter",
    detail: `${input.evidence.cluster.name}: ${input.dataPlane.replacedBy} replaces kube-proxy and has a support matrix of its own, which is not judged here.`,
    evidence: input.dataPlane.replacements.map((replacement) => replacement.evidence),
    what: "replaced",
  });
}

function unread(input: CheckInput): Finding {
  const { version, cluster } = input.evidence;
  return unknownFinding(versionSkew, input, {
    title: "How far kube-proxy is from the API server is unknown",
    detail: `${cluster.name}: a kube-proxy more than three minor versions behind holds up the upgrade of the control plane.`,
    unread:
      input.kubeProxyMinors.length > 0 && version.seen === false
        ? version
        : missing("no kube-proxy version could be told", input.evidence.daemonSets.source),
    fix: "Compare the versions by hand: kubectl version, and the image of kube-proxy (kubectl -n kube-system get daemonsets -o wide).",
    facts: ["version-skew"],
    what: "unknown",
  });
}
