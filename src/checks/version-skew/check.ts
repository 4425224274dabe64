import { compareMinor, minorsBetween } from "#src/kubernetes/version.ts";
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
    const { dataPlane, minor, kubeProxyMinors } = input;
    if (dataPlane.mode === "none") return [notApplicable(input)];
    const [oldest] = kubeProxyMinors;
    const newest = kubeProxyMinors.at(-1);
    if (
      minor === null ||
      input.evidence.version.seen === false ||
      oldest === undefined ||
      newest === undefined
    ) {
      return [unread(input)];
    }
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
        detail: `${name}: kube-proxy must not be newer than the API server. It works in practice until it uses an API that is not there yet.`,
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
        fix: `Upgrade kube-proxy to ${server} (at the least to a version within three minors), on EKS by the kube-proxy add-on.`,
        facts: ["version-skew"],
        what: "too-old",
      }),
    );
  } else if (minorsBetween(oldest, server) >= 2) {
    findings.push(
      finding(versionSkew, input, {
        status: "info",
        title: `kube-proxy ${oldest} lags behind the API server ${server}`,
        detail: `${name}: with kube-proxy ${oldest} the control plane may be at most ${limit}. kube-proxy is upgraded apart from it here.`,
        evidence: imageEvidence(input),
        fix: `Upgrade kube-proxy with the control plane; before ${limit} at the latest.`,
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
      detail: `${input.evidence.cluster.name}: kube-proxy ${oldest === newest ? oldest : `${oldest} to ${newest}`}, kubelets ${lowest} to ${highest}. Three are supported.`,
      evidence: imageEvidence(input),
      fix: "Upgrade the nodes or kube-proxy so that they are at most three minor versions apart.",
      facts: ["version-skew"],
      what: "kubelets",
    }),
  ];
}

function within(input: CheckInput, server: string, oldest: string): Finding {
  return finding(versionSkew, input, {
    status: "pass",
    title: `kube-proxy ${oldest} fits the API server ${server} and the kubelets`,
    detail: `With kube-proxy ${oldest} the control plane may be at most ${maxControlPlaneFor(oldest)}.`,
    evidence: imageEvidence(input),
    facts: ["version-skew"],
    what: "within",
  });
}

function notApplicable(input: CheckInput): Finding {
  return finding(versionSkew, input, {
    status: "info",
    title: "No kube-proxy runs: its version skew does not matter",
    detail: `${input.dataPlane.replacedBy} replaces kube-proxy and has a support matrix of its own, which is not judged here.`,
    evidence: input.dataPlane.replacements.map((replacement) => replacement.evidence),
    what: "replaced",
  });
}

function unread(input: CheckInput): Finding {
  const { version, daemonSets } = input.evidence;
  return unknownFinding(versionSkew, input, {
    title: "kube-proxy's version skew is unknown",
    detail: "",
    unread:
      version.seen === false ? version : missing("no kube-proxy version could be told", daemonSets.source),
    what: "unknown",
  });
}
