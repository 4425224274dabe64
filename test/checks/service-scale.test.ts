import { describe, expect, it } from "vitest";
import { serviceScale } from "#src/checks/service-scale/check.ts";
import { THRESHOLDS } from "#src/checks/service-scale/thresholds.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import { notSeen, partlySeen, type Source, seen } from "#src/model/observed.ts";
import { factById } from "#src/timeline/facts.ts";
import { judgeManifests } from "./judge-manifests.ts";
import { told } from "./told.ts";

const ID = "service-scale";
const SOURCE: Source = { kind: "kubernetes", ref: "/api/v1/services", at: "" };

/** The counts that the API of a large cluster gives. */
function counting(services: number, slices: number) {
  return (evidence: Evidence): Evidence => ({
    ...evidence,
    services: seen({ count: services, ofInterest: [], dnsClusterIPs: [] }, SOURCE),
    endpointSlices: seen({ count: slices }, SOURCE),
  });
}

describe("service-scale", () => {
  it("warns where a first nftables sync took minutes at that size", async () => {
    const found = await judgeManifests(serviceScale, `${ID}/ipvs`, { change: counting(5_210, 6_300) });
    expect(found).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "5,210 Services: a node's first nftables sync can take minutes",
        detail:
          "ipvs: 5,210 Services and 6,300 EndpointSlices. Elsewhere, with 5,006 Services and 250,011 endpoints the first sync took 13 to 20 minutes on kernel 6.1, before 1.36. Until a node's first sync is done its Services do not work, and every new node pays it again, so an autoscaler makes it matter more. Later syncs are short.",
        evidence: [
          { source: SOURCE, path: "number of Services", excerpt: "5210" },
          { source: SOURCE, path: "number of EndpointSlices", excerpt: "6300" },
        ],
        fix: "Run kube-proxy 1.36 or newer, switch one drained node first, and read how long it takes: kubectl -n kube-system logs POD | grep 'SyncProxyRules complete' (with --v=2).",
        facts: ["sync-5000-services", "sync-cold-start"],
        fingerprint: `${ID}/manifests:ipvs/large`,
      },
    ]);
  });

  it.each<[string, number, number, string]>([
    ["ipvs", 2, 2, "pass migration small"],
    ["ipvs", 999, 1_400, "pass migration small"],
    ["ipvs", 1_000, 1_400, "info migration medium"],
    ["ipvs", 4_999, 4_999, "info migration medium"],
    ["ipvs", 5_000, 5_000, "warning migration large"],
    ["ipvs", 800, 5_000, "warning migration large"],
    ["nftables", 44_125, 44_152, "warning hygiene large"],
    ["nftables", 1_200, 1_200, "info hygiene medium"],
  ])("of %s with %d Services and %d EndpointSlices: %s", async (folder, services, slices, expected) => {
    const found = await judgeManifests(serviceScale, `${ID}/${folder}`, {
      change: counting(services, slices),
    });
    expect(told(found)).toEqual([expected]);
  });

  it("counts what a dump holds", async () => {
    const [found] = await judgeManifests(serviceScale, `${ID}/ipvs`);
    expect(found?.title).toBe("2 Services: no slow first sync is known at this size");
  });

  it("becomes part of the upgrade where the default will bring nftables", async () => {
    const [found] = await judgeManifests(serviceScale, `${ID}/unset`, { change: counting(6_000, 6_000) });
    expect(found?.upgradeFrom).toEqual({ version: "1.40", certainty: "planned" });
  });

  it("says on Bottlerocket 1.34 that iptables mode is no way out", async () => {
    const [found] = await judgeManifests(serviceScale, `${ID}/bottlerocket`, {
      change: counting(5_000, 5_000),
    });
    expect(found?.detail).toMatch(/iptables mode is slower here too: .*bottlerocket#4762/);
  });

  it("says that the mode has to be known first", async () => {
    const [found] = await judgeManifests(serviceScale, `${ID}/ipvs`, {
      change: (evidence) => ({
        ...counting(9_000, 9_000)(evidence),
        configMaps: new Map([
          ["kube-system/kube-proxy", notSeen("forbidden", "configmaps is forbidden", SOURCE)],
        ]),
      }),
    });
    expect([found?.status, found?.title]).toEqual([
      "unknown",
      "The proxy mode is unknown, so it cannot be told whether the number of Services matters",
    ]);
  });

  it("passes where kube-proxy is replaced", async () => {
    expect(
      told(await judgeManifests(serviceScale, `${ID}/cilium`, { change: counting(9_000, 9_000) })),
    ).toEqual(["pass migration replaced"]);
  });

  it.each<[string, (evidence: Evidence) => Evidence, string]>([
    ["nothing was read", (evidence) => evidence, "unknown migration unread/Services"],
    [
      "EndpointSlices were not read",
      (evidence) => ({
        ...counting(400, 0)(evidence),
        endpointSlices: notSeen("forbidden", "endpointslices is forbidden", SOURCE),
      }),
      "unknown migration unread/EndpointSlices",
    ],
    [
      "only the first pages of Services were read",
      (evidence) => ({
        ...counting(400, 400)(evidence),
        services: partlySeen({ count: 400, ofInterest: [], dnsClusterIPs: [] }, "timeout", "page 2", SOURCE),
      }),
      "unknown migration unread/Services",
    ],
    [
      "only a part was read, which is large already",
      (evidence) => ({
        ...counting(6_000, 400)(evidence),
        services: partlySeen(
          { count: 6_000, ofInterest: [], dnsClusterIPs: [] },
          "timeout",
          "page 13",
          SOURCE,
        ),
      }),
      "warning migration large",
    ],
  ])("where %s: %s", async (_, change, expected) => {
    expect(told(await judgeManifests(serviceScale, `${ID}/unread`, { change }))).toEqual([expected]);
  });

  it.each(THRESHOLDS.map((row) => [`${row.from} ${row.what}`, row] as const))(
    "%s has a source and a date",
    (_, row) => {
      expect(factById(row.fact)?.sourceUrl).toMatch(/^https:/);
      expect(factById(row.fact)?.checkedAt).toMatch(/^\d{4}-\d\d-\d\d$/);
    },
  );
});
