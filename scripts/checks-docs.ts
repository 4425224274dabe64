import { realpathSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CHECKS, type Check } from "#src/checks/index.ts";

/** Where the table of checks is kept; a test fails when it is not current. */
export const CHECKS_DOC = "docs/checks.md";

/** The table of all checks, made from the registry. */
export function checksDocument(checks: readonly Check[] = CHECKS): string {
  const blocking = checks.filter((check) => check.canBlock !== null).length;
  return `# Checks

<!-- Made by scripts/checks-docs.ts from src/checks/index.ts. Do not edit: npx node scripts/checks-docs.ts -->

${checks.length} checks, in the order people read them. ${blocking} of them can stop an upgrade; the others warn or inform. Each name leads to what the check looks at, why it matters, what to do and how it can be wrong. \`proxy-audit explain CHECK\` prints the same.

"About" says when a finding hurts: when Kubernetes is **upgrade**d as things are, when the cluster leaves ipvs or iptables (**migration**), or not by itself (**hygiene**). A check may say another about a single finding.

| Check | What it judges | About | Can block | Needs to have read | Permissions |
|---|---|---|---|---|---|
${checks.map(row).join("\n")}
`;
}

function row({ id, title, about, canBlock, evidence, permissions }: Check): string {
  const cells = [
    `[${id}](../src/checks/${id}/readme.md)`,
    title,
    about,
    canBlock ?? "no",
    evidence.join("; "),
    permissions.length === 0 ? "none of its own" : permissions.join("; "),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

if (realpathSync(process.argv[1] ?? "") === fileURLToPath(import.meta.url)) {
  writeFileSync(CHECKS_DOC, checksDocument());
}
