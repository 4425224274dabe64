import { describe, expect, it } from "vitest";
import type { TimelineCluster } from "#src/timeline/timeline-cluster.ts";
import { windowFor } from "#src/timeline/window.ts";

const NOW = new Date("2026-11-30T09:00:00Z");
const EKS: TimelineCluster = {
  mode: "ipvs",
  provider: "eks",
  kubernetesVersion: "1.35",
  kubeProxyVersions: ["1.35"],
};
const KUBEADM: TimelineCluster = { ...EKS, provider: "kubeadm" };

describe("window", () => {
  it("of ipvs on EKS: from the day 1.40 is offered to the last supported day of 1.39", () => {
    expect(windowFor({ ...EKS, eks: { addonListsIpvs: { "1.36": true } } }, NOW)).toEqual({
      breaks: { version: "1.40", component: "kube-proxy", certainty: "planned" },
      offered: { text: "Oct 2027 ± 3 weeks (estimated)", from: "2027-09", to: "2027-10" },
      offeredBy: "eks",
      announced: null,
      lastWorking: {
        version: "1.39",
        supportedUntil: { text: "Jun 2028 ± 3 weeks (estimated)", from: "2028-05", to: "2028-07" },
        providerSupport: {
          standardUntil: { text: "Jul 2028 ± 3 weeks (estimated)", from: "2028-07", to: "2028-08" },
          extendedUntil: { text: "Jul 2029 ± 3 weeks (estimated)", from: "2029-07", to: "2029-08" },
        },
        controlPlaneAtMost: "1.42",
      },
      applies: "yes",
      state: "ahead",
      text: "1.40 is offered on EKS from about Oct 2027 ± 3 weeks (estimated); kube-proxy 1.39, the last that runs ipvs by default, is supported upstream until Jun 2028 ± 3 weeks (estimated) and by EKS until Jul 2028 ± 3 weeks (estimated), with extended support until Jul 2029 ± 3 weeks (estimated)",
      facts: ["ipvs-off-1.40", "version-skew", "eks-support"],
    });
  });

  it("keeps AWS's own announcement beside upstream's plan until a schema settles it", () => {
    const window = windowFor(EKS, NOW);
    expect(window?.breaks.version).toBe("1.40");
    expect(window?.announced).toEqual({ version: "1.36", component: "kube-proxy", certainty: "announced" });
    expect(window?.text).toContain("; AWS announces the end of ipvs for 1.36, against upstream's plan");
    expect(window?.facts).toContain("eks-announcement");
  });

  it("is open already where the add-on of an offered version does not accept ipvs", () => {
    const window = windowFor({ ...EKS, eks: { addonListsIpvs: { "1.36": false } } }, NOW);
    expect(window).toMatchObject({
      breaks: { version: "1.36", component: "kube-proxy", certainty: "released" },
      announced: null,
      state: "open",
      text: "1.36 is offered on EKS since 2 Jun 2026; kube-proxy 1.35, the last whose EKS add-on accepts ipvs, is supported upstream until 28 Feb 2027 (announced) and by EKS until 27 Mar 2027 (announced), with extended support until 27 Mar 2028 (announced)",
    });
  });

  it("does not take an estimate for an offer when the provider's list does not have the version", () => {
    const versions = [
      { minor: "1.36", release: "2026-06-02", endOfStandard: "2027-08-02", endOfExtended: "2028-08-02" },
    ];
    const late = new Date("2027-12-01");
    const window = windowFor({ ...EKS, eks: { versions, addonListsIpvs: { "1.36": true } } }, late);
    expect(window?.state).toBe("ahead");
    expect(window?.text).toMatch(
      /^1\.40 is not offered yet on EKS, though expected for about Oct 2027 ± 3 weeks \(estimated\);/,
    );
  });

  it.each<[string, TimelineCluster, string]>([
    [
      "the gate forced on",
      { ...KUBEADM, effectiveGate: true },
      "1.43 is offered from about Aug 2028 ± 5 weeks (estimated); kube-proxy 1.42, the last that runs ipvs with KubeProxyIPVS turned on, is supported upstream until Jun 2029 ± 4 weeks (estimated)",
    ],
    [
      "no mode set",
      { ...KUBEADM, mode: "unset" },
      "1.40 is offered from about Aug 2027 ± 3 weeks (estimated); kube-proxy 1.39, the last whose default is iptables, is supported upstream until Jun 2028 ± 3 weeks (estimated)",
    ],
    [
      "the gate turned off, which no version accepts with ipvs",
      { ...KUBEADM, effectiveGate: false },
      "no kube-proxy runs ipvs with KubeProxyIPVS set to false: 1.36 and older refuse the gate, 1.37 and newer refuse the mode",
    ],
  ])("with %s", (_name, cluster, text) => {
    expect(windowFor(cluster, NOW)?.text).toBe(text);
  });

  it.each([
    ["2027-06-01", "ahead"],
    ["2027-12-01", "open"],
    ["2028-12-01", "closed"],
  ])("on %s is %s, as upstream supports 1.39 until June 2028", (day, state) => {
    expect(windowFor(KUBEADM, new Date(day))?.state).toBe(state);
  });

  it.each([
    ["EXTENDED" as const, "open"],
    ["STANDARD" as const, "closed"],
  ])("on EKS in December 2028 with upgrade policy %s is %s", (supportType, state) => {
    expect(windowFor({ ...EKS, eks: { supportType } }, new Date("2028-12-01"))?.state).toBe(state);
  });

  it.each(["iptables", "nftables", "none", "kernelspace"] as const)("there is none in mode %s", (mode) => {
    expect(windowFor({ ...KUBEADM, mode }, NOW)).toBeNull();
  });

  it.each(["mixed", "unknown"] as const)("is possible where the mode is %s", (mode) => {
    expect(windowFor({ ...KUBEADM, mode }, NOW)?.applies).toBe("possible");
  });
});
