import type { ProxyInstance } from "#src/evidence/data-plane/instance.ts";
import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import { minorOfInstance, startConfigurationOf } from "#src/evidence/data-plane/start.ts";
import { type Refusal, refusalsOf } from "#src/kubernetes/validation.ts";
import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import type { Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { uncoveredKubeProxies } from "../coverage.ts";
import { finding, listed, missing, unknownFinding } from "../findings.ts";

/** How far ahead configurations are judged: until ipvs' gate is gone. */
const AHEAD_TO = "1.46";

/** A configuration kube-proxy exits with, at the version it runs or at one to come. */
export const proxyModeInvalid: Check = {
  id: "proxy-mode-invalid",
  title: "a configuration kube-proxy will not start with",
  about: "upgrade",
  canBlock: "any version",
  evidence: ["kube-proxy's configuration", "its version (image)"],
  permissions: ["list daemonsets", "get, list pods in kube-system", "get configmaps in kube-system"],
  judge(input) {
    const { dataPlane } = input;
    const findings = dataPlane.running.flatMap((instance) => instanceFindings(input, instance));
    const unread = unreadConfiguration(input);
    if (unread) findings.push(unread);
    if (findings.length > 0) return distinct(findings);
    return [
      finding(proxyModeInvalid, input, {
        status: "pass",
        title:
          dataPlane.mode === "none"
            ? "No kube-proxy runs that could refuse its configuration"
            : "kube-proxy accepts its configuration",
        detail:
          dataPlane.mode === "none"
            ? `${dataPlane.replacedBy} replaces kube-proxy.`
            : `Mode, feature gates and nodePortAddresses are accepted by kube-proxy now and, as far as is known, up to ${AHEAD_TO}.`,
        evidence: dataPlane.running.slice(0, 10).map((instance) => instance.evidence),
        facts: ["mode-is-exact", "nodeport-keywords", "unknown-gate-is-fatal"],
        what: "accepted",
      }),
    ];
  },
};

function instanceFindings(input: CheckInput, instance: ProxyInstance): Finding[] {
  const minor = minorOfInstance(instance, input.evidence);
  if (instance.loadError !== null) return [unloadable(input, instance, minor)];
  const settings = observedValue(instance.settings);
  if (!settings || minor === null) return [];
  const configuration = startConfigurationOf(settings);
  const found: Finding[] = [];
  const judged = new Set<string>();
  for (let at = minor; compareMinor(at, AHEAD_TO) <= 0; at = addMinor(at, 1)) {
    for (const refusal of refusalsOf(configuration, at)) {
      // ipvs mode and its gate have checks of their own, with their dates; what is refused today is said here.
      const ownCheck =
        refusal.field === "featureGates.KubeProxyIPVS" ||
        (refusal.field === "mode" && refusal.value === "ipvs");
      if (ownCheck || judged.has(refusal.field)) continue;
      judged.add(refusal.field);
      found.push(refused(input, instance, refusal, at, at === minor));
    }
  }
  const { unjudgedGates = [] } = input.dataPlane.starts.get(instance) ?? {};
  if (unjudgedGates.length > 0) found.push(unjudged(input, instance, unjudgedGates, minor));
  return found;
}

function refused(
  input: CheckInput,
  instance: ProxyInstance,
  refusal: Refusal,
  at: string,
  now: boolean,
): Finding {
  const { name } = input.evidence.cluster;
  const value = refusal.value === "" ? "" : ` "${refusal.value}"`;
  const until = refusal.until === null ? "" : ` Versions from ${refusal.until} on accept it.`;
  return finding(proxyModeInvalid, input, {
    status: now ? "blocker" : "warning",
    title: now
      ? `kube-proxy ${at} does not start with ${refusal.field}${value}`
      : `kube-proxy will not start with ${refusal.field}${value} from ${at} on`,
    detail:
      `${name}: ${instance.says.ref} belongs to ${instance.ref}. kube-proxy ${at} exits: ${refusal.message}.${until} ` +
      (now ? "Pods that run still run; the next restart fails." : "Nothing shows until the upgrade."),
    evidence: [
      { ...instance.evidence, path: `${instance.ref} ${refusal.field}`, excerpt: refusal.value || "(empty)" },
    ],
    fix: `Correct ${refusal.field} in ${input.provider.modeSetIn}${now ? " before kube-proxy restarts" : ` before kube-proxy ${at}`}.`,
    blocksFrom: { version: at, component: "kube-proxy", certainty: refusal.certainty },
    facts: ["mode-is-exact"],
    what: `${refusal.field}=${refusal.value}/${at}`,
  });
}

function unloadable(input: CheckInput, instance: ProxyInstance, minor: string | null): Finding {
  return finding(proxyModeInvalid, input, {
    status: "blocker",
    title: "kube-proxy cannot load its configuration file",
    detail:
      `${input.evidence.cluster.name}: ${instance.ref} reads ${instance.says.ref.replace(/\.mode$/, "")}, which kube-proxy refuses: ` +
      `${instance.loadError}. Pods that run still run; the next restart fails.`,
    evidence: [instance.evidence],
    fix: `Correct the file in ${input.provider.modeSetIn} before kube-proxy restarts.`,
    blocksFrom: { version: minor ?? "1.0", component: "kube-proxy", certainty: "released" },
    what: "unloadable",
  });
}

function unjudged(input: CheckInput, instance: ProxyInstance, gates: string[], minor: string): Finding {
  const next = addMinor(minor, 1);
  const providerRun = input.dataPlane.managedBy === "provider";
  const common = {
    title: `Whether the next kube-proxy knows ${gates.length === 1 ? "the feature gate" : "the feature gates"} ${listed(gates, 3)} is unknown`,
    fix: `Remove the gates that are not needed from ${input.provider.modeSetIn}, or check them against the release notes of the target.`,
    facts: ["unknown-gate-is-fatal"] as const,
    what: `gates/${gates.toSorted().join(",")}`,
  };
  const detail = `${input.evidence.cluster.name}: ${instance.ref} sets ${listed(gates, 10)}. A feature gate that kube-proxy does not know makes it exit.`;
  if (providerRun) {
    return finding(proxyModeInvalid, input, {
      ...common,
      status: "info",
      detail: `${detail} The provider builds and configures this kube-proxy: its own gates are its business.`,
      evidence: [instance.evidence],
    });
  }
  return unknownFinding(proxyModeInvalid, input, {
    ...common,
    detail,
    unread: missing("the gate is not in the table of known gates", instance.settings.source),
    blocksFrom: { version: next, component: "kube-proxy", certainty: "estimated" },
  });
}

function unreadConfiguration(input: CheckInput): Finding | null {
  const { dataPlane, evidence } = input;
  const unread = dataPlane.running.find((instance) => instance.settings.seen === false);
  const uncovered = uncoveredKubeProxies(input);
  const nothing = dataPlane.running.length === 0 && dataPlane.mode !== "none";
  if (!unread && !uncovered && !nothing) return null;
  const reason =
    unread?.settings.seen === false
      ? unread.settings
      : (uncovered ?? missing(dataPlane.whyUnknown ?? "no kube-proxy was found", evidence.daemonSets.source));
  const unjudged = dataPlane.running.filter((instance) => modeOfInstance(instance) === "unknown");
  return unknownFinding(proxyModeInvalid, input, {
    title: "Whether kube-proxy accepts its configuration is unknown",
    detail:
      unjudged.length > 0 ? `${listed(unjudged.map((instance) => instance.ref))} could not be judged.` : "",
    unread: reason,
    what: `unknown/${dataPlane.managedBy ?? "self"}`,
  });
}

function distinct(findings: Finding[]): Finding[] {
  return [...new Map(findings.map((one) => [one.fingerprint, one])).values()];
}
