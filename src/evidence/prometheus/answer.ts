import { z } from "zod";
import type { Sample } from "#src/kubernetes/metrics-text.ts";

/** Prometheus' answer to an instant query (Prometheus, HTTP API). Other servers add fields and warnings. */
export const queryAnswer = z.union([
  z.object({
    status: z.literal("success"),
    data: z.object({
      resultType: z.literal("vector"),
      result: z.array(
        z.object({
          metric: z.record(z.string(), z.string()),
          value: z.tuple([z.number(), z.string()]),
        }),
      ),
    }),
    /** Thanos and Cortex: some of the stores behind them did not answer. */
    warnings: z.array(z.string()).nullish(),
  }),
  z.object({ status: z.literal("error"), errorType: z.string().default(""), error: z.string().default("") }),
]);
export type QueryResult = Extract<z.infer<typeof queryAnswer>, { status: "success" }>["data"]["result"];

/** Series of a vector as samples; those whose value is no finite number are left out. */
export function samplesOf(result: QueryResult): Sample[] {
  return result.flatMap(({ metric, value: [, text] }) => {
    const { __name__: name = "", ...labels } = metric;
    const value = Number(text);
    return Number.isFinite(value) ? [{ name, labels, value }] : [];
  });
}
