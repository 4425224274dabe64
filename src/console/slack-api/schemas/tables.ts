import { z } from "zod";
import { richText } from "./rich-text.ts";
import { identifier } from "./text.ts";

const rawText = z.strictObject({ type: z.literal("raw_text"), text: z.string().min(1) });
const rawNumber = z.strictObject({
  type: z.literal("raw_number"),
  value: z.number(),
  text: z.string().min(1),
});
const cell = z.discriminatedUnion("type", [rawText, rawNumber, richText]);
const headerCell = z.discriminatedUnion("type", [rawText, rawNumber]);

/** docs.slack.dev/reference/block-kit/blocks/table-block */
export const table = z.strictObject({
  type: z.literal("table"),
  block_id: identifier.optional(),
  rows: z.array(z.array(cell).min(1).max(20)).min(1).max(100),
  column_settings: z
    .array(
      z
        .strictObject({
          align: z.enum(["left", "center", "right"]).optional(),
          is_wrapped: z.boolean().optional(),
        })
        .nullable(),
    )
    .max(20)
    .optional(),
});

/**
 * docs.slack.dev/reference/block-kit/blocks/data-table-block. The page said 100 rows and 10,000 characters when
 * the block came out and doubled both later; the lower ones are checked, as a workspace may still have them.
 */
export const dataTable = z
  .strictObject({
    type: z.literal("data_table"),
    block_id: identifier.optional(),
    caption: z.string().min(1),
    rows: z.tuple([z.array(headerCell).min(1).max(20)], z.array(cell).min(1).max(20)),
    page_size: z.int().min(1).max(100).optional(),
    row_header_column_index: z.int().min(0).max(19).optional(),
  })
  .superRefine(({ rows }, context) => {
    if (rows.length < 2) {
      context.addIssue({ code: "too_small", origin: "array", minimum: 2, input: rows, path: ["rows"] });
    }
    if (rows.length > 101) {
      context.addIssue({ code: "too_big", origin: "array", maximum: 101, input: rows, path: ["rows"] });
    }
    rows.forEach((row, index) => {
      if (row.length !== rows[0].length) {
        context.addIssue({
          code: "custom",
          message: "all rows must have the same number of cells",
          path: ["rows", index],
        });
      }
    });
  });

const point = z.strictObject({ label: z.string().min(1).max(20), value: z.number() });
const axisTitle = z.string().max(50).optional();
function seriesChart<T extends string>(type: T) {
  return z.strictObject({
    type: z.literal(type),
    series: z
      .array(z.strictObject({ name: z.string().min(1).max(20), data: z.array(point).min(1).max(20) }))
      .min(1)
      .max(12),
    axis_config: z.strictObject({
      categories: z.array(z.string().min(1).max(20)).min(1).max(20),
      x_label: axisTitle,
      y_label: axisTitle,
    }),
  });
}

/** docs.slack.dev/reference/block-kit/blocks/data-visualization-block; every series covers every category. */
export const dataVisualization = z
  .strictObject({
    type: z.literal("data_visualization"),
    block_id: identifier.optional(),
    title: z.string().min(1).max(50),
    chart: z.discriminatedUnion("type", [
      z.strictObject({
        type: z.literal("pie"),
        segments: z
          .array(point.extend({ value: z.number().positive() }))
          .min(1)
          .max(12),
      }),
      seriesChart("bar"),
      seriesChart("area"),
      seriesChart("line"),
    ]),
  })
  .superRefine(({ chart }, context) => {
    if (chart.type === "pie") return;
    const categories = chart.axis_config.categories.join("\n");
    chart.series.forEach((series, index) => {
      if (series.data.map(({ label }) => label).join("\n") !== categories) {
        context.addIssue({
          code: "custom",
          message: "data labels must match the axis categories",
          path: ["chart", "series", index, "data"],
        });
      }
    });
  });
