import type { Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { finding, listed, unknownFinding } from "../findings.ts";
import { modesText, type RunningModes, standingOf } from "../modes.ts";
import { withoutModes } from "../nftables-use.ts";
import { crashing } from "./crashing.ts";
import { intentDiffers } from "./intent.ts";
import { nodesDiffer } from "./nodes-differ.ts";
import { observedModesOf } from "./observed.ts";
import { notRestarted, takenUp } from "./restarts.ts";

/** Differences between what is configured, what is meant and what runs: an upgrade restarts kube-proxy and closes them. */
export const proxyModeDrift: Check = {
  id: "proxy-mode-drift",
  title: "the running mode against the configured one",
  about: "upgrade",
  canBlock: null,
  evidence: [
    "kube-proxy's configuration and when it was changed",
    "kube-proxy pods: start, restarts, waiting",
    "logs, events, metrics or /configz of kube-proxy",
    "EKS add-on or AKS settings",
  ],
  permissions: [
    "get, list pods in kube-system",
    "get configmaps in kube-system",
    "get pods/log in kube-system (optional)",
    "list events",
    "eks:DescribeAddon (EKS)",
  ],
  judge(input) {
    const standing = standingOf(input);
    const findings = crashing(proxyModeDrift, input);
    if (standing.kind !== "running") {
      return findings.length > 0
        ? findings
        : [
            withoutModes(proxyModeDrift, input, standing, "whether it is the one that runs", [
              "config-read-at-start",
            ]),
          ];
    }
    findings.push(
      ...otherModeRuns(input, standing),
      ...notRestarted(proxyModeDrift, input, standing),
      ...nodesDiffer(proxyModeDrift, input, standing),
      ...intentDiffers(proxyModeDrift, input, standing),
    );
    return findings.length > 0 ? findings : [agreement(input, standing)];
  },
};

function otherModeRuns(input: CheckInput, { inUse }: RunningModes): Finding[] {
  const configured = inUse.filter(({ settings }) => settings !== null);
  if (configured.length === 0) return [];
  const modes = new Set<string>(configured.map(({ mode }) => mode));
  const others = observedModesOf(input).filter(({ mode }) => !modes.has(mode));
  if (others.length === 0) return [];
  const { name } = input.evidence.cluster;
  const running = [...new Set(others.map(({ mode }) => mode))].join(" and ");
  return [
    finding(proxyModeDrift, input, {
      status: "warning",
      title: `kube-proxy is configured for ${modesText(configured)} and ${running} was seen running: the upgrade will switch the mode`,
      detail:
        `${name}: ${listed(configured.map(({ ref }) => ref))} is configured for ${modesText(configured)}, but ${running} was seen running. kube-proxy takes ` +
        "its configuration up when it starts, so the next restart changes the mode, on every node that an upgrade touches and " +
        "perhaps at a bad moment.",
      evidence: [
        ...others.slice(0, 5).map(({ evidence }) => evidence),
        ...configured.slice(0, 5).map(({ evidence }) => evidence),
      ],
      fix: `Decide which mode is meant. If ${modesText(configured)} is, restart kube-proxy now, node by node, and watch it; if not, put ${running} back into the configuration before the upgrade.`,
      facts: ["config-read-at-start"],
      what: `runs-${running}/configured-${modesText(configured)}`,
    }),
  ];
}

/** A pass needs proof: the mode was seen running, or every pod that was looked at started with the configuration. */
function agreement(input: CheckInput, standing: RunningModes): Finding {
  const { evidence, dataPlane } = input;
  const observed = observedModesOf(input);
  const unproven = dataPlane.running.find((instance) => !takenUp(instance, input, observed));
  if (unproven || standing.uncovered !== null || dataPlane.running.length === 0) {
    const unread = unproven ? whatWouldTell(input) : (standing.uncovered ?? whatWouldTell(input));
    return unknownFinding(proxyModeDrift, input, {
      title: `Whether ${modesText(standing.inUse)} really runs, as configured, was not seen`,
      detail: `${evidence.cluster.name}: ${unproven?.ref ?? "a kube-proxy"} may not have restarted since its configuration was changed; then the upgrade changes the mode.`,
      unread,
      fix: "Look at a pod: kubectl -n kube-system logs POD | grep -m1 'Proxier'; or on a node: curl -s http://127.0.0.1:10249/proxyMode",
      facts: ["config-read-at-start"],
      what: "not-seen",
    });
  }
  return finding(proxyModeDrift, input, {
    status: "pass",
    title: `${modesText(standing.inUse)} runs as configured`,
    detail: `${evidence.cluster.name}: a restart of kube-proxy does not change its mode.`,
    evidence: [
      ...observed.slice(0, 5).map((one) => one.evidence),
      ...standing.inUse.slice(0, 5).map((one) => one.evidence),
    ],
    facts: ["config-read-at-start"],
    what: "agrees",
  });
}

/** The read that would have told, and why it did not. */
function whatWouldTell({ evidence }: CheckInput) {
  for (const read of [evidence.proxyPods, evidence.proxyLogs, evidence.metrics]) {
    if (read.seen === false) return read;
  }
  return {
    seen: false as const,
    why: "not-requested" as const,
    detail: "no log, event or metric showed the running mode, and no pod tells when it started",
    source: evidence.proxyPods.source,
  };
}
