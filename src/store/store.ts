import type { ApprovalDecision, ApprovalRequest } from "#src/model/approval-request.ts";
import type { ClusterAudit, ProxyMode } from "#src/model/cluster-audit.ts";
import type { Approval, Waiver } from "#src/model/waiver.ts";
import type {
  FindingChange,
  OpenFinding,
  Rollup,
  Run,
  RunMark,
  RunOutcome,
  Subscription,
} from "./records.ts";

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
   * Who may send a digest: exactly one caller ever gets `claimed`. A claim that was not confirmed within
   * `DIGEST_CLAIM_MINUTES` is `maybe-sent`: its holder died before or after posting, nobody can tell, and a
   * digest never comes twice. It stays so until somebody looked and released it.
   */
  claimDigest(digest: DigestKey, at: string): Promise<DigestClaim>;
  confirmDigest(digest: DigestKey, at: string): Promise<void>;
  /** Gives an unconfirmed claim back, so that the digest can be sent; false where there is none. */
  releaseDigest(digest: DigestKey): Promise<boolean>;
}

/** The digest of a team in one channel for an ISO week (`2027-W09`). */
export interface DigestKey {
  team: string;
  channel: string;
  isoWeek: string;
}

export type DigestClaim = "claimed" | "already-claimed" | "maybe-sent" | "sent";

export interface InteractionStore {
  /**
   * Whether this caller is the first to name `key` since it was last forgotten: requests that come again,
   * messages that must not be posted twice. Forgotten at `until`.
   */
  claimOnce(key: string, times: { at: string; until: string }): Promise<boolean>;
  /** Forgets the key: what it stood for did not happen. */
  releaseOnce(key: string): Promise<void>;
  putApprovalRequest(request: ApprovalRequest): Promise<void>;
  approvalRequest(
    id: string,
  ): Promise<{ request: ApprovalRequest; decision: ApprovalDecision | null } | undefined>;
  /** True for the first decision only, and for that again. */
  decideApprovalRequest(id: string, decision: ApprovalDecision): Promise<boolean>;
}

/** History and changes older than this, in days, may be deleted; the latest audit of a cluster never is. */
export const AUDITS_KEPT_DAYS = 400;

/** How long somebody who claimed a digest may take to send it. */
export const DIGEST_CLAIM_MINUTES = 30;

/** For how long requests for an approval are kept, in days: longer than any approval lasts. */
export const APPROVAL_REQUESTS_KEPT_DAYS = 90;

export interface RunStore {
  /** Starting a run again changes nothing. */
  startRun(id: string, at: string): Promise<void>;
  /**
   * Where a cluster stands in a run; repeated messages change nothing. `done`, `partial` and `skipped` stand
   * against everything that comes later, `failed` against `expected` and earlier failures.
   */
  markRun(
    id: string,
    mark: { clusterId: string; outcome: RunOutcome; at: string; reason?: string },
  ): Promise<void>;
  /**
   * Begins with a cluster in a run, or finds that it was begun. Every delivery of a message gets the same instant,
   * which its audit carries: so two deliveries store one audit. Work that failed begins anew; what has ended
   * otherwise is left as it is.
   */
  beginInRun(id: string, clusterId: string, at: string): Promise<RunMark>;
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
 * (`test/store/contract/contract.ts`). Times are RFC 3339 and given by the caller.
 *
 * Throws `ProxyAuditError` `store-unavailable` when the store cannot be read or written.
 */
export interface FindingStore extends AuditStore, DecisionStore, DigestStore, InteractionStore, RunStore {
  close(): Promise<void>;
}
