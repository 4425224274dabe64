import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue, useMemo } from "react";
import { useSearchParams } from "wouter";
import type { FleetJson } from "#src/console/server/fleet-json.ts";
import type { StateJson } from "#src/console/server/fleet-routes.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { MILESTONES, parseTarget } from "#src/verdict/targets.ts";
import { getJson } from "../api.ts";
import { useScan } from "../scan/scan-state.tsx";
import { ErrorPanel, Loading } from "../ui/panels.tsx";
import { EmptyFleet } from "./empty-fleet.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { type Filters, fits, SORTS, type Sort, sorted } from "./filters.ts";
import { FleetTable } from "./fleet-table.tsx";
import { Headline } from "./headline.tsx";

// The charts are half of the page's code: the table does not wait for them.
const BurnDown = lazy(() => import("./burn-down.tsx").then((part) => ({ default: part.BurnDown })));

export function FleetPage({ state }: { state: StateJson | undefined }) {
  const [params, setParams] = useSearchParams();
  const { running } = useScan();
  const asked = params.get("target") ?? MILESTONES[0];
  const { target, problem } = targetOf(asked);
  const fleet = useQuery({
    queryKey: ["fleet", target],
    queryFn: ({ signal }) => getJson<FleetJson>(`/api/fleet?target=${encodeURIComponent(target)}`, signal),
    placeholderData: keepPreviousData,
  });
  const filters: Filters = {
    text: params.get("q") ?? "",
    team: params.get("team") ?? "",
    mode: params.get("mode") ?? "",
    provider: params.get("provider") ?? "",
    verdict: params.get("verdict") ?? "",
  };
  const sort = SORTS.find((one) => one === params.get("sort")) ?? "risk";
  const down = params.get("down") === "1";
  const set = (changes: Record<string, string>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [key, value] of Object.entries(changes)) {
          if (value === "") after.delete(key);
          else after.set(key, value);
        }
        return after;
      },
      { replace: true },
    );

  const wanted = useDeferredValue(JSON.stringify([filters, sort, down]));
  const rows = useMemo(() => {
    const [chosen, by, backwards] = JSON.parse(wanted) as [Filters, Sort, boolean];
    return sorted(
      (fleet.data?.rows ?? []).filter((row) => fits(row, chosen)),
      by,
      backwards,
    );
  }, [fleet.data, wanted]);

  if (fleet.error !== null && fleet.data === undefined) {
    return (
      <ErrorPanel
        title="The fleet could not be read"
        message={fleet.error.message}
        retry={() => fleet.refetch()}
      />
    );
  }
  if (fleet.data === undefined) return <Loading what="the fleet" />;
  if (fleet.data.total === 0) return <EmptyFleet state={state} scanning={running} />;
  return (
    <>
      <h1 className="hidden">Fleet</h1>
      <Headline
        fleet={fleet.data}
        chosen={filters.verdict}
        onChoose={(verdict) => set({ verdict: verdict === filters.verdict ? "" : verdict })}
      />
      <Suspense
        fallback={
          <section className="panel chart-panel" aria-busy="true">
            <h2>Burn-down</h2>
            <Loading what="the history" />
          </section>
        }
      >
        <BurnDown team={filters.team.trim() === "none" ? "" : filters.team} />
      </Suspense>
      <section className="panel" aria-labelledby="clusters" aria-busy={fleet.isPlaceholderData}>
        <h2 id="clusters">Clusters</h2>
        <FilterBar
          rows={fleet.data.rows}
          targets={fleet.data.targets}
          filters={filters}
          target={asked}
          problem={problem}
          onChange={set}
        />
        <FleetTable
          rows={rows}
          total={fleet.data.total}
          target={fleet.data.target}
          sort={sort}
          down={down}
          onSort={(by) => set({ sort: by === "risk" ? "" : by, down: by === sort && !down ? "1" : "" })}
          onClear={() => set({ q: "", team: "", mode: "", provider: "", verdict: "" })}
        />
      </section>
    </>
  );
}

/** The version asked for, or the first milestone with what is wrong with it. */
function targetOf(asked: string): { target: string; problem: string | null } {
  try {
    return { target: parseTarget(asked), problem: null };
  } catch (error) {
    if (!(error instanceof ProxyAuditError)) throw error;
    return { target: MILESTONES[0], problem: error.message };
  }
}
