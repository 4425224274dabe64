import type { Run } from "#src/store/records.ts";

type Counts = Record<"done" | "partial" | "skipped" | "failed" | "pending", number>;

/** How a run ended, in numbers that add up: each thing it had to reach is in one count. */
export interface RunSummary {
  id: string;
  /** `partial`: something failed, or was never heard of. */
  state: "complete" | "partial";
  accounts: Counts;
  regions: Counts;
  clusters: Counts;
  /** The first of what failed or is pending, with reasons. */
  missing: string[];
}

const MISSING_AT_MOST = 20;

export function summaryOf(run: Run): RunSummary {
  const ids = {
    done: run.done,
    partial: run.partial.map(({ clusterId }) => clusterId),
    skipped: run.skipped.map(({ clusterId }) => clusterId),
    failed: run.failed.map(({ clusterId }) => clusterId),
    pending: run.pending,
  };
  const counts = (kind: ReturnType<typeof kindOf>): Counts => {
    const of = (list: readonly string[]) => list.filter((id) => kindOf(id) === kind).length;
    return {
      done: of(ids.done),
      partial: of(ids.partial),
      skipped: of(ids.skipped),
      failed: of(ids.failed),
      pending: of(ids.pending),
    };
  };
  const missing = [
    ...run.failed.map(({ clusterId, reason }) => `${clusterId}: ${reason}`),
    ...run.pending.map((id) => `${id}: not heard of`),
  ];
  return {
    id: run.id,
    state: missing.length === 0 ? "complete" : "partial",
    accounts: counts("account"),
    regions: counts("region"),
    clusters: counts("cluster"),
    missing: missing.slice(0, MISSING_AT_MOST),
  };
}

/** What an id of a run names, by its form. */
function kindOf(id: string): "account" | "region" | "cluster" | "organization" {
  if (/^\d{12}$/.test(id)) return "account";
  if (/^\d{12}\//.test(id)) return "region";
  return id.startsWith("organization ") ? "organization" : "cluster";
}
