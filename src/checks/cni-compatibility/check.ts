import { gte, lt } from "semver";
import type { Finding } from "#src/model/finding.ts";
import { type NotSeen, observedValue, type PartlySeen } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { finding, listed, missing, unknownFinding } from "../findings.ts";
import { passByMode, type Standing, standingOf } from "../modes.ts";
import { nftablesUseOf, upgradeFromDefault, withoutModes } from "../nftables-use.ts";
import type { Cni, Setting, SettingName } from "./cni.ts";
import { cnisOf } from "./recognise.ts";
import { CNI_RULES, type CniRule } from "./rules.ts";

/** Versions and settings of CNIs that break with a mode of kube-proxy, by the table in rules.ts. */
export const cniCompatibility: Check = {
  id: "cni-compatibility",
  title: "the CNI beside nftables kube-proxy",
  about: "migration",
  canBlock: null,
  evidence: [
    "DaemonSets of CNIs (image, environment)",
    "their ConfigMaps",
    "Calico's Installation and FelixConfiguration",
    "node images",
  ],
  permissions: [
    "list daemonsets",
    "get configmaps in kube-system and kube-flannel",
    "list installations.operator.tigera.io",
    "list felixconfigurations.crd.projectcalico.org",
    "list nodes",
  ],
  judge(input) {
    const standing = standingOf(input);
    const cnis = cnisOf(input.evidence);
    const judged = cnis.flatMap((cni) =>
      CNI_RULES.filter((rule) => rule.cni === cni.id && concerns(rule, standing)).map((rule) => ({
        cni,
        rule,
        answer: answerOf(rule, cni, cnis, input),
      })),
    );
    const findings = judged.flatMap(({ cni, rule, answer }) =>
      answer === "yes" ? [conflict(input, standing, rule, cni)] : [],
    );
    const undecided = judged.flatMap(({ cni, rule, answer }) =>
      typeof answer === "object" ? [{ cni, rule, unread: answer }] : [],
    );
    const unknown = unknownOf(input, standing, cnis, undecided);
    if (unknown) findings.push(unknown);
    if (findings.length === 0) return [pass(input, standing, cnis)];
    // Old Flannel has a DaemonSet for each architecture: one finding for all of them.
    return [...new Map(findings.map((one) => [one.fingerprint, one])).values()];
  },
};

type Answer = "yes" | "no" | NotSeen | PartlySeen<unknown>;

function concerns(rule: CniRule, standing: Standing): boolean {
  if (rule.under === "any") return true;
  if (standing.kind !== "running") return false;
  const modes = standing.inUse.map(({ mode }) => mode);
  if (rule.under === "nftables") return true;
  if (rule.under === "ipvs") return modes.includes("ipvs");
  return !modes.includes("nftables");
}

/** Whether every condition of the rule holds; what was not read where that decides. */
function answerOf(rule: CniRule, cni: Cni, cnis: readonly Cni[], input: CheckInput): Answer {
  const answers = [versionAnswer(rule, cni), ...settingAnswers(rule, cni), besideAnswer(rule, cnis, input)];
  if (answers.includes("no")) return "no";
  return answers.find((answer) => answer !== "yes") ?? "yes";
}

function versionAnswer({ from, before }: CniRule, { version, name, ref, evidence }: Cni): Answer {
  if (from === undefined && before === undefined) return "yes";
  if (version === null)
    return missing(`the image of ${ref} does not tell ${name}'s version`, evidence.source);
  const within = (from === undefined || gte(version, from)) && (before === undefined || lt(version, before));
  return within ? "yes" : "no";
}

function settingAnswers(rule: CniRule, cni: Cni): Answer[] {
  const wanted = Object.entries(rule.settings ?? {}) as [SettingName, readonly string[]][];
  const answers = wanted.map(([name, values]) =>
    whenTold(cni.settings[name], cni, (value) => values.includes(value)),
  );
  const { agentBefore } = rule;
  if (agentBefore !== undefined) {
    answers.push(whenTold(cni.settings.agent, cni, (value) => value !== "none" && lt(value, agentBefore)));
  }
  return answers;
}

function whenTold(setting: Setting | undefined, cni: Cni, holds: (value: string) => boolean): Answer {
  if (setting?.value != null) return holds(setting.value) ? "yes" : "no";
  const item = setting?.evidence ?? cni.evidence;
  return setting?.unread ?? missing(`${item.path ?? cni.ref} does not tell`, item.source);
}

function besideAnswer({ beside }: CniRule, cnis: readonly Cni[], { evidence }: CheckInput): Answer {
  if (beside === undefined) return "yes";
  if (beside === "bottlerocket") {
    const nodes = observedValue(evidence.nodes) ?? [];
    if (nodes.some((node) => /^bottlerocket/i.test(node.osImage))) return "yes";
    return evidence.nodes.seen === true ? "no" : evidence.nodes;
  }
  const calico = cnis.find(({ id }) => id === "calico");
  return calico ? whenTold(calico.settings.dataplane, calico, (value) => value === "ebpf") : "no";
}

function conflict(input: CheckInput, standing: Standing, rule: CniRule, cni: Cni): Finding {
  const { name } = input.evidence.cluster;
  const agent = cni.settings.agent?.value ?? "";
  const fill = (text: string) =>
    text
      .replaceAll("{version}", cni.version ?? "")
      .replaceAll("{agent}", agent)
      .replaceAll("{cluster}", name);
  const settings = (Object.keys(rule.settings ?? {}) as SettingName[]).flatMap(
    (key) => cni.settings[key]?.evidence ?? [],
  );
  const toCome = rule.under === "nftables" && nftablesUseOf(standing) === "target";
  return finding(cniCompatibility, input, {
    status: rule.status,
    // Once nftables runs, nothing is left to migrate: the conflict is there.
    about: rule.under === "nftables" && !toCome ? "hygiene" : rule.about,
    title: fill(rule.title),
    detail: `${name}: ${cni.ref}. ${fill(rule.detail)}${toCome ? " It does not hurt while kube-proxy runs its present mode." : ""}`,
    evidence: [cni.evidence, ...settings],
    fix: fill(rule.fix),
    ...(toCome ? upgradeFromDefault(standing) : {}),
    facts: [rule.fact],
    what: rule.id,
  });
}

function unknownOf(
  input: CheckInput,
  standing: Standing,
  cnis: readonly Cni[],
  undecided: readonly { cni: Cni; rule: CniRule; unread: NotSeen | PartlySeen<unknown> }[],
): Finding | null {
  const { evidence } = input;
  const [first] = undecided;
  if (first) {
    const rules = [...new Set(undecided.map(({ rule }) => rule.id))];
    return unknownFinding(cniCompatibility, input, {
      title: `Whether ${first.cni.name} goes with nftables kube-proxy is unknown`,
      detail: `${evidence.cluster.name}: what decides about ${listed(rules)} was not read.`,
      unread: first.unread,
      facts: [...new Set(undecided.map(({ rule }) => rule.fact))],
      what: `undecided/${rules.join(",")}`,
    });
  }
  if (standing.kind === "replaced") return null;
  if (standing.kind === "unknown")
    return withoutModes(cniCompatibility, input, standing, "how the CNI goes with it", []);
  const title = "How the CNI goes with nftables kube-proxy is unknown";
  if (evidence.daemonSets.seen !== true) {
    const unread = evidence.daemonSets;
    return unknownFinding(cniCompatibility, input, { title, detail: "", unread, what: "unread" });
  }
  if (cnis.length > 0) return null;
  return unknownFinding(cniCompatibility, input, {
    title,
    detail: `${evidence.cluster.name} runs none of the CNIs that this check knows (Amazon VPC CNI, Calico, Flannel, Cilium, Azure NPM) as a DaemonSet.`,
    unread: missing("no known CNI among the DaemonSets", evidence.daemonSets.source),
    fix: "Look in your CNI's documentation for kube-proxy's nftables mode, and try it on one node first.",
    what: "not-recognised",
  });
}

function pass(input: CheckInput, standing: Standing, cnis: readonly Cni[]): Finding {
  if (standing.kind !== "running")
    return withoutModes(cniCompatibility, input, standing, "how the CNI goes with it", []);
  const found = listed(cnis.map((cni) => (cni.version === null ? cni.name : `${cni.name} ${cni.version}`)));
  return passByMode(cniCompatibility, input, standing, {
    title: `No known conflict between ${found} and nftables kube-proxy`,
    detail: `${input.evidence.cluster.name}: ${found}. None of the recorded conflicts with kube-proxy's nftables mode applies.`,
    evidence: cnis.flatMap((cni) => [
      cni.evidence,
      ...Object.values(cni.settings).map((setting) => setting.evidence),
    ]),
    facts: [
      ...new Set(CNI_RULES.filter((rule) => cnis.some(({ id }) => id === rule.cni)).map((rule) => rule.fact)),
    ],
    what: "none",
  });
}
