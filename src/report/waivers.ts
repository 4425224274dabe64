import type { WaiverRow } from "#src/commands/waive.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { alignedColumns } from "./columns.ts";
import type { ViewOptions } from "./gate.ts";
import { renderDocument } from "./json.ts";
import { plain } from "./text.ts";
import { minuteOf } from "./when.ts";

/** Every waiver with what has become of it. */
export function renderWaivers(
  rows: readonly WaiverRow[],
  audits: readonly ClusterAudit[],
  options: ViewOptions,
): string {
  if (options.output === "json") return renderDocument({ schemaVersion: 1, waivers: rows });
  if (rows.length === 0) return "There are no waivers.\n";
  const names = new Map(audits.map((audit) => [audit.id, audit.name]));
  const table = alignedColumns(
    ["CLUSTER", "CHECK", "STATE", "EXPIRES", "OWNER", "TICKET", "REASON"],
    rows.map(({ waiver, state }) => [
      { text: plain(names.get(waiver.clusterId) ?? waiver.clusterId) },
      { text: `${plain(waiver.check)}${waiver.accepts === "unknown" ? " (unknown)" : ""}` },
      { text: state },
      { text: minuteOf(waiver.expiresAt) },
      { text: plain(waiver.owner) },
      { text: plain(waiver.ticket ?? "-") },
      { text: plain(waiver.reason) },
    ]),
    Math.max(60, options.columns),
  );
  return `${table.join("\n")}\n`;
}
