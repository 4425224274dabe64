import { z } from "zod";
import { scanResultSchema } from "#src/model/cluster-audit.ts";

/** The JSON Schema (draft 2020-12) of `--output json`, published with the package. */
export function scanJsonSchema(): Record<string, unknown> {
  return {
    title: "proxy-audit scan",
    description: "The result of `proxy-audit scan --output json`, schemaVersion 1.",
    ...z.toJSONSchema(scanResultSchema),
  };
}
