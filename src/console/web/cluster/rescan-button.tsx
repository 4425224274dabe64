import { useMutation, useQuery } from "@tanstack/react-query";
import type { SourceJson } from "#src/console/server/fleet-routes.ts";
import { getJson, postJson } from "../api.ts";
import { useScan } from "../scan/scan-state.tsx";
import { Button } from "../ui/button.tsx";

/** For clusters that the console can reach: those of its kubeconfig, and the demo's. */
export function RescanButton({ id }: { id: string }) {
  const { progress, running, watch } = useScan();
  const sources = useQuery({
    queryKey: ["sources"],
    queryFn: ({ signal }) => getJson<{ sources: SourceJson[] }>("/api/sources", signal),
  });
  const scan = useMutation({
    mutationFn: () => postJson<{ id: string }>("/api/scans", { clusters: [id] }),
    onSuccess: (job) => watch(job.id),
  });
  const can = sources.data?.sources.some((source) => source.clusters.some((cluster) => cluster.id === id));
  if (can !== true) return null;
  const own = progress?.clusters.some((cluster) => cluster.id === id) === true;
  const end = own ? progress?.end : null;
  return (
    <div className="rescan">
      <Button isPending={running || scan.isPending} onPress={() => scan.mutate()}>
        {running && own ? "Scanning …" : "Scan again"}
      </Button>
      <span role="status" className="muted small">
        {scan.error?.message ??
          (end?.type === "finished" ? (end.audited === 1 ? "Audited just now" : "Scanned") : "")}
      </span>
    </div>
  );
}
