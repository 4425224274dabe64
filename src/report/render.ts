import type { ScanResult } from "#src/model/cluster-audit.ts";
import { renderCsv } from "./csv.ts";
import { renderHtml } from "./html.ts";
import { renderJson, renderNdjson } from "./json.ts";
import { renderJunit } from "./junit.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderPrometheus } from "./prometheus.ts";
import { renderSarif } from "./sarif.ts";
import { renderTable, type TableOptions } from "./table.ts";

export interface RenderOptions extends TableOptions {
  output: Output;
}

const RENDERERS = {
  table: renderTable,
  json: renderJson,
  ndjson: renderNdjson,
  markdown: renderMarkdown,
  sarif: renderSarif,
  junit: renderJunit,
  html: renderHtml,
  prometheus: renderPrometheus,
  csv: renderCsv,
} as const satisfies Record<string, (result: ScanResult, options: TableOptions) => string>;

export type Output = keyof typeof RENDERERS;

/** What `--output` takes. */
export const OUTPUTS = Object.keys(RENDERERS) as Output[];

/** A scan as text, ending in a newline unless it is empty. Only the table minds colour and columns. */
export function renderScan(result: ScanResult, options: RenderOptions): string {
  return RENDERERS[options.output](result, options);
}
