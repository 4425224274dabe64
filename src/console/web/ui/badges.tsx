import type { Coverage } from "#src/console/server/fleet-json.ts";
import type { VerdictWord } from "#src/model/cluster-audit.ts";
import { VERDICT_SHORT } from "#src/report/verdict-text.ts";

/** A shape besides the colour, so that colour alone says nothing. */
const SIGNS = { blocked: "✕", incomplete: "?", "clear-with-warnings": "!", clear: "✓" } as const;

export function VerdictBadge({ verdict }: { verdict: VerdictWord | null }) {
  if (verdict === null) return <span className="muted">already there</span>;
  return (
    <span className={`badge badge-${verdict}`}>
      <span aria-hidden="true">{SIGNS[verdict]}</span> {VERDICT_SHORT[verdict]}
    </span>
  );
}

export function CoverageBadge({ coverage }: { coverage: Coverage }) {
  if (coverage === "audited") return null;
  return <span className="badge badge-gap">{coverage}</span>;
}
