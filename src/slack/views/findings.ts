import type { SectionBlock } from "@slack/types";
import type { Finding } from "#src/model/finding.ts";
import { findingView } from "#src/report/finding-view.ts";
import type { Block, Blocks } from "../blocks/block.ts";
import { md } from "../blocks/mrkdwn.ts";
import { section } from "../blocks/section.ts";
import { lines } from "./parts.ts";

const EVIDENCE_SHOWN = 2;

/** Findings with their evidence and next action, under a heading. */
export function findingsGroup(title: string, findings: readonly Finding[]): Blocks<Block> {
  if (findings.length === 0) return [];
  return [section(md`*${title}*`), ...findings.map(findingSection)];
}

function findingSection(finding: Finding): SectionBlock {
  const { title, check, timing, detail, evidence, concerns, fix } = findingView(finding);
  const more = evidence.length - EVIDENCE_SHOWN;
  return section(
    lines(
      md`• *${title}* (${timing === null ? check : `${check}; ${timing}`})`,
      detail,
      concerns === null ? null : md`_About:_ ${concerns}`,
      ...evidence.slice(0, EVIDENCE_SHOWN).map((one) => md`_Evidence:_ ${one}`),
      more > 0 ? md`_Evidence:_ and ${more} more` : null,
      fix === null ? null : md`_Next:_ ${fix}`,
    ),
  );
}
