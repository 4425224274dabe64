import process from "node:process";
import { readConfig } from "#src/config.ts";
import { once, openFleetStore } from "#src/fleet-run/open.ts";
import { type LambdaContext, powertools } from "#src/fleet-run/powertools.ts";
import type { HttpResponse } from "#src/http-api/function-url.ts";
import { answerGate } from "#src/http-api/gate-request.ts";

const { invocation } = powertools("gate");

const opened = once(async () => {
  const config = readConfig(process.env, ["region", "table", "maxAuditAgeHours"]);
  return { store: openFleetStore(config, process.env), maxAuditAgeHours: config.maxAuditAgeHours };
});

/** HTTPS, signed by IAM: may these clusters move to a version? */
export function handler(event: unknown, context: LambdaContext): Promise<HttpResponse> {
  return invocation(context, async () => answerGate(event, { ...(await opened()), now: new Date() }));
}
