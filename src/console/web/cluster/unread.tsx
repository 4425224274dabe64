import type { Unread as UnreadPart } from "#src/model/cluster-audit.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";

/** What was not read and why: nothing here counts as fine. */
export function Unread({ unread }: { unread: readonly UnreadPart[] }) {
  return (
    <section className="panel" aria-labelledby="unread">
      <h2 id="unread">
        Not read <span className="count">{unread.length}</span>
      </h2>
      {unread.length === 0 ? (
        <p className="muted">Everything that was asked for was read.</p>
      ) : (
        <ScrollRegion labelledBy="unread">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Why</th>
                <th scope="col">What the cluster said</th>
              </tr>
            </thead>
            <tbody>
              {unread.map(({ what, why, detail }) => (
                <tr key={`${what} ${why} ${detail}`}>
                  <th scope="row">{what}</th>
                  <td>{why}</td>
                  <td>{detail}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  );
}
