import type { ClusterJson, FindingJson } from "#src/console/server/cluster-json.ts";
import { SEVERITY_HEADINGS, type Severity } from "#src/report/severity.ts";
import { minuteOf } from "#src/report/when.ts";
import { CopyButton } from "../ui/copy-button.tsx";

const OPEN_AT_FIRST: readonly Severity[] = ["blocks-now", "blocks-later", "unknown"];
/** A cluster that denies everything has one for each check: too many to unfold. */
const OPENED_AT_MOST = 4;

/** What was found, most pressing first, each with where it was read and what to do. */
export function Findings({ groups }: { groups: ClusterJson["groups"] }) {
  return (
    <section className="panel" aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      {groups.length === 0 && <p className="muted">Every check that could be judged has passed.</p>}
      {groups.map(({ severity, findings }) => (
        <div key={severity} className="finding-group">
          <h3>
            {SEVERITY_HEADINGS[severity]} <span className="count">{findings.length}</span>
          </h3>
          {findings.map((finding) => (
            <FindingPart
              key={finding.fingerprint}
              finding={finding}
              severity={severity}
              open={OPEN_AT_FIRST.includes(severity) && findings.length <= OPENED_AT_MOST}
            />
          ))}
        </div>
      ))}
    </section>
  );
}

function FindingPart({
  finding,
  severity,
  open,
}: {
  finding: FindingJson;
  severity: Severity;
  open: boolean;
}) {
  const { check, title, timing, detail, fix, subjects, subjectCount, evidence, judgedBy, waived } = finding;
  const more = (subjectCount ?? 0) - (subjects?.length ?? 0);
  return (
    <details className={`finding finding-${severity}`} open={open}>
      <summary>
        <span className="finding-title">{title}</span>
        {waived && <span className="badge badge-waived">waived</span>}
        <span className="muted finding-check">
          {check}
          {timing === null ? "" : ` · ${timing}`}
        </span>
      </summary>
      <div className="finding-body">
        <p>{detail}</p>
        {fix !== undefined && (
          <div className="fix">
            <h4>What to do</h4>
            <CopyButton text={fix} what="what to do" />
            <p>{fix}</p>
          </div>
        )}
        {subjects !== undefined && subjects.length > 0 && (
          <p className="small">
            Concerns {subjects.join(", ")}
            {more > 0 ? ` and ${more} more` : ""}
          </p>
        )}
        {evidence.length > 0 && (
          <>
            <h4>Evidence</h4>
            <ul className="evidence">
              {evidence.map(({ source, path, excerpt }) => (
                <li key={`${source.ref} ${path} ${excerpt}`}>
                  <code className="evidence-excerpt">{excerpt}</code>
                  <span className="muted">
                    {source.ref}
                    {path === undefined ? "" : ` ${path}`} · {source.kind}, read {minuteOf(source.at)}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
        {judgedBy.length > 0 && <p className="muted small">Judged by {judgedBy.join("; ")}</p>}
      </div>
    </details>
  );
}
