import { shown } from "#src/slack/blocks/text.ts";

type Json = Readonly<Record<string, unknown>>;

/** A message or view as a reader sees it, for terminals and tests: text, tables in columns, controls in brackets. */
export function blocksAsText(blocks: readonly unknown[]): string {
  return blocks
    .filter(isObject)
    .map(blockText)
    .filter((text) => text !== "")
    .join("\n\n");
}

function blockText(block: Json): string {
  switch (block.type) {
    case "header":
      return `# ${textOf(block.text)}`;
    case "divider":
      return "---";
    case "section":
      return [textOf(block.text), ...items(block.fields).map(textOf), controlText(block.accessory)]
        .filter((part) => part !== "")
        .join("\n");
    case "context":
      return items(block.elements).map(textOf).join("\n");
    case "actions":
      return items(block.elements).map(controlText).join(" ");
    case "input":
      return `${textOf(block.label)}: ${controlText(block.element)}`;
    case "rich_text":
      return items(block.elements).map(richText).join("\n");
    case "table":
    case "data_table":
      return tableText(items(block.rows));
    default:
      return `[${String(block.type)}]`;
  }
}

function richText(element: unknown): string {
  if (!isObject(element)) return "";
  const parts = items(element.elements);
  if (element.type === "rich_text_list") return parts.map((part) => `• ${richText(part)}`).join("\n");
  if (parts.length > 0) return parts.map(richText).join("");
  return String(element.text ?? element.url ?? "");
}

function tableText(rows: readonly unknown[]): string {
  const cells = rows.map((row) =>
    (Array.isArray(row) ? row : []).map((cell: unknown) => (isObject(cell) ? String(cell.text ?? "") : "")),
  );
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function controlText(control: unknown): string {
  if (!isObject(control)) return "";
  const label = textOf(control.text ?? control.placeholder) || String(control.action_id ?? "");
  const options = items(control.options).map((option) => (isObject(option) ? textOf(option.text) : ""));
  return options.length === 0 ? `[${label}]` : `[${label}: ${options.join(" | ")}]`;
}

/** Entities as Slack shows them; markup as it is, so that a test sees it. */
function textOf(text: unknown): string {
  if (!isObject(text) || typeof text.text !== "string") return "";
  return text.type === "mrkdwn"
    ? text.text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
    : shown(text.text);
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
