import { approvalDecisionSchema, approvalRequestSchema } from "#src/model/approval-request.ts";
import { minutesAfter, sortableInstant } from "./instant.ts";
import { decoded, type StoreFile, withStore, withTransaction } from "./sqlite-database.ts";
import { APPROVAL_REQUESTS_KEPT_DAYS, type InteractionStore } from "./store.ts";

export function sqliteInteractions(file: StoreFile): InteractionStore {
  return {
    claimOnce: (key, { at, until }) =>
      withTransaction(file, (database) => {
        database.prepare("DELETE FROM once WHERE until <= ?").run(sortableInstant(at));
        const claimed = database
          .prepare("INSERT OR IGNORE INTO once (key, until) VALUES (?, ?)")
          .run(key, sortableInstant(until));
        return claimed.changes > 0;
      }),
    releaseOnce: (key) =>
      withStore(file, (database) => {
        database.prepare("DELETE FROM once WHERE key = ?").run(key);
      }),
    putApprovalRequest: (request) =>
      withTransaction(file, (database) => {
        const createdAt = sortableInstant(request.createdAt);
        database
          .prepare("DELETE FROM approval_requests WHERE created_at < ?")
          .run(minutesAfter(createdAt, -APPROVAL_REQUESTS_KEPT_DAYS * 24 * 60));
        database
          .prepare("INSERT OR REPLACE INTO approval_requests (id, created_at, body) VALUES (?, ?, ?)")
          .run(request.id, createdAt, JSON.stringify(approvalRequestSchema.parse(request)));
      }),
    approvalRequest: (id) =>
      withStore(file, (database) => {
        const row = database.prepare("SELECT body, decision FROM approval_requests WHERE id = ?").get(id);
        if (row === undefined) return undefined;
        return {
          request: decoded(file, approvalRequestSchema, row.body, `the approval request ${id}`),
          decision:
            row.decision === null
              ? null
              : decoded(file, approvalDecisionSchema, row.decision, `the decision on ${id}`),
        };
      }),
    decideApprovalRequest: (id, decision) =>
      withStore(file, (database) => {
        const body = JSON.stringify(approvalDecisionSchema.parse(decision));
        return (
          database
            .prepare(
              "UPDATE approval_requests SET decision = $body WHERE id = $id AND (decision IS NULL OR decision = $body)",
            )
            .run({ $body: body, $id: id }).changes > 0
        );
      }),
  };
}
