import type { ProxyInstance } from "#src/evidence/data-plane/instance.ts";
import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import { minorOfInstance, startConfigurationOf } from "#src/evidence/data-plane/start.ts";
import { type Refusal, refusalsOf } from "#src/kubernetes/validation.ts";
import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import type { Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import type { FactId } from "#src/timeline/facts.ts";
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
            ? `${input.evidence.cluster.name}: ${dataPlane.replacedBy} replaces kube-proxy.`
            : `${input.evidence.cluster.name}: mode, feature gates and nodePortAddresses are accepted by kube-proxy now and, as far as is known, up to ${AHEAD_TO}.`,
        evidence:
          dataPlane.mode === "none"
            ? dataPlane.replacements.map((replacement) => replacement.evidence)
            : dataPlane.running.slice(0, 10).map((instance) => instance.evidence),
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
  if (!settings) return [];
  const start = input.dataPlane.starts.get(instance);
  if (minor === null) return start?.willStart === true ? [] : [unknownVersion(input, instance)];
  const { unjudgedGates = [] } = start ?? {};
  const found: Finding[] = [];
  // By field, the version from which what was found no longer holds; null where it holds for good.
  const judged = new Map<string, string | null>();
  for (let at = minor; compareMinor(at, AHEAD_TO) <= 0; at = addMinor(at, 1)) {
    for (const refusal of refusalsOf(startConfigurationOf(settings), at)) {
      const until = judged.get(refusal.field);
      const told = until === null || (until !== undefined && compareMinor(at, until) < 0);
      if (told || hasOwnCheck(refusal)) continue;
      // A gate of a provider's own build follows the provider's rules, not upstream's table.
      if (unjudgedGates.includes(refusal.field.replace("featureGates.", ""))) continue;
      judged.set(refusal.field, refusal.until);
      found.push(refused(input, instance, refusal, at, at === minor));
    }
  }
  if (unjudgedGates.length > 0) found.push(unjudged(input, instance, unjudgedGates, minor));
  return found;
}

/** ipvs mode and its gate have checks of their own, with their dates: one cause, one finding. */
function hasOwnCheck({ field, value }: Refusal): boolean {
  return field === "featureGates.KubeProxyIPVS" || (field === "mode" && value === "ipvs");
}

function factsOf({ field, value }: Refusal): FactId[] {
  if (field === "mode") return value === "nftables" ? ["nftables-stages"] : ["mode-is-exact"];
  if (field === "nodePortAddresses") return ["nodeport-keywords"];
  return field.startsWith("featureGates") ? ["unknown-gate-is-fatal"] : [];
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
  const plan = refusal.certainty === "released" ? "" : ` (${refusal.certainty})`;
  return finding(proxyModeInvalid, input, {
    status: now ? "blocker" : "warning",
    title: now
      ? `kube-proxy ${at} does not start with ${refusal.field}${value}`
      : `kube-proxy will not start with ${refusal.field}${value} from ${at} on${plan}`,
    detail:
      `${name}: ${instance.ref} is configured by ${instance.says.ref.replace(/\.mode$/, "")}. kube-proxy ${at} exits: ${refusal.message}.${until} ` +
      (now ? "Pods that run still run; the next restart fails." : "Nothing shows until the upgrade."),
    evidence: [
      { ...instance.evidence, path: `${instance.ref} ${refusal.field}`, excerpt: refusal.value || "(empty)" },
    ],
    fix: `Correct ${refusal.field === "mode" ? "the mode" : refusal.field} before kube-proxy ${now ? "restarts" : at}. It is set in ${input.provider.modeSetIn}.`,
    blocksFrom: { version: at, component: "kube-proxy", certainty: refusal.certainty },
    ...(refusal.until === null ? {} : { blocksUntil: refusal.until }),
    facts: factsOf(refusal),
    what: `${refusal.field}=${refusal.value}/${at}`,
  });
}

function unknownVersion(input: CheckInput, instance: ProxyInstance): Finding {
  return unknownFinding(proxyModeInvalid, input, {
    title: "Whether kube-proxy accepts its configuration depends on its version, which is unknown",
    detail: `${input.evidence.cluster.name}: ${instance.ref} is configured with something that not every version accepts.`,
    unread: missing("neither the image nor the API server tells the version", instance.settings.source),
    fix: "Give the auditor the API server's version and the nodes. proxy-audit doctor names what is missing.",
    what: "unknown-version",
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
    fix: `Correct the configuration file before kube-proxy restarts. It is set in ${input.provider.modeSetIn}.`,
    blocksFrom: { version: minor ?? "1.0", component: "kube-proxy", certainty: "released" },
    what: "unloadable",
  });
}

function unjudged(input: CheckInput, instance: ProxyInstance, gates: string[], minor: string): Finding {
  const next = addMinor(minor, 1);
  const providerRun = input.dataPlane.managedBy === "provider";
  const common = {
    title: `Whether the next kube-proxy knows ${gates.length === 1 ? "the feature gate" : "the feature gates"} ${listed(gates, 3)} is unknown`,
    fix: `Check ${listed(gates, 3)} against the release notes of the target, and remove what is not needed. The gates are set in ${input.provider.modeSetIn}.`,
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
    detail: `${evidence.cluster.name}: ${unjudged.length > 0 ? listed(unjudged.map((instance) => instance.ref)) : "kube-proxy"} could not be judged.`,
    unread: reason,
    fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
    what: `unknown/${dataPlane.managedBy ?? "self"}`,
  });
}

function distinct(findings: Finding[]): Finding[] {
  return [...new Map(findings.map((one) => [one.fingerprint, one])).values()];
}
