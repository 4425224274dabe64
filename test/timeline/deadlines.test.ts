import { describe, expect, it } from "vitest";
import { PROXY_MODES } from "#src/model/cluster-audit.ts";
import { deadlinesFor } from "#src/timeline/deadlines.ts";
import type { TimelineCluster } from "#src/timeline/timeline-cluster.ts";

const NOW = new Date("2026-11-30T09:00:00Z");

function cluster(changes: Partial<TimelineCluster> = {}): TimelineCluster {
  return {
    mode: "ipvs",
    provider: "kubeadm",
    kubernetesVersion: "1.36",
    kubeProxyVersions: ["1.36"],
    ...changes,
  };
}

/** `1.40 kube-proxy planned yes`, in order. */
function lines(changes: Partial<TimelineCluster>): string[] {
  return deadlinesFor(cluster(changes), NOW).map(
    ({ version, component, certainty, applies }) => `${version} ${component} ${certainty} ${applies}`,
  );
}

describe("deadlines", () => {
  it("of a kubeadm cluster in ipvs mode: the two ends of ipvs and its end of life, earliest first", () => {
    expect(deadlinesFor(cluster(), NOW)).toEqual([
      {
        what: "upstream stops patching 1.36",
        version: "1.36",
        component: "control plane",
        when: { text: "28 Jun 2027 (announced)", from: "2027-06-28", to: "2027-06-28" },
        offered: null,
        certainty: "announced",
        applies: "yes",
        releasesAway: null,
        monthsAway: 7,
        facts: ["release-calendar"],
      },
      {
        what: "KubeProxyIPVS is off by default: kube-proxy in ipvs mode exits with an error",
        version: "1.40",
        component: "kube-proxy",
        when: { text: "Aug 2027 ± 3 weeks (estimated)", from: "2027-08", to: "2027-09" },
        offered: null,
        certainty: "planned",
        applies: "yes",
        releasesAway: 4,
        monthsAway: 9,
        facts: ["ipvs-off-1.40"],
      },
      {
        what: "KubeProxyIPVS is locked off and the ipvs code is deleted; setting the gate to true is refused",
        version: "1.43",
        component: "kube-proxy",
        when: { text: "Aug 2028 ± 5 weeks (estimated)", from: "2028-07", to: "2028-09" },
        offered: null,
        certainty: "planned",
        applies: "yes",
        releasesAway: 7,
        monthsAway: 21,
        facts: ["ipvs-removed-1.43"],
      },
    ]);
  });

  it("on EKS count to the day the provider offers the version, not to upstream's release", () => {
    const found = deadlinesFor(cluster({ provider: "eks" }), NOW).find(({ version }) => version === "1.40");
    expect(found).toMatchObject({
      when: { text: "Aug 2027 ± 3 weeks (estimated)" },
      offered: { text: "Oct 2027 ± 3 weeks (estimated)", from: "2027-09", to: "2027-10" },
      monthsAway: 10,
    });
  });

  it.each<[string, Partial<TimelineCluster>, string[]]>([
    [
      "the gate forced on postpones 1.40 and is refused later",
      { effectiveGate: true, kubernetesVersion: null },
      ["1.43 kube-proxy planned yes", "1.46 kube-proxy planned yes"],
    ],
    [
      "the gate turned off refuses ipvs from 1.37",
      { effectiveGate: false, kubernetesVersion: null },
      ["1.37 kube-proxy released yes", "1.46 kube-proxy planned yes"],
    ],
    [
      "the gate forced on is refused from 1.43 in every mode",
      { mode: "iptables", effectiveGate: true, kubernetesVersion: null },
      ["1.43 kube-proxy planned yes", "1.46 kube-proxy planned yes"],
    ],
    [
      "no mode set follows the default",
      { mode: "unset", kubernetesVersion: null },
      ["1.40 kube-proxy planned yes"],
    ],
    [
      "an unknown mode may be either",
      { mode: "unknown", kubernetesVersion: null },
      [
        "1.40 kube-proxy planned possible",
        "1.40 kube-proxy planned possible",
        "1.43 kube-proxy planned possible",
      ],
    ],
    ["explicit iptables has none", { mode: "iptables", kubernetesVersion: null }, []],
    [
      "nodes bring their own",
      {
        mode: "iptables",
        kubernetesVersion: null,
        containerd1: true,
        kernels: [
          { major: 4, minor: 18 },
          { major: 5, minor: 10 },
          { major: 6, minor: 1 },
        ],
      },
      ["1.32 kubeadm released yes", "1.38 kubelet planned yes", "1.39 kubeadm planned yes"],
    ],
    [
      "kubeadm's kernels do not matter to EKS",
      { mode: "iptables", provider: "eks", kubernetesVersion: null, kernels: [{ major: 5, minor: 10 }] },
      [],
    ],
  ])("%s", (_name, changes, expected) => {
    expect(lines(changes)).toEqual(expected);
  });

  it.each<[string, Record<string, boolean> | undefined, string[]]>([
    ["was not read: the announcement stands", undefined, ["1.36 announced", "1.40 planned", "1.43 planned"]],
    ["of 1.35 says nothing about 1.36", { "1.35": true }, ["1.36 announced", "1.40 planned", "1.43 planned"]],
    ["of 1.36 lists ipvs: upstream's plan", { "1.36": true }, ["1.40 planned", "1.43 planned"]],
    ["of 1.37 lists ipvs: upstream's plan", { "1.37": true }, ["1.40 planned", "1.43 planned"]],
    ["of 1.36 does not list it", { "1.36": false }, ["1.36 released", "1.40 planned", "1.43 planned"]],
    [
      "of 1.37 does not list it, 1.36 was not read",
      { "1.37": false },
      ["1.36 announced", "1.37 released", "1.40 planned", "1.43 planned"],
    ],
  ])("on EKS, where the add-on schema %s", (_name, addonListsIpvs, expected) => {
    const eks = { provider: "eks", kubernetesVersion: null, eks: { addonListsIpvs } };
    const found = deadlinesFor(cluster(eks), NOW);
    expect(found.map(({ version, certainty }) => `${version} ${certainty}`)).toEqual(expected);
  });

  it.each([
    [undefined, ["27 Mar 2027 (announced)", "27 Mar 2028 (announced)"]],
    ["EXTENDED" as const, ["27 Mar 2027 (announced)", "27 Mar 2028 (announced)"]],
    ["STANDARD" as const, ["27 Mar 2027 (announced)"]],
  ])("on EKS with upgrade policy %s, support ends", (supportType, expected) => {
    const eks = {
      mode: "iptables" as const,
      provider: "eks",
      kubernetesVersion: "1.35",
      eks: { supportType },
    };
    expect(deadlinesFor(cluster(eks), NOW).map(({ when }) => when.text)).toEqual(expected);
  });

  it("counts from the newest kube-proxy, and not at all where no version was read", () => {
    const [mixed] = deadlinesFor(
      cluster({ kubernetesVersion: null, kubeProxyVersions: ["1.9", "1.38"] }),
      NOW,
    );
    const [unread] = deadlinesFor(cluster({ kubernetesVersion: null, kubeProxyVersions: [] }), NOW);
    expect([mixed?.releasesAway, unread?.releasesAway]).toEqual([2, null]);
  });

  it.each(PROXY_MODES)("mode %s never shows the end of ipvs as certain to apply unless ipvs runs", (mode) => {
    const certain = deadlinesFor(cluster({ mode }), NOW).filter(
      ({ facts, applies }) => facts[0]?.startsWith("ipvs-") && applies === "yes",
    );
    expect(certain.length > 0).toBe(mode === "ipvs");
  });
});
