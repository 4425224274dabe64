import { z } from "zod";
import { clusterByName } from "#src/commands/find-cluster.ts";
import { gateClusters, gateExitCode } from "#src/commands/gate.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { gateDocument } from "#src/report/gate.ts";
import type { AuditStore, DecisionStore } from "#src/store/store.ts";
import { parseTarget } from "#src/verdict/targets.ts";
import { errorResponse, type HttpResponse, jsonResponse, signedRequest } from "./function-url.ts";

export interface GateRequestOptions {
  store: Pick<AuditStore, "latest" | "latestAll"> & Pick<DecisionStore, "approvals" | "waivers">;
  maxAuditAgeHours: number;
  now: Date;
}

/** What the gate is asked, as the command line's `gate` has it. */
const questionSchema = z.strictObject({
  cluster: z.string().min(1).optional(),
  all: z.literal("true").optional(),
  team: z.string().min(1).optional(),
  env: z.string().min(1).optional(),
  to: z.string(),
  "fail-on": z.literal("warning").optional(),
});
type Question = z.infer<typeof questionSchema>;

/**
 * The verdict over HTTPS, for pipelines: `GET ?cluster=payments&to=1.40`. The answer is what `gate --output json`
 * prints, with the exit code that it would end with (0 clear, 2 blocked, 3 incomplete). It fails closed: whatever
 * goes wrong is a status other than 200.
 */
export async function answerGate(event: unknown, options: GateRequestOptions): Promise<HttpResponse> {
  try {
    const { queryStringParameters, requestContext } = signedRequest(event);
    if (requestContext.http.method !== "GET") throw new ProxyAuditError("usage", "Ask with GET.");
    const question = questionSchema.safeParse(queryStringParameters);
    if (!question.success) {
      const [issue] = question.error.issues;
      throw new ProxyAuditError("usage", `${issue?.path.join(".") || "query"}: ${issue?.message ?? "wrong"}`);
    }
    return await gate(question.data, options);
  } catch (error) {
    return errorResponse(error);
  }
}

async function gate(question: Question, options: GateRequestOptions): Promise<HttpResponse> {
  const { store, now, maxAuditAgeHours } = options;
  const target = parseTarget(question.to);
  const audits = await auditsFor(question, store);
  const of = audits.length === 1 && audits[0] !== undefined ? { clusterId: audits[0].id } : {};
  const [waivers, approvals] = await Promise.all([store.waivers(of), store.approvals(of)]);
  const result = gateClusters(audits, target, { now, waivers, approvals, maxAuditAgeHours });
  const exitCode = gateExitCode(result.worst, {
    failOnWarning: question["fail-on"] === "warning",
    allFound: true,
  });
  return jsonResponse(200, { ...gateDocument(result), exitCode });
}

async function auditsFor(
  { cluster, all, team, env }: Question,
  store: GateRequestOptions["store"],
): Promise<ClusterAudit[]> {
  const wide = all !== undefined || team !== undefined || env !== undefined;
  if ((cluster !== undefined) === wide) {
    throw new ProxyAuditError("usage", "Which clusters? Give cluster, or all=true, team or env.");
  }
  if (cluster !== undefined) return [await oneCluster(cluster, store)];
  const filter = {
    ...(team === undefined ? {} : { team }),
    ...(env === undefined ? {} : { environment: env }),
  };
  const audits = await Array.fromAsync(store.latestAll(filter));
  if (audits.length > 0) return audits;
  throw new ProxyAuditError("not-found", "No stored audit fits: check the team or the environment.");
}

/** By its id with one read; by a name through the whole fleet, of which only what could be meant is kept. */
async function oneCluster(wanted: string, store: GateRequestOptions["store"]): Promise<ClusterAudit> {
  const byId = wanted.includes(":") ? await store.latest(wanted) : undefined;
  if (byId !== undefined) return byId;
  return clusterByName(await Array.fromAsync(store.latestAll()), wanted);
}
