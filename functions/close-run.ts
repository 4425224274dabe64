import process from "node:process";
import { readConfig } from "#src/config.ts";
import { closeDueRuns } from "#src/fleet-run/close-run.ts";
import { once, openFleetStore } from "#src/fleet-run/open.ts";
import { type LambdaContext, powertools } from "#src/fleet-run/powertools.ts";
import type { RunSummary } from "#src/fleet-run/summary.ts";

const { telemetry, invocation } = powertools("close-run");

const opened = once(async () => {
  const config = readConfig(process.env, ["region", "table", "runHours"]);
  return { store: openFleetStore(config, process.env), runHours: config.runHours };
});

/** Every hour: closes the runs that are complete, or have had their time. */
export function handler(_event: unknown, context: LambdaContext): Promise<RunSummary[]> {
  return invocation(context, async () =>
    closeDueRuns({ ...(await opened()), telemetry, now: () => new Date() }),
  );
}
