import { describe, expect, it } from "vitest";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { auditHashOf } from "#src/verdict/audit-hash.ts";
import { auditWith, findingWith } from "./audits.ts";

const other = findingWith({ check: "ipvs-gate", fingerprint: "ipvs-gate/manifests:payments/true" });
const unread = { what: "pods/log kube-system", why: "forbidden", detail: "no" } as const;
const audit = auditWith([findingWith(), other], { unread: [unread] });
const hash = auditHashOf(audit);

describe("auditHashOf", () => {
  it.each<[string, ClusterAudit]>([
    ["another time", { ...audit, auditedAt: "2026-12-01T09:00:00Z" }],
    ["another order of findings", { ...audit, findings: [other, findingWith()] }],
    [
      "another wording",
      { ...audit, findings: [findingWith({ title: "In ipvs mode", detail: "more" }), other] },
    ],
    ["other nodes", { ...audit, findings: [findingWith({ subjects: ["node-b"], subjectCount: 1 }), other] }],
    ["another detail of what was unread", { ...audit, unread: [{ ...unread, detail: "still no" }] }],
  ])("stays with %s", (_, changed) => {
    expect(auditHashOf(changed)).toBe(hash);
  });

  it.each<[string, ClusterAudit]>([
    ["a finding less", { ...audit, findings: [findingWith()] }],
    ["another status", { ...audit, findings: [findingWith({ status: "blocker" }), other] }],
    [
      "another version that it blocks from",
      {
        ...audit,
        findings: [
          findingWith({ blocksFrom: { version: "1.41", component: "kube-proxy", certainty: "planned" } }),
          other,
        ],
      },
    ],
    ["nothing unread", { ...audit, unread: [] }],
    ["another reason for the unread", { ...audit, unread: [{ ...unread, why: "timeout" }] }],
    ["another cluster", { ...audit, id: "manifests:orders" }],
  ])("changes with %s", (_, changed) => {
    expect(auditHashOf(changed)).not.toBe(hash);
  });
});
