import { writeFile } from "node:fs/promises";
import { SETTINGS } from "../src/config.ts";

const GROUPS = ["Everywhere", "Finding clusters", "Reading clusters", "Slack"] as const;

/** docs/configuration.md, made from the settings themselves. */
export function configurationDocs(): string {
  const tables = GROUPS.map((group) => {
    const rows = Object.values(SETTINGS)
      .filter((setting) => setting.group === group)
      .map(
        ({ variable, what, form, unset }) => `| \`${variable}\` | ${what} | ${form} | ${defaultOf(unset)} |`,
      );
    return `## ${group}\n\n| Variable | What it is | Written as | If not set |\n|---|---|---|---|\n${rows.join("\n")}\n`;
  });
  return (
    "# Configuration of the functions\n\n" +
    "Made by `node scripts/config-docs.ts` from `src/config.ts`: change it there.\n\n" +
    "Each function reads the settings it needs once, at start. A missing or wrong one stops it with a message that names " +
    "the variable. Secrets are given by name, `ssm:/proxy-audit/slack/signing-secret` or `secretsmanager:proxy-audit/slack-settings`, " +
    "and fetched at start; a value itself is taken too, for local runs, and is never printed.\n\n" +
    "`AWS_ENDPOINT_URL` leads every AWS client elsewhere, for local runs against an emulator.\n\n" +
    tables.join("\n")
  );
}

function defaultOf(unset: string | null): string {
  if (unset === null) return "**must be set**";
  return unset === "" ? "none" : `\`${unset}\``;
}

if (import.meta.main) {
  await writeFile(new URL("../docs/configuration.md", import.meta.url), configurationDocs());
}
