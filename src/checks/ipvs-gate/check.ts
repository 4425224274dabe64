import type { ProxyInstance } from "#src/evidence/data-plane/instance.ts";
import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import { minorOfInstance } from "#src/evidence/data-plane/start.ts";
import { compareMinor } from "#src/kubernetes/version.ts";
import type { Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import { blocksFromOf, stageOf } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { uncoveredKubeProxies, unreadModeOf } from "../coverage.ts";
import { finding, listed, missing, statusOf, unknownFinding } from "../findings.ts";

const GATE = "KubeProxyIPVS";

/** The feature gate KubeProxyIPVS in kube-proxy's configuration (KEP-5495, stages 2 to 4). */
export const ipvsGate: Check = {
  id: "ipvs-gate",
  title: "the feature gate KubeProxyIPVS",
  about: "upgrade",
  canBlock: "any version: refused below 1.37; from 1.43 where it is on; from 1.46 whatever it is (planned)",
  evidence: ["featureGates in kube-proxy's configuration", "its version (image)"],
  permissions: ["list daemonsets", "get, list pods in kube-system", "get configmaps in kube-system"],
  judge(input) {
    const { dataPlane, evidence } = input;
    const findings = dataPlane.running.flatMap((instance) => judgeInstance(input, instance));
    const unread = dataPlane.running.find((instance) => instance.settings.seen === false);
    const uncovered = uncoveredKubeProxies(input);
    if (unread || uncovered || (dataPlane.running.length === 0 && dataPlane.mode !== "none")) {
      findings.push(
        unknownFinding(ipvsGate, input, {
          title: `Whether ${GATE} is set is unknown`,
          detail: `${evidence.cluster.name}: the gate decides how long ipvs lasts, and can stop kube-proxy by itself.`,
          unread: unread === undefined && uncovered !== null ? uncovered : unreadModeOf(input),
          fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
          blocksFrom: blocksFromOf(stageOf("ipvs-gate-1.37")),
          what: `unknown/${dataPlane.managedBy ?? "self"}`,
        }),
      );
    }
    if (findings.length > 0) return [...new Map(findings.map((one) => [one.fingerprint, one])).values()];
    return [
      finding(ipvsGate, input, {
        status: "pass",
        title: `${GATE} is not set`,
        detail: `${evidence.cluster.name}: the feature gate that decides about ipvs mode from 1.37 on is left at its default.`,
        evidence:
          dataPlane.mode === "none"
            ? dataPlane.replacements.map((replacement) => replacement.evidence)
            : dataPlane.running.slice(0, 10).map((instance) => ({
                ...instance.evidence,
                path: `${instance.ref} featureGates`,
                excerpt: `no ${GATE}`,
              })),
        facts: ["ipvs-gate-1.37"],
        what: "not-set",
      }),
    ];
  },
};

function judgeInstance(input: CheckInput, instance: ProxyInstance): Finding[] {
  const ignored = instance.ignored.find((flag) => flag.startsWith("--feature-gates") && flag.includes(GATE));
  const value = observedValue(instance.settings)?.featureGates[GATE];
  const found: Finding[] = [];
  if (ignored !== undefined) found.push(ignoredFlag(input, instance, ignored));
  if (value === undefined) return found;
  const minor = minorOfInstance(instance, input.evidence);
  const item = { ...instance.evidence, path: `${instance.ref} featureGates.${GATE}`, excerpt: String(value) };
  const onIpvs = modeOfInstance(instance) === "ipvs";
  const { name } = input.evidence.cluster;
  const added = blocksFromOf(stageOf("ipvs-gate-1.37"));
  if (minor === null) return [...found, unknownVersion(input, instance, value)];
  if (compareMinor(minor, added.version) < 0) {
    found.push(
      finding(ipvsGate, input, {
        status: "blocker",
        title: `kube-proxy ${minor} does not know ${GATE} and will not start`,
        detail: `${name}: ${instance.ref} sets ${GATE}: ${value}, which exists from ${added.version} on. An unknown feature gate is fatal: the next restart fails.`,
        evidence: [item],
        fix: `Remove ${GATE} from featureGates until kube-proxy is ${added.version} or newer.`,
        blocksFrom: { version: minor, component: "kube-proxy", certainty: "released" },
        blocksUntil: added.version,
        facts: ["unknown-gate-is-fatal", "ipvs-gate-1.37"],
        what: `${value}/too-early`,
      }),
    );
  }
  if (value) found.push(forcedOn(input, instance, item, onIpvs));
  else found.push(...switchedOff(input, instance, item, onIpvs));
  return found;
}

function unknownVersion(input: CheckInput, instance: ProxyInstance, value: boolean): Finding {
  return unknownFinding(ipvsGate, input, {
    title: `${GATE} is set, and kube-proxy's version, which decides whether it starts with it, is unknown`,
    detail: `${input.evidence.cluster.name}: ${instance.ref} sets ${GATE}: ${value}. Below 1.37 and from 1.46 on kube-proxy refuses the name.`,
    unread: missing("neither the image nor the API server tells the version", instance.settings.source),
    fix: "Give the auditor the API server's version and the nodes. proxy-audit doctor names what is missing.",
    facts: ["unknown-gate-is-fatal"],
    what: `${value}/unknown-version`,
  });
}

function forcedOn(
  input: CheckInput,
  instance: ProxyInstance,
  item: Finding["evidence"][number],
  onIpvs: boolean,
): Finding {
  const locked = blocksFromOf(stageOf("ipvs-removed-1.43"));
  return finding(ipvsGate, input, {
    status: statusOf(locked, input.kubeProxyMinors),
    title: `${GATE} is forced on: kube-proxy refuses that from ${locked.version} on, in every mode (planned)`,
    detail:
      `${input.evidence.cluster.name}: ${instance.ref} sets ${GATE}: true. ` +
      (onIpvs
        ? "It keeps ipvs running in 1.40 to 1.42. "
        : "It does nothing here, since the mode is not ipvs. ") +
      `From ${locked.version} on the gate is locked off and setting it to true makes kube-proxy exit.`,
    evidence: [item],
    fix: onIpvs
      ? `Leave ipvs, then remove ${GATE} from featureGates, before kube-proxy ${locked.version}.`
      : `Remove ${GATE} from featureGates before kube-proxy ${locked.version}.`,
    blocksFrom: locked,
    facts: ["ipvs-removed-1.43"],
    what: "true",
  });
}

function switchedOff(
  input: CheckInput,
  instance: ProxyInstance,
  item: Finding["evidence"][number],
  onIpvs: boolean,
): Finding[] {
  const { name } = input.evidence.cluster;
  if (onIpvs) {
    const from = blocksFromOf(stageOf("ipvs-gate-1.37"));
    return [
      finding(ipvsGate, input, {
        status: statusOf(from, input.kubeProxyMinors),
        title: `${GATE} is off while the mode is ipvs: kube-proxy refuses to start from ${from.version} on`,
        detail: `${name}: ${instance.ref} rehearses 1.40 with ${GATE}: false, but is still configured for ipvs.`,
        evidence: [item],
        fix: `Set another mode first, or remove ${GATE} until the migration.`,
        blocksFrom: from,
        facts: ["ipvs-gate-1.37"],
        what: "false/ipvs",
      }),
    ];
  }
  const gone = blocksFromOf(stageOf("ipvs-gate-gone-1.46"));
  return [
    finding(ipvsGate, input, {
      status: statusOf(gone, input.kubeProxyMinors) === "blocker" ? "blocker" : "info",
      title: `${GATE} is off: this cluster rehearses 1.40 and runs without ipvs`,
      detail: `${name}: ${instance.ref} sets ${GATE}: false and does not use ipvs. From ${gone.version} on (planned) the gate is gone and naming it is fatal.`,
      evidence: [item],
      fix: `Remove ${GATE} from featureGates before kube-proxy ${gone.version}.`,
      blocksFrom: gone,
      facts: ["ipvs-gate-gone-1.46"],
      what: "false",
    }),
  ];
}

function ignoredFlag(input: CheckInput, instance: ProxyInstance, flag: string): Finding {
  return finding(ipvsGate, input, {
    status: "info",
    about: "hygiene",
    title: `--feature-gates with ${GATE} has no effect beside --config`,
    detail: `${input.evidence.cluster.name}: ${instance.ref} gives ${listed([flag])}, but kube-proxy takes feature gates from its file only.`,
    evidence: [{ ...instance.evidence, path: `${instance.ref} args`, excerpt: "--feature-gates" }],
    fix: `Set featureGates.${GATE} in the file, or remove the flag.`,
    facts: ["flags-ignored-with-config"],
    what: "ignored-flag",
  });
}
