import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import { gateBuysMonths } from "#src/timeline/calendar.ts";
import { countdown } from "#src/timeline/countdown.ts";
import { maxControlPlaneFor } from "#src/timeline/skew.ts";
import { ipvsBlocksFrom } from "#src/timeline/stages.ts";
import type { AnswerText, Entry } from "../entry.ts";
import { dated, endOfLife, GATE_GONE, IPVS_GATE, IPVS_OFF, IPVS_REMOVED, IPVS_WARNS } from "../versions.ts";

const MINORS = ["1.33", "1.34", "1.35", "1.36", "1.38", "1.39", "1.40", "1.41", "1.42", "1.43", "1.44"];

/** When ipvs mode ends, and the feature gate that postpones it. */
export const IPVS_END_ENTRIES: readonly Entry[] = [
  {
    id: "ipvs-removed-1.37",
    question: "Is ipvs removed in Kubernetes 1.37?",
    askedAs: [
      "is ipvs removed in 1.37",
      "ipvs gone in 1.37?",
      "does 1.37 drop ipvs",
      "ipvs 1.37",
      "did they delete ipvs mode in 1.37",
      "does ipvs still work in 1.37",
    ],
    answer: ({ now }) => ({
      certainty: IPVS_OFF.certainty,
      text:
        `No: kube-proxy ${dated(IPVS_GATE.version, now)} still runs ipvs. It only adds the feature gate KubeProxyIPVS, which is on by default. ` +
        `The plan is to turn the gate off by default in ${dated(IPVS_OFF.version, now)} and to delete the code in ${dated(IPVS_REMOVED.version, now)}. ` +
        `Texts older than that plan (KEP-5495, changed in enhancements#6120) guessed the version.`,
    }),
    facts: [
      "claim-ipvs-removed-1.37",
      "ipvs-gate-1.37",
      "ipvs-off-1.40",
      "ipvs-removed-1.43",
      "ipvs-plan-is-from-2026-05",
    ],
    claim: "false",
    fleetQuestion: "ipvs",
    related: ["ipvs-when", "gate-buys", "rehearse"],
  },
  {
    id: "ipvs-when",
    question: "When is ipvs removed?",
    askedAs: [
      "when does ipvs go away",
      "when will ipvs be dropped",
      "ipvs end of life",
      "ipvs eol date",
      "ipvs removal date",
      "which release drops ipvs support",
      "last release that supports ipvs",
      "ipvs deadline",
      "how long do we have until ipvs is gone",
      "how much time is left for ipvs",
      "which version removes ipvs",
      "what kubernetes version drops ipvs mode",
      "last version with ipvs",
      "timeline of the ipvs deprecation",
      "ipvs",
      "KEP-5495",
    ],
    answer: ({ now }) => {
      const { to140, to143 } = countdown(now);
      return {
        certainty: IPVS_OFF.certainty,
        text:
          `ipvs mode stops working by default in kube-proxy ${IPVS_OFF.version} and its code is deleted in ${IPVS_REMOVED.version}; both are planned (KEP-5495). ` +
          `${to140.text}. ${to143.text}. ` +
          `What counts is the version of kube-proxy, not of the control plane.`,
      };
    },
    facts: ["ipvs-off-1.40", "ipvs-removed-1.43", "ipvs-gate-gone-1.46", "release-calendar"],
    fleetQuestion: "ipvs",
    related: ["gate-buys", "control-plane-ahead", "nftables-or-iptables"],
  },
  {
    id: "ipvs-at-version",
    question: "Does ipvs work in a given Kubernetes version?",
    askedAs: [
      ...MINORS.flatMap((minor) => [`does ipvs work in ${minor}`, `is ipvs removed in ${minor}`]),
      ...MINORS.map((minor) => `can I run ipvs on ${minor}`),
      "is ipvs supported in my version",
      "does ipvs mode still run in this release",
    ],
    answer: ({ now, versions }) => ipvsAt(versions[0], now),
    facts: ["ipvs-warning-1.35", "ipvs-gate-1.37", "ipvs-off-1.40", "ipvs-removed-1.43"],
    fleetQuestion: "ipvs",
    related: ["ipvs-when", "gate-buys", "ipvs-removed-1.37"],
  },
  {
    id: "ipvs-why",
    question: "Why is ipvs being removed?",
    askedAs: [
      "why is ipvs deprecated",
      "why did kubernetes deprecate ipvs",
      "what is wrong with ipvs",
      "reason for removing ipvs",
      "why drop ipvs mode",
      "why do we need to migrate",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Because nobody in SIG Network maintains it, and nftables mode does what it was made for. ipvs mode needs iptables as well for part of its work, and its schedulers do not do what people expect of them. " +
        "The kernels that are too old for nftables are also leaving long-term support.",
    }),
    facts: ["ipvs-no-maintainers", "ipvs-scheduler-per-node"],
    related: ["ipvs-when", "scheduler", "nftables-or-iptables"],
  },
  {
    id: "ipvs-warning",
    question: "What does the ipvs deprecation warning in the log mean?",
    askedAs: [
      "The ipvs proxier is now deprecated and may be removed in a future release",
      "The ipvs proxier has been deprecated and will be disabled by default",
      "IPVSDeprecation event",
      "error in kube-proxy log ipvs proxier deprecated please use nftables instead",
      "does 1.35 log a warning for ipvs",
      "does kube-proxy log a warning about ipvs",
      "kube-proxy logs an error about ipvs, is it broken",
    ],
    answer: ({ now }) => ({
      certainty: IPVS_WARNS.certainty,
      text:
        `Nothing is broken yet: from ${dated(IPVS_WARNS.version, now)}, kube-proxy in ipvs mode says at every start that the mode is deprecated. ` +
        "The line is logged at error level, so alerts on errors may fire, and beside it one Warning event with reason IPVSDeprecation is written about the node. " +
        "Events are kept for about an hour: seeing one proves that the node runs ipvs, seeing none proves nothing.",
    }),
    facts: ["ipvs-warning-1.35", "claim-ipvs-warning"],
    claim: "half",
    fleetQuestion: "ipvs",
    related: ["see-mode", "ipvs-when"],
  },
  {
    id: "gate-buys",
    question: "What does the KubeProxyIPVS feature gate buy?",
    askedAs: [
      "KubeProxyIPVS",
      "KubeProxyIPVS feature gate",
      "how much time does the feature gate give",
      "does the gate buy nine months",
      "how long can we keep ipvs with the feature gate",
      "can we postpone the end of ipvs",
      "is there a way to delay the ipvs removal",
    ],
    answer: ({ now }) => ({
      certainty: IPVS_REMOVED.certainty,
      text:
        `About ${gateBuysMonths()} months (estimated): KubeProxyIPVS: true keeps ipvs running from ${dated(IPVS_OFF.version, now)} until ${dated(IPVS_REMOVED.version, now)}, which locks it off and deletes the code. ` +
        `Those are three releases at three a year, so not the nine months of a popular article. ` +
        `Do not set it early: kube-proxy below ${IPVS_GATE.version} does not start with a gate it does not know, ${IPVS_REMOVED.version} and newer refuse true, and from ${GATE_GONE.version} naming it at all is refused.`,
    }),
    facts: [
      "claim-gate-nine-months",
      "ipvs-off-1.40",
      "ipvs-removed-1.43",
      "ipvs-gate-gone-1.46",
      "unknown-gate-is-fatal",
    ],
    fleetQuestion: "ipvs-gate",
    related: ["force-ipvs", "rehearse", "ipvs-when"],
  },
  {
    id: "force-ipvs",
    question: "How do I force ipvs on?",
    askedAs: [
      "how to keep ipvs in 1.40",
      "how do I re-enable ipvs",
      "enable ipvs in 1.40",
      "force ipvs mode",
      "turn ipvs back on",
      "set KubeProxyIPVS to true",
      "how do I set the KubeProxyIPVS gate",
      "where do I put the feature gate",
    ],
    answer: ({ now }) => ({
      certainty: IPVS_OFF.certainty,
      text:
        `From ${dated(IPVS_OFF.version, now)} on, set featureGates: {KubeProxyIPVS: true} beside mode: ipvs in kube-proxy's configuration file; before, ipvs needs no gate. ` +
        "Where kube-proxy is started with --config, the flag --feature-gates is ignored: it has to be in the file. " +
        `Set it together with the upgrade, not earlier than ${IPVS_GATE.version}, because an older kube-proxy exits on a gate it does not know. ` +
        `It works until ${IPVS_REMOVED.version}, where true is refused in every mode, so plan to take it out again.`,
    }),
    facts: ["ipvs-off-1.40", "ipvs-removed-1.43", "unknown-gate-is-fatal", "flags-ignored-with-config"],
    fleetQuestion: "ipvs",
    related: ["gate-buys", "flag-or-file", "roll-back"],
  },
  {
    id: "rehearse",
    question: "How do I rehearse 1.40?",
    askedAs: [
      "how can I test 1.40 today",
      "simulate the ipvs removal",
      "dry run of the ipvs removal",
      "how to try what happens without ipvs",
      "test a node for 1.40",
      "set KubeProxyIPVS to false",
      "rehearsal",
    ],
    answer: ({ now }) => ({
      certainty: IPVS_GATE.certainty,
      text:
        `Set featureGates: {KubeProxyIPVS: false} on a test cluster or one node with kube-proxy ${dated(IPVS_GATE.version, now)} or newer: it then refuses ipvs mode just as ${IPVS_OFF.version} will. ` +
        `To rehearse the new default too, set mode: nftables where no mode is set. ` +
        `Expect kube-proxy to exit there with an error about the mode; Services on that node stop being updated until you put it back. Below ${IPVS_GATE.version} the gate is unknown and stops kube-proxy in every mode.`,
    }),
    facts: ["ipvs-gate-1.37", "unknown-gate-is-fatal", "default-nftables-1.40"],
    fleetQuestion: "ipvs",
    related: ["switch-live", "default-changes", "gate-buys"],
  },
  {
    id: "falls-back",
    question: "Does kube-proxy fall back to iptables by itself?",
    askedAs: [
      "will kube-proxy fall back to iptables",
      "what happens when ipvs is not available",
      "what happens if nftables cannot run",
      "does ipvs fall back",
      "fallback",
      "what happens if I upgrade to 1.40 with ipvs",
      "what happens when I do nothing and upgrade with ipvs",
      "what happens if we stay on ipvs",
      "will kube-proxy crash in 1.40",
    ],
    answer: ({ now }) => ({
      certainty: IPVS_OFF.certainty,
      text:
        `No: since 1.26 kube-proxy exits instead of falling back. In ${dated(IPVS_OFF.version, now)} kube-proxy in ipvs mode exits with an error that lists the valid modes, and its pod restarts over and over. ` +
        "The rules it left behind go on serving for a while, but no Service or endpoint change reaches that node any more. " +
        "Nor does nftables mode fall back to iptables on a kernel that is too old.",
    }),
    facts: ["claim-fallback-iptables", "mode-is-exact", "ipvs-off-1.40", "default-nftables-1.40"],
    claim: "false",
    fleetQuestion: "ipvs",
    related: ["nftables-kernel", "roll-back", "rehearse"],
  },
  {
    id: "control-plane-ahead",
    question: "Can the control plane go ahead of kube-proxy?",
    askedAs: [
      "version skew of kube-proxy",
      "kube-proxy skew",
      "how far behind can kube-proxy be",
      "can I upgrade the control plane and leave kube-proxy",
      "keep an old kube-proxy with a newer api server",
      "can kube-proxy be older than the apiserver",
      "can I upgrade the control plane to 1.40 while still on ipvs",
    ],
    answer: ({ now }) => {
      const last = addMinor(IPVS_OFF.version, -1);
      return {
        certainty: IPVS_OFF.certainty,
        text:
          `Yes: kube-proxy may be up to three minor versions older than the API server, but never newer. ` +
          `With kube-proxy ${last}, the last that runs ipvs by default, the control plane may go up to ${maxControlPlaneFor(last)}. ` +
          `That buys time only where kube-proxy is upgraded apart from the control plane (the EKS add-on, a DaemonSet of your own), and ${last} is patched until ${endOfLife(last)}. ` +
          `ipvs itself is refused from kube-proxy ${dated(IPVS_OFF.version, now)}.`,
      };
    },
    facts: ["version-skew", "ipvs-off-1.40", "release-calendar"],
    fleetQuestion: "ipvs",
    related: ["ipvs-when", "eks-1.36", "gate-buys"],
  },
];

function ipvsAt(minor: string | undefined, now: Date): AnswerText {
  const off = ipvsBlocksFrom(undefined);
  const gone = ipvsBlocksFrom(true);
  const plan = `By KEP-5495 it is off by default in ${dated(off.version, now)} and deleted in ${dated(gone.version, now)}.`;
  if (minor === undefined) {
    return {
      certainty: off.certainty,
      text: `ipvs works in every kube-proxy below ${off.version}, and with the feature gate KubeProxyIPVS turned on below ${gone.version}. ${plan}`,
    };
  }
  if (compareMinor(minor, gone.version) >= 0) {
    return {
      certainty: gone.certainty,
      text: `No, not in ${minor}: ipvs mode is deleted from ${gone.version} on, and the gate KubeProxyIPVS cannot be turned on. ${plan}`,
    };
  }
  if (compareMinor(minor, off.version) >= 0) {
    return {
      certainty: off.certainty,
      text: `Not by default: in ${minor} kube-proxy exits in ipvs mode unless its configuration sets the feature gate KubeProxyIPVS to true. The code is still there. ${plan}`,
    };
  }
  const warns =
    compareMinor(minor, IPVS_WARNS.version) >= 0
      ? " It logs at every start that the mode is deprecated."
      : "";
  return {
    certainty: off.certainty,
    text: `ipvs works in kube-proxy ${minor}; it is not removed there.${warns} ${plan}`,
  };
}
