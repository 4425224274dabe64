import type { PermissionRow } from "#src/commands/doctor.ts";
import { alignedColumns } from "./columns.ts";
import type { ViewOptions } from "./gate.ts";
import { renderDocument } from "./json.ts";
import { painter } from "./paint.ts";
import { counted, plain, wrap } from "./text.ts";

export interface PermissionsView {
  cluster: string;
  rows: readonly PermissionRow[];
}

/** What is granted, what is not, and the lines to add. */
export function renderPermissions(view: PermissionsView, options: ViewOptions): string {
  if (options.output === "json") return renderDocument({ schemaVersion: 1, ...view });
  const width = Math.max(60, options.columns);
  const paint = painter(options.colour);
  const failed = view.rows.filter((row) => row.outcome !== "granted");
  const granted = view.rows.length - failed.length;
  if (failed.length === 0) {
    return `${plain(view.cluster)}: all ${counted(granted, "permission")} are granted. Nothing is missing.\n`;
  }
  const table = alignedColumns(
    ["PERMISSION", "OUTCOME", "DETAIL"],
    failed.map((row) => [
      { text: row.permission },
      { text: row.outcome, paint: paint.tone("bad") },
      { text: plain(row.detail) },
    ]),
    width,
  );
  const add = failed.flatMap((row) => (row.add === null ? [] : row.add.split("\n")));
  return `${[
    `${plain(view.cluster)}: ${granted} of ${counted(view.rows.length, "permission")} granted.`,
    "",
    ...table,
    ...(add.length === 0
      ? []
      : [
          "",
          ...wrap(
            add.some((line) => line.startsWith("- apiGroups"))
              ? "Add these rules, or apply infra/kubernetes/rbac.yaml and bind the group proxy-audit to the auditor:"
              : "Add these statements:",
            width,
          ),
          "",
          ...add,
        ]),
  ].join("\n")}\n`;
}
