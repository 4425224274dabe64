import { describe, expect, it } from "vitest";
import type { Finding } from "#src/model/finding.ts";
import type { Waiver } from "#src/model/waiver.ts";
import { isCovered } from "#src/verdict/waivers.ts";
import { findingWith, NOW, waiverWith } from "./audits.ts";

const released = findingWith({
  blocksFrom: { version: "1.36", component: "kube-proxy", certainty: "released" },
});

describe("isCovered", () => {
  it.each<[string, Finding, Waiver, boolean]>([
    ["a finding that was open when the waiver was made", findingWith(), waiverWith(), true],
    [
      "a later finding of the same check",
      findingWith({ fingerprint: "proxy-mode/manifests:payments/other" }),
      waiverWith(),
      false,
    ],
    ["the same fingerprint of another check", findingWith({ check: "ipvs-gate" }), waiverWith(), false],
    ["a waiver that has expired", findingWith(), waiverWith({ expiresAt: "2026-11-30T08:59:59Z" }), false],
    [
      "a waiver that expires this instant",
      findingWith(),
      waiverWith({ expiresAt: NOW.toISOString() }),
      false,
    ],
    ["what is released", released, waiverWith(), false],
    ["an unknown, by a waiver of findings", findingWith({ status: "unknown" }), waiverWith(), false],
    [
      "an unknown, by one that accepts unknowns",
      findingWith({ status: "unknown" }),
      waiverWith({ accepts: "unknown" }),
      true,
    ],
    [
      "an unknown whose block is released",
      { ...released, status: "unknown" },
      waiverWith({ accepts: "unknown" }),
      true,
    ],
    ["a finding, by one that accepts unknowns", findingWith(), waiverWith({ accepts: "unknown" }), false],
  ])("%s", (_, finding, waiver, covered) => {
    expect(isCovered(finding, [waiver], NOW)).toBe(covered);
  });

  it("is not covered without waivers", () => {
    expect(isCovered(findingWith(), [], NOW)).toBe(false);
  });
});
