import { describe, expect, it } from "vitest";
import { proxyModeDrift } from "#src/checks/proxy-mode-drift/check.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import { parseKubeProxyLog } from "#src/kubernetes/log.ts";
import { type Source, seen } from "#src/model/observed.ts";
import { judgeManifests } from "./judge-manifests.ts";
import { told } from "./told.ts";

const ID = "proxy-mode-drift";
const LOG: Source = { kind: "log", ref: "log of kube-system/kube-proxy-2k9wd", at: "" };

/** A pod's log, which a dump does not hold. */
function logging(line: string) {
  return (evidence: Evidence): Evidence => ({
    ...evidence,
    proxyLogs: seen(
      [{ namespace: "kube-system", pod: "kube-proxy-2k9wd", parsed: parseKubeProxyLog(line) }],
      LOG,
    ),
  });
}

describe("proxy-mode-drift", () => {
  it("says that the upgrade will switch the mode where another one was seen running", async () => {
    const [switching, late, ...others] = await judgeManifests(proxyModeDrift, `${ID}/ipvs-still-runs`);
    expect(switching).toEqual({
      check: ID,
      about: "upgrade",
      status: "warning",
      title:
        "kube-proxy is configured for nftables and ipvs was seen running: the upgrade will switch the mode",
      detail:
        "ipvs-still-runs: DaemonSet kube-system/kube-proxy is configured for nftables, but ipvs was seen running. kube-proxy takes its configuration up when it starts, so the next restart changes the mode, on every node that an upgrade touches and perhaps at a bad moment.",
      evidence: [
        {
          source: { kind: "manifest", ref: `${ID}/ipvs-still-runs/events.yaml: events`, at: "" },
          path: "Event about Node worker-1",
          excerpt: "IPVSDeprecation",
        },
        {
          source: {
            kind: "manifest",
            ref: `${ID}/ipvs-still-runs/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            at: "",
          },
          path: "ConfigMap kube-system/kube-proxy data[config.conf].mode",
          excerpt: "mode: nftables",
        },
      ],
      fix: "Decide which mode is meant. If nftables is, restart kube-proxy now, node by node, and watch it; if not, put ipvs back into the configuration before the upgrade.",
      facts: ["config-read-at-start"],
      fingerprint: `${ID}/manifests:ipvs-still-runs/runs-ipvs/configured-nftables`,
    });
    expect(late?.subjects).toEqual(["worker-1"]);
    expect([...told(late ? [late] : []), ...told(others)]).toEqual(["warning upgrade not-restarted"]);
  });

  it.each<[string, string]>([
    ["agrees", "pass upgrade agrees"],
    ["annotation-differs", "pass upgrade agrees"],
    ["container-restarted", "pass upgrade agrees"],
    ["event-overtaken", "pass upgrade agrees"],
    ["starting", "pass upgrade agrees"],
    ["k3s-same", "pass upgrade agrees"],
    ["eks-addon-agrees", "pass upgrade agrees"],
    ["cilium", "pass upgrade replaced"],
    ["not-restarted", "warning upgrade not-restarted"],
    ["k3s-mixed", "warning upgrade mixed/ipvs+nftables"],
    ["k3s-rolling-out", "info upgrade mixed/iptables+nftables"],
    ["eks-edited-by-hand", "warning upgrade intent-iptables/object-ipvs"],
    ["aks-not-applied", "warning upgrade intent-nftables/object-iptables"],
    ["crash-loop", "warning upgrade not-starting/CrashLoopBackOff"],
    ["pods-unread", "unknown upgrade not-seen"],
  ])("of %s: %s", async (folder, expected) => {
    expect(told(await judgeManifests(proxyModeDrift, `${ID}/${folder}`))).toEqual([expected]);
  });

  it("takes the log for proof, either way", async () => {
    const ipvs = logging('I1120 10:05:02.627302       1 server_linux.go:194] "Using ipvs Proxier"');
    const iptables = logging('I1120 10:05:02.627302       1 server_linux.go:194] "Using iptables Proxier"');
    const found = [
      ...(await judgeManifests(proxyModeDrift, `${ID}/pods-unread`, { change: ipvs })),
      ...(await judgeManifests(proxyModeDrift, `${ID}/pods-unread`, { change: iptables })),
    ];
    expect(told(found)).toEqual(["pass upgrade agrees", "warning upgrade runs-iptables/configured-ipvs"]);
  });

  it("is calmer where pods have not restarted but the configured mode was seen running", async () => {
    const change = logging('I0901 10:05:02.627302       1 server_linux.go:194] "Using nftables Proxier"');
    expect(told(await judgeManifests(proxyModeDrift, `${ID}/not-restarted`, { change }))).toEqual([
      "info upgrade not-restarted/same-mode",
    ]);
  });

  it("gives the command that shows why a pod crashes", async () => {
    const [found] = await judgeManifests(proxyModeDrift, `${ID}/crash-loop`);
    expect(found?.fix).toBe(
      "Read why before anything else: kubectl -n kube-system logs kube-proxy-9zt5r -c kube-proxy --previous",
    );
  });

  it("keeps the same fingerprint whenever it looks and whichever nodes there are", async () => {
    const [now] = await judgeManifests(proxyModeDrift, `${ID}/not-restarted`);
    const [later] = await judgeManifests(proxyModeDrift, `${ID}/not-restarted`, {
      now: new Date("2027-01-15T09:00:00Z"),
    });
    expect(later?.fingerprint).toBe(now?.fingerprint);
    expect(now?.fingerprint).not.toMatch(/worker|2026/);
  });
});
