import { describe, expect, it } from "vitest";
import { supportWindow } from "#src/checks/support-window/check.ts";
import { judgeManifests } from "./judge-manifests.ts";
import { told } from "./told.ts";

const ID = "support-window";

describe("support-window", () => {
  it("tells when AWS upgrades by itself and how long ipvs is left, and where the dates are from", async () => {
    expect(await judgeManifests(supportWindow, `${ID}/eks-ipvs`)).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "info",
        title: "EKS 1.35: standard support until 2027-03-27, AWS upgrades it by itself from 2028-03-27 on",
        detail:
          "eks-ipvs: standard support of 1.35 ends 2027-03-27; extended support, which costs more, ends 2028-03-27. From 2028-03-27 on, without notice, AWS moves this control plane to 1.36; kube-proxy stays as it is. Dates: the built-in table, read 2026-11-30 (Amazon EKS user guide, Kubernetes release calendar; endoflife.date/amazon-eks); EKS itself was not asked. ipvs ends with kube-proxy 1.40: offered on EKS from about Oct 2027 ± 3 weeks (estimated); kube-proxy 1.39, the last that runs ipvs by default, is supported upstream until Jun 2028 ± 3 weeks (estimated) and by EKS until Jul 2028 ± 3 weeks (estimated), with extended support until Jul 2029 ± 3 weeks (estimated).",
        evidence: [
          {
            source: { kind: "manifest", ref: `${ID}/eks-ipvs/describe-cluster.json`, at: "" },
            path: "Kubernetes version",
            excerpt: "1.35",
          },
        ],
        fix: "Plan the migration inside the window: the findings about a migration name what it needs.",
        facts: ["eks-support", "ipvs-off-1.40", "version-skew"],
        fingerprint: `${ID}/manifests:eks-ipvs/1.35/1.40`,
      },
    ]);
  });

  it.each<[string, string]>([
    ["eks-from-the-api", "info hygiene 1.35/1.40"],
    ["eks-policy-standard", "warning hygiene 1.34/1.40"],
    ["eks-policy-unread", "pass hygiene 1.36"],
    ["eks-extended", "warning hygiene 1.33/1.40"],
    ["eks-old-kube-proxy", "pass hygiene 1.35"],
    ["eks-settled", "pass hygiene 1.36"],
    ["eks-not-in-the-table", "pass hygiene 1.37"],
    ["kubeadm-unset", "info hygiene 1.36/1.40"],
    ["kubeadm-out-of-support", "warning hygiene 1.33/1.40"],
    ["kubeadm-supported", "pass hygiene 1.37"],
    ["gke", "info hygiene 1.35"],
    ["version-unread", "unknown hygiene version-unread"],
  ])("of %s: %s", async (folder, expected) => {
    expect(told(await judgeManifests(supportWindow, `${ID}/${folder}`))).toEqual([expected]);
  });

  it("prefers the days that EKS answered over the table, and says so", async () => {
    const [found] = await judgeManifests(supportWindow, `${ID}/eks-from-the-api`);
    expect(found?.detail).toContain(
      "From 2028-03-28 on, without notice, AWS moves this control plane to 1.36; kube-proxy stays as it is. Dates: DescribeClusterVersions of this account's EKS.",
    );
    expect(found?.evidence).toEqual([
      {
        source: { kind: "manifest", ref: `${ID}/eks-from-the-api/describe-cluster-versions.json`, at: "" },
        path: "clusterVersions[1.35]",
        excerpt: "endOfStandardSupportDate 2027-03-28, endOfExtendedSupportDate 2028-03-28",
      },
    ]);
  });

  it("takes the end of standard support where the policy is STANDARD", async () => {
    const [found] = await judgeManifests(supportWindow, `${ID}/eks-policy-standard`);
    expect(found?.title).toBe(
      "EKS 1.34: AWS upgrades it by itself from 2026-12-02 on, at the end of standard support",
    );
  });

  it("gives both dates where the policy was not read", async () => {
    const [found] = await judgeManifests(supportWindow, `${ID}/eks-policy-unread`);
    expect(found?.detail).toContain(
      "The upgrade policy was not read: with STANDARD it is 2027-08-02 already.",
    );
  });

  it("says when the kube-proxy that stays would be too old beside the new control plane", async () => {
    const [found] = await judgeManifests(supportWindow, `${ID}/eks-old-kube-proxy`);
    expect(found?.detail).toContain(
      "kube-proxy stays as it is, and 1.32 is too old beside 1.36 (at most 1.35).",
    );
  });

  it("does not urge by upstream's dates where the provider has its own", async () => {
    const near = new Date("2027-02-20T00:00:00Z");
    expect(told(await judgeManifests(supportWindow, `${ID}/gke`, { now: near }))).toEqual([
      "info hygiene 1.35",
    ]);
    expect(
      told(await judgeManifests(supportWindow, `${ID}/kubeadm-unset`, { now: new Date("2027-04-20") })),
    ).toEqual(["warning hygiene 1.36/1.40"]);
  });

  it("warns once the version that breaks is offered", async () => {
    const open = new Date("2027-12-20T00:00:00Z");
    const [found] = await judgeManifests(supportWindow, `${ID}/kubeadm-unset`, { now: open });
    expect(found?.detail).toContain("with kube-proxy 1.40: offered since about Aug 2027");
    expect(found?.status).toBe("warning");
  });
});
