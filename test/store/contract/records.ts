import type { Approval, Waiver } from "#src/model/waiver.ts";
import type { Rollup, Subscription } from "#src/store/records.ts";

export const MONDAY = "2027-03-01T09:00:00Z";
export const TUESDAY = "2027-03-02T09:00:00Z";
export const WEDNESDAY = "2027-03-03T09:00:00Z";

export function waiver(id: string, with_: Partial<Waiver> = {}): Waiver {
  return {
    id,
    clusterId: "prod",
    check: "proxy-mode",
    accepts: "finding",
    fingerprints: ["proxy-mode/cluster"],
    reason: "Moves with the March maintenance",
    ticket: "NET-12",
    owner: "ana",
    createdAt: MONDAY,
    expiresAt: WEDNESDAY,
    ...with_,
  };
}

export function approval(id: string, with_: Partial<Approval> = {}): Approval {
  return {
    id,
    clusterId: "prod",
    target: "1.40",
    auditHash: "b2c1",
    verdict: "clear",
    requestedBy: null,
    approvedBy: "ravi",
    overrideReason: null,
    createdAt: MONDAY,
    expiresAt: WEDNESDAY,
    ...with_,
  };
}

export function subscription(channel: string, team: string): Subscription {
  return {
    channel,
    team,
    timeZone: "Europe/Berlin",
    weekday: 1,
    hour: 9,
    createdBy: "ana",
    createdAt: MONDAY,
  };
}

export function rollup(date: string, team: string | null, clusters: number): Rollup {
  return {
    date,
    team,
    clusters,
    notAudited: 1,
    modes: { ipvs: clusters - 1, unknown: 1 },
    verdicts: { "1.40": { blocked: clusters - 1, incomplete: 1 } },
  };
}
