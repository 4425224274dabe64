import type { Finding } from "#src/model/finding.ts";
import type { Waiver } from "#src/model/waiver.ts";

/**
 * Whether a waiver in force covers the finding: one of its check, made while the finding was open. Released
 * behaviour cannot be waived: it will happen. An unknown is covered only by a waiver that accepts it as unknown.
 */
export function isCovered(finding: Finding, waivers: readonly Waiver[], now: Date): boolean {
  if (finding.status !== "unknown" && finding.blocksFrom?.certainty === "released") return false;
  const accepts = finding.status === "unknown" ? "unknown" : "finding";
  return waivers.some(
    (waiver) =>
      waiver.check === finding.check &&
      waiver.accepts === accepts &&
      waiver.fingerprints.includes(finding.fingerprint) &&
      Date.parse(waiver.expiresAt) > now.getTime(),
  );
}
