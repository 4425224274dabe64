import type { FleetJson } from "#src/console/server/fleet-json.ts";
import { VERDICT_LABELS, VERDICT_ORDER } from "#src/report/verdict-text.ts";
import type { CountdownTo } from "#src/timeline/countdown.ts";
import { Age } from "../ui/when.tsx";

interface HeadlineProps {
  fleet: FleetJson;
  /** The verdict or gap that the table is filtered by. */
  chosen: string;
  onChoose: (verdict: string) => void;
}

/** How long there is, how much of the fleet is known, and what the chosen upgrade would meet. */
export function Headline({ fleet, chosen, onChoose }: HeadlineProps) {
  return (
    <section className="headline" aria-label="Headline">
      <Countdown to={fleet.countdown.to140} title="ipvs off by default" />
      <Countdown to={fleet.countdown.to143} title="ipvs removed" />
      <CoveragePart fleet={fleet} chosen={chosen} onChoose={onChoose} />
      <VerdictsPart fleet={fleet} chosen={chosen} onChoose={onChoose} />
    </section>
  );
}

function Countdown({ to, title }: { to: CountdownTo; title: string }) {
  const months = to.monthsAway === 1 ? "1 month" : `${to.monthsAway} months`;
  const releases = to.releases === 1 ? "1 release" : `${to.releases} releases`;
  // `1.40 is 3 releases away, about 9 months: Aug 2027 ± 3 weeks (estimated)`
  const when = to.text.slice(to.text.indexOf(": ") + 2);
  return (
    <div className="headline-part">
      <h2>
        {title} in {to.version} <span className="certainty">{to.certainty}</span>
      </h2>
      <p className="headline-number">
        {to.releases > 0 ? (
          <>
            {releases} <span className="headline-unit">about {months}</span>
          </>
        ) : (
          "out"
        )}
      </p>
      <p className="muted">{when}</p>
    </div>
  );
}

function CoveragePart({ fleet, chosen, onChoose }: HeadlineProps) {
  const { total, coverage } = fleet;
  const fresh = Math.max(0, coverage.audited - coverage.stale);
  const gaps = [
    { id: "not reached", count: coverage.unreachable, text: "not reached" },
    { id: "denied", count: coverage.denied, text: "denied" },
    { id: "stale", count: coverage.stale, text: "stale" },
  ].filter(({ count }) => count > 0);
  return (
    <div className={`headline-part ${gaps.length > 0 ? "headline-gap" : ""}`}>
      <h2>Coverage</h2>
      <p className="headline-number">
        {coverage.audited} <span className="headline-unit">of {total} audited</span>
      </p>
      <div className="coverage-bar" aria-hidden="true">
        <Share className="coverage-audited" count={fresh} />
        <Share className="coverage-gap" count={total - fresh} />
      </div>
      <p className="chips">
        {gaps.length === 0 ? (
          <span className="muted">every cluster was read</span>
        ) : (
          gaps.map(({ id, count, text }) => (
            <button
              key={id}
              type="button"
              className="chip chip-gap"
              aria-pressed={chosen === id}
              onClick={() => onChoose(id)}
            >
              {count} {text}
            </button>
          ))
        )}
      </p>
      {fleet.oldestAudit !== null && (
        <p className="muted">
          Oldest audit: <Age at={fleet.oldestAudit} />
        </p>
      )}
    </div>
  );
}

/** By attribute and style sheet, not by inline style: see the page's policy. */
function Share({ className, count }: { className: string; count: number }) {
  return count === 0 ? null : <span className={className} style={{ flexGrow: count }} />;
}

function VerdictsPart({ fleet, chosen, onChoose }: HeadlineProps) {
  const counts = VERDICT_ORDER.map((verdict) => ({
    verdict,
    count: fleet.rows.filter((row) => row.verdict === verdict).length,
  })).filter(({ count }) => count > 0);
  const there = fleet.rows.filter((row) => row.verdict === null).length;
  return (
    <div className="headline-part">
      <h2>Upgrade to {fleet.target}</h2>
      <ul className="verdict-counts">
        {counts.map(({ verdict, count }) => (
          <li key={verdict}>
            <button
              type="button"
              className={`chip badge-${verdict}`}
              aria-pressed={chosen === verdict}
              onClick={() => onChoose(verdict)}
            >
              <strong>{count}</strong> {VERDICT_LABELS[verdict]}
            </button>
          </li>
        ))}
        {there > 0 && <li className="muted">{there} already there</li>}
      </ul>
    </div>
  );
}
