import type { ClusterJson } from "#src/console/server/cluster-json.ts";
import { counted } from "#src/report/text.ts";
import { minuteOf } from "#src/report/when.ts";
import { ClusterLink } from "./cluster-link.tsx";

type Waiver = ClusterJson["waivers"][number] & { cluster?: string };
type Approval = ClusterJson["approvals"][number] & { cluster?: string };

interface DecisionsProps {
  waivers: readonly Waiver[];
  approvals: readonly Approval[];
}

/** Waivers and approvals, with what has become of each. */
export function Decisions({ waivers, approvals }: DecisionsProps) {
  const count = waivers.length + approvals.length;
  return (
    <section className="panel" aria-labelledby="decisions">
      <h2 id="decisions">
        Waivers and approvals <span className="count">{count}</span>
      </h2>
      {count === 0 && (
        <p className="muted">
          Nothing was waived or approved. <code>/proxy-audit waive</code> and{" "}
          <code>/proxy-audit approve</code> do, in Slack and from the command line.
        </p>
      )}
      <ul className="decisions">
        {waivers.map((row) => (
          <WaiverItem key={row.waiver.id} row={row} />
        ))}
        {approvals.map((row) => (
          <ApprovalItem key={row.approval.id} row={row} />
        ))}
      </ul>
    </section>
  );
}

function WaiverItem({ row: { waiver, state, daysLeft, cluster } }: { row: Waiver }) {
  return (
    <li>
      <span className={`badge decision-${state.replace(" ", "-")}`}>{state}</span>
      <span>
        {cluster !== undefined && <ClusterLink id={waiver.clusterId}>{cluster}</ClusterLink>}
        {cluster !== undefined && ": "}
        <strong>
          {waiver.check}
          {waiver.accepts === "unknown" ? " accepted as unknown" : " waived"}
        </strong>{" "}
        by {waiver.owner} until {minuteOf(waiver.expiresAt)}
        {daysLeft >= 0 ? ` (${counted(daysLeft, "day")} left)` : ""}
        <span className="decision-reason">
          {waiver.reason}
          {waiver.ticket === null ? "" : ` (${waiver.ticket})`}
        </span>
      </span>
    </li>
  );
}

function ApprovalItem({ row: { approval, state, cluster } }: { row: Approval }) {
  return (
    <li>
      <span className={`badge decision-${state}`}>{state}</span>
      <span>
        {cluster !== undefined && <ClusterLink id={approval.clusterId}>{cluster}</ClusterLink>}
        {cluster !== undefined && ": "}
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
  );
}
