import type { Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { finding, listed, missing, unknownFinding } from "../findings.ts";
import {
  answerWithoutModes,
  type ModeInUse,
  modeEvidence,
  modesText,
  passByMode,
  type RunningModes,
  standingOf,
} from "../modes.ts";
import { type Announcer, announcersOf } from "./announcers.ts";

/** In ipvs mode nodes answer ARP for what kube-ipvs0 holds, unless strictARP is set; other modes hold nothing. */
export const strictArp: Check = {
  id: "strict-arp",
  title: "strictARP beside MetalLB and kube-vip",
  about: "migration",
  canBlock: null,
  evidence: [
    "ipvs.strictARP in kube-proxy's configuration",
    "MetalLB's speaker and L2Advertisements",
    "kube-vip's workloads",
  ],
  permissions: [
    "list l2advertisements.metallb.io",
    "list daemonsets, deployments",
    "get, list pods in kube-system",
    "get configmaps in kube-system",
  ],
  judge(input) {
    const standing = standingOf(input);
    if (standing.kind !== "running") return [answerWithoutModes(strictArp, input, standing, ["strict-arp"])];
    const onIpvs = standing.inUse.filter(({ mode }) => mode === "ipvs");
    if (onIpvs.length === 0) return [otherMode(input, standing)];
    const { found, unread } = announcersOf(input.evidence);
    if (found.length > 0) return [besideAnnouncers(input, onIpvs, found)];
    if (unread !== null) {
      return [
        unknownFinding(strictArp, input, {
          title: "Whether MetalLB or kube-vip announces addresses by ARP is unknown",
          detail: `${input.evidence.cluster.name}: in ipvs mode they need strictARP, and the requirement ends with ipvs.`,
          unread,
          facts: ["strict-arp"],
          what: "announcers-unread",
        }),
      ];
    }
    return [
      passByMode(strictArp, input, standing, {
        title: "Nothing in the cluster announces addresses by ARP",
        detail: `${input.evidence.cluster.name}: no MetalLB in layer 2 mode and no kube-vip with ARP was found, so strictARP makes no difference.`,
        evidence: modeEvidence(standing.inUse),
        facts: ["strict-arp"],
        what: "no-announcer",
      }),
    ];
  },
};

function besideAnnouncers(input: CheckInput, onIpvs: ModeInUse[], announcers: Announcer[]): Finding {
  const { evidence, provider } = input;
  const { name } = evidence.cluster;
  const who = listed([...new Set(announcers.map((announcer) => announcer.name))]);
  const plural = new Set(announcers.map((announcer) => announcer.name)).size > 1;
  const common = {
    subjects: announcers.map(({ ref }) => ref),
    facts: ["strict-arp", "kube-ipvs0-addresses"] as const,
  };
  const unread = onIpvs.find(({ settings }) => settings === null);
  if (unread !== undefined) {
    return unknownFinding(strictArp, input, {
      ...common,
      title: `Whether strictARP is set beside ${who} is unknown`,
      detail: `${name}: kube-proxy was seen running in ipvs mode, where ${who} ${plural ? "need" : "needs"} strictARP.`,
      unread: missing(`the configuration of ${unread.ref}`, unread.evidence.source),
      what: "setting-unread",
    });
  }
  const where =
    provider.id === "eks"
      ? "Where: ConfigMap kube-system/kube-proxy-config (the EKS add-on has no setting for it)."
      : `Where: beside the mode, in ${provider.modeSetIn}.`;
  const items = announcers.flatMap((announcer) => announcer.evidence).slice(0, 6);
  const loose = announcers.some(({ ofServices }) => ofServices)
    ? onIpvs.filter(({ settings }) => settings?.ipvs.strictARP !== true)
    : [];
  const set = onIpvs.some(({ settings }) => settings?.ipvs.strictARP === true);
  const setting = (one: ModeInUse) => ({
    ...one.evidence,
    path: `${one.ref} ipvs.strictARP`,
    excerpt: one.settings?.ipvs.strictARP === null ? "not set" : String(one.settings?.ipvs.strictARP),
  });
  if (loose.length > 0) {
    return finding(strictArp, input, {
      ...common,
      status: "warning",
      about: "hygiene",
      title: `strictARP is not set, so every node answers ARP for the addresses that ${who} ${plural ? "announce" : "announces"}`,
      detail:
        `${name}: ${listed(loose.map(({ ref }) => ref))} ${loose.length === 1 ? "runs" : "run"} ipvs mode without strictARP. Each node holds Services' addresses on kube-ipvs0 and ` +
        `answers ARP for them, so traffic can reach a node that ${who} did not choose. Leaving ipvs mode ends the problem: ` +
        `${who} ${plural ? "work" : "works"} with nftables and iptables and ${plural ? "need" : "needs"} neither ipvs nor strictARP there.`,
      evidence: [...loose.slice(0, 3).map(setting), ...items],
      fix:
        provider.id === "eks"
          ? "Move kube-proxy to nftables (the EKS add-on has no setting for strictARP)."
          : `Until kube-proxy leaves ipvs mode, set ipvs: {strictARP: true} and restart kube-proxy node by node. ${where}`,
      what: "missing",
    });
  }
  return finding(strictArp, input, {
    ...common,
    status: "info",
    title: set
      ? `strictARP is set for ${who}; the requirement ends with ipvs mode`
      : `${who} announces the control plane's address only: strictARP is not needed for it, nor is ipvs mode`,
    detail:
      `${name}: strictARP keeps nodes from answering ARP for addresses on kube-ipvs0. In nftables and iptables mode there is no kube-ipvs0, ` +
      `and ${who} ${plural ? "need" : "needs"} neither strictARP nor ipvs: do not keep ipvs mode for ${plural ? "their" : "its"} sake.`,
    evidence: [...onIpvs.slice(0, 3).map(setting), ...items],
    ...(set
      ? { fix: `Leave strictARP as it is until every node has left ipvs mode, then remove it. ${where}` }
      : {}),
    what: set ? "set" : "control-plane-only",
  });
}

function otherMode(input: CheckInput, standing: RunningModes): Finding {
  return passByMode(strictArp, input, standing, {
    title: `strictARP does not matter in ${modesText(standing.inUse)} mode`,
    detail: `${input.evidence.cluster.name}: no node runs ipvs mode; MetalLB and kube-vip need no setting of kube-proxy's.`,
    evidence: modeEvidence(standing.inUse),
    facts: ["strict-arp"],
    what: "not-ipvs",
  });
}
