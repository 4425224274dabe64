import type { ClusterJson } from "#src/console/server/cluster-json.ts";
import { minuteOf } from "#src/report/when.ts";

/** Waivers and approvals, with what has become of each. */
export function Decisions({ cluster }: { cluster: ClusterJson }) {
  const { waivers, approvals } = cluster;
  return (
    <section className="panel" aria-labelledby="decisions">
      <h2 id="decisions">
        Waivers and approvals <span className="count">{waivers.length + approvals.length}</span>
      </h2>
      {waivers.length + approvals.length === 0 && (
        <p className="muted">
          Nothing was waived or approved. <code>/proxy-audit waive</code> and{" "}
          <code>/proxy-audit approve</code> do, in Slack and from the command line.
        </p>
      )}
      <ul className="decisions">
        {waivers.map(({ waiver, state, daysLeft }) => (
          <li key={waiver.id}>
            <span className={`badge decision-${state.replace(" ", "-")}`}>{state}</span>
            <span>
              <strong>
                {waiver.check}
                {waiver.accepts === "unknown" ? " accepted as unknown" : " waived"}
              </strong>{" "}
              by {waiver.owner} until {minuteOf(waiver.expiresAt)}
              {daysLeft >= 0 ? ` (${daysLeft} days)` : ""}
              <span className="decision-reason">
                {waiver.reason}
                {waiver.ticket === null ? "" : ` (${waiver.ticket})`}
              </span>
            </span>
          </li>
        ))}
        {approvals.map(({ approval, state }) => (
          <li key={approval.id}>
            <span className={`badge decision-${state}`}>{state}</span>
            <span>
              <strong>
                Upgrade to {approval.target} approved
                {approval.overrideReason === null ? "" : " AGAINST A BLOCKED VERDICT"}
              </strong>{" "}
              by {approval.approvedBy}
              {approval.requestedBy === null ? "" : `, asked for by ${approval.requestedBy}`}, until{" "}
              {minuteOf(approval.expiresAt)}
              <span className="decision-reason">
                {approval.overrideReason ?? `The verdict was ${approval.verdict}.`}
                {state === "void" ? " A later audit found something else." : ""}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
