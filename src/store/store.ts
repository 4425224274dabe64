import type { ClusterAudit, ProxyMode } from "#src/model/cluster-audit.ts";
import type { Approval, Waiver } from "#src/model/waiver.ts";
import type { FindingChange, OpenFinding, Rollup, Run, RunOutcome, Subscription } from "./records.ts";

/** Every field given must match; `null` selects clusters without one. */
export interface ClusterFilter {
  team?: string | null;
  environment?: string | null;
  provider?: string;
  account?: string | null;
  region?: string | null;
  mode?: ProxyMode;
}

export type ChangeFilter = Pick<ClusterFilter, "team" | "environment" | "provider"> & { clusterId?: string };

interface PutAuditResult {
  /**
   * `latest`: it is now the cluster's newest audit. `history`: a newer one was there already, and stays.
   * `duplicate`: this cluster's audit of that instant was stored before; nothing was written.
   */
  kept: "latest" | "history" | "duplicate";
  /** Empty unless `latest`. */
  changes: FindingChange[];
}

export interface AuditStore {
  /** Adds an audit to the history, and makes it the latest unless a newer one is there. */
  putAudit(audit: ClusterAudit): Promise<PutAuditResult>;
  latest(clusterId: string): Promise<ClusterAudit | undefined>;
  /** The latest audit of each matching cluster, by identifier; page by page, so a fleet need not fit in memory. */
  latestAll(filter?: ClusterFilter): AsyncIterable<ClusterAudit>;
  /** Newest first. `since` leaves out older ones, which a store may or may not have deleted yet. */
  history(clusterId: string, options: { limit: number; since?: string }): Promise<ClusterAudit[]>;
  /** What is open, with the audit it was first and last seen in. */
  openFindings(clusterId: string): Promise<OpenFinding[]>;
  /** Changes shown by audits from `since` (inclusive) on, oldest first. */
  changesSince(since: string, filter?: ChangeFilter): Promise<FindingChange[]>;
  /** Takes a cluster that no longer exists out of the fleet. Its history stays. */
  removeCluster(clusterId: string): Promise<void>;
}

export interface DecisionStore {
  /** Adds or replaces, by cluster and identifier. */
  putWaiver(waiver: Waiver): Promise<void>;
  /** By expiry, soonest first. `activeAt` leaves out the expired ones; without it all are listed. */
  waivers(filter?: { clusterId?: string; activeAt?: string }): Promise<Waiver[]>;
  /** False when there was none. */
  removeWaiver(clusterId: string, id: string): Promise<boolean>;
  /** Adds or replaces, by cluster and identifier. */
  putApproval(approval: Approval): Promise<void>;
  /** Newest first. */
  approvals(filter?: { clusterId?: string; activeAt?: string }): Promise<Approval[]>;
}

export interface DigestStore {
  /** Adds or replaces, by channel and team. */
  putSubscription(subscription: Subscription): Promise<void>;
  /** By team, then channel. */
  subscriptions(filter?: { team?: string; channel?: string }): Promise<Subscription[]>;
  /** False when there was none. */
  removeSubscription(channel: string, team: string): Promise<boolean>;
  /**
   * Who may send the digest of a team for an ISO week (`2027-W09`): exactly one caller gets `claimed`. A claim
   * that was not confirmed within `DIGEST_CLAIM_MINUTES` can be claimed again: its holder has died, and a
   * digest that comes twice is better than none.
   */
  claimDigest(team: string, isoWeek: string, at: string): Promise<"claimed" | "already-claimed" | "sent">;
  confirmDigest(team: string, isoWeek: string, at: string): Promise<void>;
}

/** History and changes older than this, in days, may be deleted; the latest audit of a cluster never is. */
export const AUDITS_KEPT_DAYS = 400;

export const DIGEST_CLAIM_MINUTES = 30;

export interface RunStore {
  /** Starting a run again changes nothing. */
  startRun(id: string, at: string): Promise<void>;
  /**
   * Where a cluster stands in a run; repeated messages change nothing. `done` stands against everything that
   * comes later, `failed` against `expected` and earlier failures.
   */
  markRun(
    id: string,
    mark: { clusterId: string; outcome: RunOutcome; at: string; reason?: string },
  ): Promise<void>;
  closeRun(id: string, at: string): Promise<void>;
  run(id: string): Promise<Run | undefined>;
  /** Adds or replaces, by date and team. */
  putRollup(rollup: Rollup): Promise<void>;
  /** From one day to another, both included, oldest first; `team` null (or left out) for the whole fleet. */
  rollups(range: { from: string; to: string; team?: string | null }): Promise<Rollup[]>;
}

/**
 * What the product remembers. Every operation reads or writes by key, at most one record of each kind at a
 * time, and never needs a transaction across keys, so that one DynamoDB table can keep the same contract
 * (`test/store/contract.ts`). Times are RFC 3339 and given by the caller.
 *
 * Throws `ProxyAuditError` `store-unavailable` when the store cannot be read or written.
 */
export interface FindingStore extends AuditStore, DecisionStore, DigestStore, RunStore {
  close(): Promise<void>;
}
