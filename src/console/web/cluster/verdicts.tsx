import type { ClusterJson } from "#src/console/server/cluster-json.ts";
import type { Verdict } from "#src/model/cluster-audit.ts";
import { VERDICT_LABELS } from "#src/report/verdict-text.ts";
import { VerdictBadge } from "../ui/badges.tsx";
import { TypeOrChoose } from "../ui/choose.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";

/** Whether the cluster may move to each version, what that rests on and what it leaves out. */
export function Verdicts({
  cluster,
  problem,
  onTarget,
}: {
  cluster: ClusterJson;
  problem: string | null;
  onTarget: (target: string) => void;
}) {
  const { verdicts, alreadyAt } = cluster;
  const first = verdicts[0]?.verdict;
  const assumptions = new Set(
    verdicts.flatMap(({ verdict }) => verdict.assumptions.map((text) => text.replace(verdict.target, "it"))),
  );
  return (
    <section className="panel" aria-labelledby="verdicts">
      <div className="panel-head">
        <h2 id="verdicts">Verdicts</h2>
        <TypeOrChoose
          label="Another version"
          value=""
          options={["1.37", "1.38", "1.39", "1.40", "1.41", "1.42", "1.43"].map((id) => ({ id, text: id }))}
          problem={problem}
          onChange={(text) => onTarget(text.trim())}
        />
      </div>
      {problem !== null && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      {alreadyAt !== null && (
        <p role="status">
          The cluster runs {cluster.audit.kubernetesVersion}: {alreadyAt} is no upgrade.
        </p>
      )}
      <ScrollRegion labelledBy="verdicts">
        <table className="plain-table verdict-table">
          <thead>
            <tr>
              <th scope="col">To</th>
              <th scope="col">Verdict</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {verdicts.map(({ verdict, sentence }) => (
              <tr key={verdict.target}>
                <th scope="row">{verdict.target}</th>
                <td>
                  <VerdictBadge verdict={verdict.verdict} />
                </td>
                <td>{whyOf(verdict, sentence)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {verdicts.length === 0 && <p className="muted">It runs the newest version that is judged.</p>}
      {first !== undefined && (
        <p className="muted small">
          Covers {first.covers}. Does not cover {first.doesNotCover}. A verdict for a version assumes that{" "}
          {[...assumptions].join("; that ")}.
        </p>
      )}
    </section>
  );
}

/** The sentence without the word that stands beside it. */
function whyOf(verdict: Verdict, sentence: string): string {
  const rest = sentence.slice(VERDICT_LABELS[verdict.verdict].length).replace(/^[;:]? */, "");
  return rest === "" ? "nothing stands in the way" : rest;
}
