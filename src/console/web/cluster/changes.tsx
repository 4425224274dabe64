import type { ClusterJson } from "#src/console/server/cluster-json.ts";
import { minuteOf } from "#src/report/when.ts";

/** What audits of the last 90 days showed for the first or the last time, newest first. */
export function Changes({ cluster }: { cluster: ClusterJson }) {
  const { history } = cluster;
  const changes = cluster.changes.filter(({ firstAudit }) => !firstAudit);
  const oldest = history.at(-1);
  return (
    <section className="panel" aria-labelledby="changes">
      <h2 id="changes">
        What changed <span className="count">{changes.length}</span>
      </h2>
      {changes.length === 0 && (
        <p className="muted">
          {history.length < 2 || oldest === undefined
            ? "This is the first audit: changes show from the second on."
            : `Nothing, in ${history.length} audits since ${minuteOf(oldest.auditedAt)}.`}
        </p>
      )}
      <ul className="changes">
        {changes.map((change) => (
          <li key={`${change.at} ${change.fingerprint} ${change.change}`}>
            <span className={`badge change-${change.change}`}>{change.change}</span>
            <span>
              {change.title} <span className="muted">{change.check}</span>
            </span>
            <span className="muted">{minuteOf(change.at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
