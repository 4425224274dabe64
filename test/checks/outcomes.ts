import type { Finding } from "#src/model/finding.ts";

/** `warning migration used from 1.40`: what of each finding decides, in one line. */
export function outcomesOf(findings: readonly Finding[]): string[] {
  return findings.map(({ status, about, fingerprint, upgradeFrom }) => {
    const what = fingerprint.split("/").slice(2).join("/");
    return `${status} ${about} ${what}${upgradeFrom ? ` from ${upgradeFrom.version}` : ""}`;
  });
}
