import { CHECKS, checkById } from "#src/checks/index.ts";
import { closestName } from "#src/inventory/closest-name.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { Finding } from "#src/model/finding.ts";
import type { Waiver } from "#src/model/waiver.ts";
import type { DecisionStore } from "#src/store/store.ts";

export const WAIVER_DAYS_AT_MOST = 90;
const DAY_MS = 86_400_000;

export interface WaiveRequest {
  check: string;
  /** What is open under the check, or what is unknown there. */
  accepts: "finding" | "unknown";
  reason: string;
  ticket: string | null;
  /** Who decides: a name, or a Slack user id. */
  owner: string;
  days: number;
  /** An identifier for the waiver. */
  id: string;
}

/**
 * Waives what is open under one check of a cluster today, never what opens later.
 *
 * @throws ProxyAuditError `usage` for a request that the rules refuse: nothing open, released behaviour, no
 * reason, too long.
 */
export async function waive(
  store: Pick<DecisionStore, "putWaiver">,
  audit: ClusterAudit,
  request: WaiveRequest,
  now: Date,
): Promise<{ waiver: Waiver; covered: Finding[] }> {
  const { name } = audit;
  const refuse = (message: string) => new ProxyAuditError("usage", message, { cluster: name });
  if (checkById(request.check) === undefined) {
    const nearest = closestName(
      request.check,
      CHECKS.map((check) => check.id),
    );
    throw refuse(
      `no check "${request.check}". ${nearest ? `Did you mean ${nearest}?` : "proxy-audit explain lists them."}`,
    );
  }
  if (request.reason.trim() === "")
    throw refuse("a waiver needs a reason: say why this is acceptable until it expires.");
  if (!(request.days > 0 && request.days <= WAIVER_DAYS_AT_MOST)) {
    throw refuse(`a waiver lasts 1 to ${WAIVER_DAYS_AT_MOST} days, not ${request.days}.`);
  }
  const covered = waivable(audit, request);
  const waiver: Waiver = {
    id: request.id,
    clusterId: audit.id,
    check: request.check,
    accepts: request.accepts,
    fingerprints: covered.map((finding) => finding.fingerprint),
    reason: request.reason.trim(),
    ticket: request.ticket,
    owner: request.owner,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + request.days * DAY_MS).toISOString(),
  };
  await store.putWaiver(waiver);
  return { waiver, covered };
}

/**
 * What a waiver of a check would cover today.
 *
 * @throws ProxyAuditError `usage` where there is nothing to waive, or nothing that can be.
 */
export function waivable(
  audit: ClusterAudit,
  { check, accepts }: Pick<WaiveRequest, "check" | "accepts">,
): Finding[] {
  const refuse = (message: string) => new ProxyAuditError("usage", message, { cluster: audit.name });
  const ofCheck = audit.findings.filter((finding) => finding.check === check);
  const unknown = ofCheck.filter((finding) => finding.status === "unknown");
  const open = ofCheck.filter((finding) => finding.status !== "unknown" && finding.status !== "pass");
  if (accepts === "unknown") {
    if (unknown.length > 0) return unknown;
    throw refuse(`nothing is unknown under ${check} in ${audit.name}: there is nothing to accept.`);
  }
  const planned = open.filter((finding) => finding.blocksFrom?.certainty !== "released");
  if (planned.length > 0) return planned;
  if (open.length > 0) {
    throw refuse(
      `${check} in ${audit.name} cannot be waived: it is how released software behaves, and waiting does not change it.`,
    );
  }
  const hint = unknown.length > 0 ? " Something is unknown there: that can be accepted instead." : "";
  throw refuse(`nothing is open under ${check} in ${audit.name}: there is nothing to waive.${hint}`);
}

export type WaiverState = "in force" | "expiring" | "expired" | "unused";

export interface WaiverRow {
  waiver: Waiver;
  state: WaiverState;
  daysLeft: number;
}

const EXPIRING_DAYS = 14;

/** Every waiver with what has become of it: a waiver whose findings are gone is unused. */
export function waiverRows(
  waivers: readonly Waiver[],
  audits: readonly ClusterAudit[],
  now: Date,
): WaiverRow[] {
  const byId = new Map(audits.map((audit) => [audit.id, audit]));
  return waivers.map((waiver) => {
    const daysLeft = Math.floor((Date.parse(waiver.expiresAt) - now.getTime()) / DAY_MS);
    const open = new Set((byId.get(waiver.clusterId)?.findings ?? []).map((finding) => finding.fingerprint));
    const used = waiver.fingerprints.some((fingerprint) => open.has(fingerprint));
    const state =
      daysLeft < 0 ? "expired" : !used ? "unused" : daysLeft <= EXPIRING_DAYS ? "expiring" : "in force";
    return { waiver, state, daysLeft };
  });
}
