import process from "node:process";
import { readConfig } from "#src/config.ts";
import { once, openFleetStore } from "#src/fleet-run/open.ts";
import { type LambdaContext, powertools } from "#src/fleet-run/powertools.ts";
import type { HttpResponse } from "#src/http-api/function-url.ts";
import { answerPost } from "#src/http-api/post-audit.ts";

const { telemetry, invocation } = powertools("ingest");

const opened = once(async () => {
  const config = readConfig(process.env, ["region", "table", "postingRole"]);
  return { store: openFleetStore(config, process.env), postingRole: config.postingRole };
});

/** HTTPS, signed by IAM: takes the audit that a cluster's own CronJob has made. */
export function handler(event: unknown, context: LambdaContext): Promise<HttpResponse> {
  return invocation(context, async () =>
    answerPost(event, {
      ...(await opened()),
      now: new Date(),
      onStored: ({ id, postedBy }) => {
        telemetry.count("AuditsStored", 1);
        telemetry.info("audit posted", { clusterId: id, postedBy });
      },
    }),
  );
}
