import type { StateJson } from "#src/console/server/fleet-routes.ts";
import { ScanButton } from "../scan/scan-dialog.tsx";
import { useShowFleet } from "../top-bar.tsx";
import { Button } from "../ui/button.tsx";
import { EmptyPanel } from "../ui/panels.tsx";

/** Nothing was scanned yet: what to do about that. */
export function EmptyFleet({ state, scanning }: { state: StateJson | undefined; scanning: boolean }) {
  const showFleet = useShowFleet();
  if (scanning) {
    return (
      <EmptyPanel title="The first scan is running">
        <p>Each cluster appears here when it has been audited.</p>
      </EmptyPanel>
    );
  }
  return (
    <EmptyPanel title="No audits are stored yet">
      <p>
        Scan the clusters of your kubeconfig: proxy-audit only reads, and tells which of them the end of
        kube-proxy's ipvs mode will break, by when, and what to do.
      </p>
      <div className="buttons">
        <ScanButton primary />
        {state?.fleet.kind === "own" && state.kinds.includes("demo") && (
          <Button onPress={() => showFleet.mutate("demo")} isPending={showFleet.isPending}>
            {showFleet.isPending ? "Starting the demo …" : "Look at the demo fleet first"}
          </Button>
        )}
      </div>
      {showFleet.error !== null && <p role="alert">{showFleet.error.message}</p>}
    </EmptyPanel>
  );
}
