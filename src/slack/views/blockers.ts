import type { GateResult, GateRow } from "#src/commands/gate.ts";
import type { VerdictWord } from "#src/model/cluster-audit.ts";
import type { Approval } from "#src/model/waiver.ts";
import { modeText } from "#src/report/cluster-facts.ts";
import { counted } from "#src/report/text.ts";
import { VERDICT_LABELS, verdictSentence } from "#src/report/verdict-text.ts";
import { minuteOf } from "#src/report/when.ts";
import type { Block, Blocks } from "../blocks/block.ts";
import { actions, button } from "../blocks/elements.ts";
import { message, type SlackMessage } from "../blocks/message.ts";
import { type Inline, md, mention } from "../blocks/mrkdwn.ts";
import { header, section } from "../blocks/section.ts";
import { table } from "../blocks/table.ts";
import { clusterRef } from "../commands/cluster-ref.ts";
import { findingsGroup } from "./findings.ts";
import { aboutAudit, aboutAudits, lines, scope, some, verdictLine, verdictText } from "./parts.ts";

/** What stands between clusters and a version: one in full, several as a matrix by wave. */
export function blockersMessage(result: GateResult, what: string, now: Date): SlackMessage {
  const [only] = result.rows;
  return result.rows.length + result.alreadyThere.length === 1 && only !== undefined
    ? oneCluster(only, now)
    : manyClusters(result, what, now);
}

/** `payments-prod-eu 1.35 → 1.40: 🔴 blocked`. */
export function gateTitle({ audit, verdict }: GateRow): string {
  return `${audit.name} ${audit.kubernetesVersion ?? "(version unknown)"} → ${verdict.target}: ${verdictText(verdict.verdict)}`;
}

/** The verdict, and what it rests on and is about. Never cut off: it stands ahead of the findings. */
export function verdictBlocks({ audit, verdict }: GateRow, now: Date): Blocks<Block> {
  return [
    section(
      lines(
        md`*Verdict:* ${verdictLine(verdict)}`,
        md`${modeText(audit.dataPlane)}; ${audit.provider}; team ${audit.team ?? "not known"}`,
      ),
    ),
    aboutAudit(audit, now),
    scope(verdict.assumptions),
  ];
}

/** The findings behind the verdict with their evidence, as far as a message holds them. */
export function findingsBehindVerdict({ blocks, unknown, warns }: GateRow): Blocks<Block> {
  return [
    ...findingsGroup("Blocks", blocks),
    ...findingsGroup("Not judged", unknown),
    ...findingsGroup("Warnings", warns),
  ];
}

function oneCluster(row: GateRow, now: Date): SlackMessage {
  const { audit, verdict } = row;
  const ref = clusterRef(audit.id);
  return message({
    text: gateTitle(row),
    overflow: "cut",
    where: `proxy-audit gate ${audit.name} --to ${verdict.target}`,
    blocks: [
      header(gateTitle(row)),
      ...verdictBlocks(row, now),
      ...(row.approval === null ? [] : [section(approvalText(row.approval.approval, row.approval.state))]),
      actions([
        button({ action: "run", text: "Ask for approval", value: `approve ${ref} ${verdict.target}` }),
        button({ action: "run", text: "Audit again", value: `scan ${ref}` }),
      ]),
      ...findingsBehindVerdict(row),
    ],
  });
}

/** Who approved what until when, and whether it still stands; an override is not to be overlooked. */
export function approvalText(approval: Approval, state: string): Inline {
  return lines(
    md`*Approval:* ${state}, to ${approval.target}, by ${mention(approval.approvedBy)}, until ${minuteOf(approval.expiresAt)}`,
    approval.overrideReason === null
      ? null
      : md`🚨 *Given against a blocked verdict*, because: ${approval.overrideReason}`,
  );
}

const WAVES: readonly (readonly [VerdictWord, string])[] = [
  ["clear", "Clear now"],
  ["clear-with-warnings", "After their warnings are read"],
  ["blocked", "Blocked"],
  ["incomplete", "Cannot be told"],
];

function manyClusters(result: GateResult, what: string, now: Date): SlackMessage {
  const { target, rows, alreadyThere, worst } = result;
  const of = (word: VerdictWord) => rows.filter((row) => row.verdict.verdict === word);
  return message({
    text: `Upgrade${what} to ${target}: ${VERDICT_LABELS[worst]}, the worst of ${counted(rows.length, "cluster")}`,
    overflow: "cut",
    where: `proxy-audit gate --all --to ${target}`,
    blocks: [
      header(`Upgrade${what} to ${target}: ${verdictText(worst)}`),
      section(`The worst of ${counted(rows.length, "cluster")} decides for all of them together.`),
      section(
        lines(
          ...WAVES.flatMap(([word, label]) => {
            const names = of(word).map(({ audit }) => audit.name);
            return names.length === 0 ? [] : [md`*${label}* (${names.length}): ${some(names)}`];
          }),
          alreadyThere.length === 0
            ? null
            : md`*Already there* (${alreadyThere.length}): ${some(alreadyThere.map(({ name }) => name))}`,
        ),
      ),
      table({
        what: "clusters",
        where: `proxy-audit gate --all --to ${target}`,
        columns: [
          { title: "Cluster" },
          { title: "Version" },
          { title: "Mode" },
          { title: "Verdict" },
          { title: "Why" },
        ],
        rows: rows.map(({ audit, verdict, blocks, unknown }) => [
          audit.name,
          audit.kubernetesVersion ?? "?",
          modeText(audit.dataPlane),
          verdictText(verdict.verdict),
          [...blocks, ...unknown][0]?.title ?? verdictSentence(verdict),
        ]),
      }),
      aboutAudits(
        rows.map(({ audit }) => audit),
        now,
      ),
      scope(["kube-proxy and the kubelets move with their configuration as it is"]),
    ],
  });
}
