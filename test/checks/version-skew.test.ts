import { describe, expect, it } from "vitest";
import { versionSkew } from "#src/checks/version-skew/check.ts";
import { serverVersion } from "./changes.ts";
import { inShort, judgeManifests, said } from "./judge-manifests.ts";

const ID = "version-skew";

describe(ID, () => {
  it("passes at the same version", async () => {
    expect(await judgeManifests(versionSkew, `${ID}/same`, { change: serverVersion("v1.36.2") })).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "pass",
        title: "kube-proxy 1.36 fits the API server 1.36 and the kubelets",
        detail: "same: with kube-proxy 1.36 the control plane may be at most 1.39.",
        evidence: [
          said(
            `${ID}/same/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy image",
            "v1.36.2",
          ),
        ],
        facts: ["version-skew"],
        fingerprint: `${ID}/manifests:same/within`,
      },
    ]);
  });

  it("passes one version behind", async () => {
    expect(
      await judgeManifests(versionSkew, `${ID}/one-behind`, { change: serverVersion("v1.36.2") }),
    ).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "pass",
        title: "kube-proxy 1.35 fits the API server 1.36 and the kubelets",
        detail: "one-behind: with kube-proxy 1.35 the control plane may be at most 1.38.",
        evidence: [
          said(
            `${ID}/one-behind/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy image",
            "v1.35.3",
          ),
        ],
        facts: ["version-skew"],
        fingerprint: `${ID}/manifests:one-behind/within`,
      },
    ]);
  });

  it("tells what holds up the next control plane", async () => {
    expect(
      await judgeManifests(versionSkew, `${ID}/three-behind`, { change: serverVersion("v1.36.2") }),
    ).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "info",
        title: "kube-proxy 1.33 lags behind the API server 1.36",
        detail:
          "three-behind: with kube-proxy 1.33 the control plane may be at most 1.36, so kube-proxy holds up a later upgrade.",
        evidence: [
          said(
            `${ID}/three-behind/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy image",
            "v1.33.10",
          ),
        ],
        fix: "Upgrade kube-proxy to 1.36 before the control plane passes 1.36.",
        facts: ["version-skew"],
        fingerprint: `${ID}/manifests:three-behind/lags`,
      },
    ]);
  });

  it("warns past the supported skew", async () => {
    expect(
      await judgeManifests(versionSkew, `${ID}/four-behind`, { change: serverVersion("v1.36.2") }),
    ).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "kube-proxy 1.32 is too old for the API server 1.36",
        detail: "four-behind: kube-proxy 1.32 is supported beside API servers up to 1.35. This one is 1.36.",
        evidence: [
          said(
            `${ID}/four-behind/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy image",
            "v1.32.9",
          ),
        ],
        fix: "Upgrade kube-proxy to 1.36, at the least to 1.33.",
        facts: ["version-skew"],
        fingerprint: `${ID}/manifests:four-behind/too-old`,
      },
    ]);
  });

  it("warns of a kube-proxy that is newer than the API server", async () => {
    expect(await judgeManifests(versionSkew, `${ID}/newer`, { change: serverVersion("v1.36.2") })).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "kube-proxy 1.37 is newer than the API server 1.36",
        detail:
          "newer: the version skew policy does not allow a kube-proxy that is newer than the API server: it may use an API that is not there yet.",
        evidence: [
          said(
            `${ID}/newer/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy image",
            "v1.37.1",
          ),
        ],
        fix: "Take kube-proxy back to 1.36, or upgrade the control plane to 1.37.",
        facts: ["version-skew"],
        fingerprint: `${ID}/manifests:newer/newer`,
      },
    ]);
  });

  it("warns where kube-proxy and kubelets are too far apart", async () => {
    expect(
      await judgeManifests(versionSkew, `${ID}/far-from-kubelets`, { change: serverVersion("v1.36.2") }),
    ).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "kube-proxy and a kubelet are 4 minor versions apart",
        detail:
          "far-from-kubelets: kube-proxy 1.36, kubelets 1.32. Three are supported where both run on one node.",
        evidence: [
          said(
            `${ID}/far-from-kubelets/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy image",
            "v1.36.2",
          ),
        ],
        fix: "Upgrade the nodes or kube-proxy so that they are at most three minor versions apart.",
        facts: ["version-skew"],
        fingerprint: `${ID}/manifests:far-from-kubelets/kubelets`,
      },
    ]);
  });

  it("is unknown where the API server did not say its version", async () => {
    expect(await judgeManifests(versionSkew, `${ID}/same`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "How far kube-proxy is from the API server is unknown",
        detail:
          "same: a kube-proxy more than three minor versions behind holds up the upgrade of the control plane. Reason: a dump does not hold the API server's version.",
        evidence: [said("version", undefined, "not-requested")],
        fix: "Compare the versions by hand: kubectl version, and the image of kube-proxy (kubectl -n kube-system get daemonsets -o wide).",
        facts: ["version-skew"],
        fingerprint: `${ID}/manifests:same/unknown`,
      },
    ]);
  });

  it.each<[string, string, string[]]>([
    [
      "eks-describe-cluster",
      "takes the control plane's version from the EKS API",
      ["info upgrade: kube-proxy 1.34 lags behind the API server 1.36"],
    ],
    [
      "cilium",
      "does not judge where kube-proxy is replaced",
      ["info upgrade: No kube-proxy runs: its version skew does not matter"],
    ],
  ])("%s: %s", async (folder, _, expected) => {
    const findings = await judgeManifests(versionSkew, `${ID}/${folder}`);
    expect(findings.map(inShort)).toEqual(expected);
  });
});
