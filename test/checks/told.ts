import type { Finding } from "#src/model/finding.ts";

/** `warning migration large`: status, about and what a finding is about, without check and cluster. */
export function told(findings: readonly Finding[]): string[] {
  return findings.map(({ status, about, fingerprint }) =>
    [status, about, fingerprint.split("/").slice(2).join("/")].join(" "),
  );
}
