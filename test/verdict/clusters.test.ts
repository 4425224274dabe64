import { describe, expect, it } from "vitest";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { Verdict } from "#src/model/cluster-audit.ts";
import { verdictOf } from "#src/verdict/verdict.ts";
import { forbiddenConfigMap, forbiddenList } from "../checks/changes.ts";
import { auditOf, NOW, waiverWith } from "./audits.ts";

interface Row {
  folder: string;
  change?: (evidence: Evidence) => Evidence;
  target: string;
  says: Pick<Verdict, "verdict" | "blockers" | "unknown" | "certainty">;
}

const warns: Row["says"] = { verdict: "clear-with-warnings", blockers: [], unknown: [], certainty: null };
const configMap = forbiddenConfigMap("kube-system/kube-proxy");

describe("the verdict about a cluster", () => {
  it.each<[string, Row]>([
    ["ipvs, one version before the end", { folder: "proxy-mode/kubeadm-ipvs", target: "1.39", says: warns }],
    [
      "ipvs, at its end",
      {
        folder: "proxy-mode/kubeadm-ipvs",
        target: "1.40",
        says: { verdict: "blocked", blockers: ["proxy-mode"], unknown: [], certainty: "planned" },
      },
    ],
    [
      "ipvs on EKS at the announced end, schema unread",
      {
        folder: "proxy-mode/eks-schema-unread",
        target: "1.36",
        says: { verdict: "incomplete", blockers: [], unknown: ["proxy-mode"], certainty: "announced" },
      },
    ],
    [
      "ipvs on EKS at upstream's end, schema unread: blocked, and the unknown is listed",
      {
        folder: "proxy-mode/eks-schema-unread",
        target: "1.40",
        says: { verdict: "blocked", blockers: ["proxy-mode"], unknown: ["proxy-mode"], certainty: "planned" },
      },
    ],
    [
      "ipvs on EKS at the announced end, schema lists ipvs",
      { folder: "proxy-mode/eks-schema-lists-ipvs", target: "1.36", says: warns },
    ],
    [
      "ipvs on EKS at upstream's end, schema lists ipvs",
      {
        folder: "proxy-mode/eks-schema-lists-ipvs",
        target: "1.40",
        says: { verdict: "blocked", blockers: ["proxy-mode"], unknown: [], certainty: "planned" },
      },
    ],
    [
      "ipvs on EKS at a build whose schema drops ipvs",
      {
        folder: "proxy-mode/eks-schema-drops-ipvs",
        target: "1.36",
        says: { verdict: "blocked", blockers: ["proxy-mode"], unknown: [], certainty: "released" },
      },
    ],
    ["ipvs with the gate on, at 1.40", { folder: "ipvs-gate/on-with-ipvs", target: "1.40", says: warns }],
    [
      "ipvs with the gate on, at 1.43",
      {
        folder: "ipvs-gate/on-with-ipvs",
        target: "1.43",
        says: {
          verdict: "blocked",
          blockers: ["proxy-mode", "ipvs-gate"],
          unknown: [],
          certainty: "planned",
        },
      },
    ],
    [
      "no mode chosen and an old kernel, before the flip",
      { folder: "proxy-mode-unset/old-kernels", target: "1.39", says: warns },
    ],
    [
      "no mode chosen and an old kernel, at the flip: one blocker",
      {
        folder: "proxy-mode-unset/old-kernels",
        target: "1.40",
        says: { verdict: "blocked", blockers: ["proxy-mode-unset"], unknown: [], certainty: "planned" },
      },
    ],
    [
      "no mode chosen and kernels that suffice, at the flip",
      { folder: "proxy-mode-unset/kernels-suffice", target: "1.40", says: warns },
    ],
    [
      "no mode chosen and kernels unread, at the flip",
      {
        folder: "proxy-mode-unset/kernels-suffice",
        change: forbiddenList("nodes"),
        target: "1.40",
        says: {
          verdict: "incomplete",
          blockers: [],
          unknown: ["proxy-mode-unset", "container-runtime"],
          certainty: "planned",
        },
      },
    ],
    [
      "a configuration that the auditor may not read",
      {
        folder: "proxy-mode/kubeadm-ipvs",
        change: configMap,
        target: "1.40",
        says: {
          verdict: "incomplete",
          blockers: [],
          unknown: ["proxy-mode", "proxy-mode-unset", "proxy-mode-invalid", "ipvs-gate"],
          certainty: "planned",
        },
      },
    ],
    [
      "explicit iptables on an old kernel: kubeadm objects, the data plane is fine",
      { folder: "node-kernel/iptables-on-old-kernel", target: "1.40", says: warns },
    ],
    [
      "nftables on an old kernel",
      {
        folder: "node-kernel/nftables-on-old-kernel",
        target: "1.37",
        says: { verdict: "blocked", blockers: ["node-kernel"], unknown: [], certainty: "released" },
      },
    ],
    [
      "containerd 1.x at the kubelet that refuses it",
      {
        folder: "container-runtime/kubeadm-containerd-1",
        target: "1.38",
        says: { verdict: "blocked", blockers: ["container-runtime"], unknown: [], certainty: "planned" },
      },
    ],
  ])("%s", async (_, { folder, change, target, says }) => {
    const { verdict, blockers, unknown, certainty } = verdictOf(await auditOf(folder, change), target, {
      now: NOW,
    });
    expect({ verdict, blockers, unknown, certainty }).toEqual(says);
  });

  it.each([
    ["a planned block", "proxy-mode-unset/old-kernels", "1.40", "clear-with-warnings"],
    ["a released block", "proxy-mode/eks-schema-drops-ipvs", "1.36", "blocked"],
  ])("with every finding waived that can be: %s", async (_, folder, target, verdict) => {
    const audit = await auditOf(folder);
    const waivers = audit.findings.map(({ check, fingerprint }) =>
      waiverWith({ check, fingerprints: [fingerprint] }),
    );
    expect(verdictOf(audit, target, { now: NOW, waivers }).verdict).toBe(verdict);
  });

  it("turns what changes with the mode into warnings once the default flips", async () => {
    const audit = await auditOf("nodeport-addresses/unset");
    const warned = (target: string) =>
      verdictOf(audit, target, { now: NOW }).warnings.includes("nodeport-addresses");
    expect([warned("1.39"), warned("1.40")]).toEqual([false, true]);
  });
});
