import { useQuery } from "@tanstack/react-query";
import type { DecisionsJson } from "#src/console/server/fleet-routes.ts";
import { getJson } from "./api.ts";
import { Decisions } from "./cluster/decisions.tsx";
import { ErrorPanel, Loading } from "./ui/panels.tsx";

/** Every decision about the fleet, those that are unused, expiring and expired among them. */
export function DecisionsPage() {
  const decisions = useQuery({
    queryKey: ["decisions"],
    queryFn: ({ signal }) => getJson<DecisionsJson>("/api/decisions", signal),
    staleTime: 0,
  });
  if (decisions.error !== null) {
    return (
      <ErrorPanel
        title="The decisions could not be read"
        message={decisions.error.message}
        retry={() => decisions.refetch()}
      />
    );
  }
  if (decisions.data === undefined) return <Loading what="the decisions" />;
  return (
    <>
      <h1 className="hidden">Decisions</h1>
      <Decisions {...decisions.data} />
    </>
  );
}
