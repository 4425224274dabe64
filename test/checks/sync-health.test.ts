import { describe, expect, it } from "vitest";
import { syncHealth } from "#src/checks/sync-health/check.ts";
import { notSeen, observedValue, partlySeen, type Source } from "#src/model/observed.ts";
import { judgeManifests } from "./judge-manifests.ts";
import { told } from "./told.ts";

const ID = "sync-health";
const SOURCE: Source = { kind: "prometheus", ref: "query", at: "" };

describe("sync-health", () => {
  it("names the kube-proxies whose nftables syncs fail and what it means", async () => {
    const [failing, ...others] = await judgeManifests(syncHealth, `${ID}/failing`);
    expect(failing).toEqual({
      check: ID,
      about: "hygiene",
      status: "warning",
      title: "nftables syncs fail on 1 of 2 kube-proxies",
      detail:
        "failing: kube-proxy could not write its rules: the node serves Services as they were at the last sync that worked, or not at all. Counters count from each kube-proxy's start.",
      evidence: [
        {
          source: SOURCE,
          path: "10.0.0.11:10249 kubeproxy_sync_proxy_rules_nftables_sync_failures_total",
          excerpt: "37",
        },
      ],
      fix: "Read why in the log of an affected kube-proxy: kubectl -n kube-system logs POD | grep 'nftables sync failed'. A segmentation fault means that the host's nft is too new for the image; \"No such file or directory\" that the kernel lacks NFT_FIB.",
      subjects: ["10.0.0.11:10249"],
      subjectCount: 1,
      facts: ["sync-metrics"],
      fingerprint: `${ID}/manifests:failing/nftables-sync-failures`,
    });
    expect(told(others)).toEqual(["warning hygiene stale-sync"]);
  });

  it.each<[string, string]>([
    ["cleanup-failing", "warning hygiene nftables-cleanup-failures"],
    ["iptables-restore-failing", "warning hygiene iptables-restore-failures"],
    ["healthy", "pass hygiene healthy"],
    ["quiet-cluster", "pass hygiene healthy"],
    ["one-of-two-read", "unknown hygiene partly-read"],
    ["not-read", "unknown hygiene unread"],
  ])("of %s: %s", async (folder, expected) => {
    expect(told(await judgeManifests(syncHealth, `${ID}/${folder}`))).toEqual([expected]);
  });

  it("does not pass on what Prometheus gave in part, or without knowing the nodes", async () => {
    const inPart = await judgeManifests(syncHealth, `${ID}/healthy`, {
      change: (evidence) => ({
        ...evidence,
        metrics: partlySeen(
          observedValue(evidence.metrics) ?? [],
          "invalid",
          "1 store did not answer",
          SOURCE,
        ),
      }),
    });
    const withoutNodes = await judgeManifests(syncHealth, `${ID}/healthy`, {
      change: (evidence) => ({ ...evidence, nodes: notSeen("forbidden", "nodes is forbidden", SOURCE) }),
    });
    expect([...told(inPart), ...told(withoutNodes)]).toEqual([
      "unknown hygiene partly-read",
      "unknown hygiene partly-read",
    ]);
  });
});
