import { type Problem, pointerTo } from "./problems.ts";

// Rules that no single block can break.

type Json = Readonly<Record<string, unknown>>;

const TABLE_TEXT = 10_000;

/**
 * `block_id` is unique in a message or view, `action_id` in its block; one element at most takes the focus
 * (docs.slack.dev/reference/block-kit).
 */
export function duplicateIdentifiers(
  blocks: readonly unknown[],
  at: readonly string[],
  error: Problem["error"],
): Problem[] {
  const problems: Problem[] = [];
  const blockIds = new Set<string>();
  let focused = 0;
  blocks.forEach((block, index) => {
    const actionIds = new Set<string>();
    for (const [path, object] of objectsIn(block, [...at, index])) {
      const report = (key: string, seen: Set<string>) => {
        const id = object[key];
        if (typeof id !== "string") return;
        if (seen.has(id)) {
          problems.push({
            error,
            message: `\`${key}\` "${id}" already exists`,
            pointer: pointerTo([...path, key]),
          });
        }
        seen.add(id);
      };
      report("block_id", blockIds);
      report("action_id", actionIds);
      if (object.focus_on_load === true) {
        focused += 1;
        if (focused === 2) {
          problems.push({
            error,
            message: "only one element can have focus_on_load",
            pointer: pointerTo([...path, "focus_on_load"]),
          });
        }
      }
    }
  });
  return problems;
}

/**
 * One table a message, `data_table` included; tables and data tables with at most 10,000 characters in their
 * cells; two charts at most.
 */
export function tableProblems(blocks: readonly unknown[]): Problem[] {
  const of = (...types: string[]) =>
    blocks.flatMap((block, index) =>
      isObject(block) && typeof block.type === "string" && types.includes(block.type)
        ? [{ block, index }]
        : [],
    );
  const tables = of("table", "data_table");
  const cells = tables.reduce((sum, { block }) => sum + textOfBlocks(block.rows), 0);
  return [
    ...tables.slice(1).map(({ index }) => ({
      error: "invalid_attachments" as const,
      message: "only_one_table_allowed",
      pointer: pointerTo(["blocks", index]),
    })),
    ...(cells > TABLE_TEXT
      ? [
          {
            error: "invalid_blocks" as const,
            message: `the cells of all tables must be less than ${TABLE_TEXT + 1} characters`,
            pointer: pointerTo(["blocks", tables[0]?.index ?? 0, "rows"]),
          },
        ]
      : []),
    ...of("data_visualization")
      .slice(2)
      .map(({ index }) => ({
        error: "invalid_blocks" as const,
        message: "no more than 2 data_visualization blocks allowed",
        pointer: pointerTo(["blocks", index]),
      })),
  ];
}

const READ_BY_PEOPLE = new Set(["text", "title", "caption", "label", "name", "alt_text", "categories"]);

/** Characters that people read in these blocks. */
export function textOfBlocks(blocks: unknown): number {
  let length = 0;
  for (const [, object] of objectsIn(blocks, [])) {
    for (const [key, value] of Object.entries(object)) {
      if (READ_BY_PEOPLE.has(key) && typeof value === "string") length += value.length;
    }
  }
  return length;
}

function* objectsIn(
  value: unknown,
  path: readonly (string | number)[],
): Generator<[readonly (string | number)[], Json]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* objectsIn(item, [...path, index]);
  } else if (isObject(value)) {
    yield [path, value];
    for (const [key, item] of Object.entries(value)) yield* objectsIn(item, [...path, key]);
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
