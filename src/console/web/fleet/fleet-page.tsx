import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue, useMemo } from "react";
import { useSearchParams } from "wouter";
import type { FleetJson } from "#src/console/server/fleet-json.ts";
import type { StateJson } from "#src/console/server/fleet-routes.ts";
import { ApiError, getJson } from "../api.ts";
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
  const target = params.get("target") ?? "1.40";
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

  const badTarget = fleet.error instanceof ApiError && fleet.error.status === 400;
  if (fleet.error !== null && !badTarget && fleet.data === undefined) {
    return (
      <ErrorPanel
        title="The fleet could not be read"
        message={fleet.error.message}
        retry={() => fleet.refetch()}
      />
    );
  }
  if (fleet.data === undefined && !badTarget) return <Loading what="the fleet" />;
  if (fleet.data?.total === 0) return <EmptyFleet state={state} scanning={running} />;
  return (
    <>
      <h1 className="hidden">Fleet</h1>
      {fleet.data !== undefined && (
        <Headline
          fleet={fleet.data}
          chosen={filters.verdict}
          onChoose={(verdict) => set({ verdict: verdict === filters.verdict ? "" : verdict })}
        />
      )}
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
      <section className="panel" aria-labelledby="clusters">
        <h2 id="clusters">Clusters</h2>
        <FilterBar
          rows={fleet.data?.rows ?? []}
          targets={fleet.data?.targets ?? []}
          filters={filters}
          target={target}
          problem={badTarget ? (fleet.error?.message ?? null) : null}
          onChange={set}
        />
        <FleetTable
          rows={rows}
          total={fleet.data?.total ?? 0}
          target={fleet.data?.target ?? target}
          sort={sort}
          down={down}
          onSort={(by) => set({ sort: by === "risk" ? "" : by, down: by === sort && !down ? "1" : "" })}
          onClear={() => set({ q: "", team: "", mode: "", provider: "", verdict: "" })}
        />
      </section>
    </>
  );
}
