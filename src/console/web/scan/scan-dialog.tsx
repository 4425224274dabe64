import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  Checkbox,
  CheckboxGroup,
  Dialog,
  DialogTrigger,
  Heading,
  Label,
  Modal,
  ModalOverlay,
} from "react-aria-components";
import type { SourceJson } from "#src/console/server/fleet-routes.ts";
import { getJson, postJson } from "../api.ts";
import { VerdictBadge } from "../ui/badges.tsx";
import { Button } from "../ui/button.tsx";
import { Loading } from "../ui/panels.tsx";
import { useScan } from "./scan-state.tsx";

export function ScanButton({ primary = false }: { primary?: boolean }) {
  const { progress, running } = useScan();
  const done = progress?.audited.length ?? 0;
  const all = progress?.clusters.length ?? 0;
  return (
    <DialogTrigger>
      <Button tone={primary ? "primary" : undefined}>
        {running ? `Scanning ${done} of ${all}` : primary ? "Choose what to scan" : "Scan"}
      </Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal">
          <Dialog className="dialog">
            {({ close }) => (
              <>
                <div className="dialog-head">
                  <Heading slot="title">{progress === null ? "Scan clusters" : "Scan"}</Heading>
                  <Button quiet aria-label="Close" onPress={close}>
                    ✕
                  </Button>
                </div>
                {progress === null ? <Choice /> : <Progress />}
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}

function Choice() {
  const sources = useQuery({
    queryKey: ["sources"],
    queryFn: ({ signal }) => getJson<{ sources: SourceJson[] }>("/api/sources", signal),
    staleTime: 0,
  });
  const { watch } = useScan();
  const [chosen, setChosen] = useState<string[] | null>(null);
  const start = useMutation({
    mutationFn: (clusters: readonly string[]) => postJson<{ id: string }>("/api/scans", { clusters }),
    onSuccess: ({ id }) => watch(id),
  });
  if (sources.error !== null) return <p role="alert">{sources.error.message}</p>;
  if (sources.data === undefined) return <Loading what="what can be scanned" />;
  const every = sources.data.sources.flatMap((source) => source.clusters.map(({ id }) => id));
  const selected = chosen ?? every;
  return (
    <>
      <p>Only reads are made. The audits go into the store, and the page shows each as it comes.</p>
      {sources.data.sources.map((source) => (
        <div key={source.id} className="source">
          {source.problem === null ? (
            <CheckboxGroup value={selected} onChange={setChosen} className="source-clusters">
              <Label>{source.label}</Label>
              {source.clusters.map((cluster) => (
                <Checkbox key={cluster.id} value={cluster.id} className="checkbox">
                  <span className="checkbox-box" aria-hidden="true" />
                  {cluster.name}
                </Checkbox>
              ))}
            </CheckboxGroup>
          ) : (
            <p className="source-problem" role="alert">
              <strong>{source.label}:</strong> {source.problem}
            </p>
          )}
        </div>
      ))}
      {start.error !== null && <p role="alert">{start.error.message}</p>}
      {every.length > 0 && (
        <div className="buttons">
          <Button
            tone="primary"
            isDisabled={selected.length === 0}
            isPending={start.isPending}
            onPress={() => start.mutate(selected)}
          >
            Scan {selected.length === 1 ? "1 cluster" : `${selected.length} clusters`}
          </Button>
          {every.length > 1 && (
            <Button quiet onPress={() => setChosen(selected.length === every.length ? [] : every)}>
              {selected.length === every.length ? "Select none" : "Select all"}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function Progress() {
  const { progress, running, dismiss } = useScan();
  if (progress === null) return null;
  const { clusters, audited, end } = progress;
  const byId = new Map(audited.map((one) => [one.id, one]));
  return (
    <>
      <progress value={audited.length} max={clusters.length} aria-label="Clusters audited" />
      <p role="status">
        {end === null
          ? `${audited.length} of ${clusters.length} audited. Closing this does not stop the scan.`
          : end.type === "failed"
            ? `The scan failed: ${end.message}`
            : `${end.audited} of ${clusters.length} audited${end.notReached === 0 ? "." : `, ${end.notReached} not reached.`}`}
      </p>
      <ul className="scan-list">
        {clusters.map(({ id, name }) => {
          const one = byId.get(id);
          return (
            <li key={id}>
              <span>{name}</span>
              {one === undefined ? (
                <span className="muted">{running ? "reading …" : "not read"}</span>
              ) : one.reachable ? (
                <VerdictBadge verdict={one.worst} />
              ) : (
                <span className="badge badge-gap">not reached</span>
              )}
              {one?.why !== null && one?.why !== undefined && (
                <span className="scan-why muted">{one.why}</span>
              )}
            </li>
          );
        })}
      </ul>
      {end !== null && (
        <div className="buttons">
          <Button onPress={dismiss}>Scan again</Button>
        </div>
      )}
    </>
  );
}
