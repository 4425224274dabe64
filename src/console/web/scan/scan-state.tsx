import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import type { ScanEvent } from "#src/console/server/scan-jobs.ts";
import { events } from "../api.ts";

type Audited = Extract<ScanEvent, { type: "audited" }>;

interface ScanProgress {
  id: string;
  clusters: { id: string; name: string }[];
  audited: Audited[];
  end: Extract<ScanEvent, { type: "finished" | "failed" }> | null;
}

interface ScanState {
  progress: ScanProgress | null;
  running: boolean;
  watch: (id: string) => void;
  dismiss: () => void;
}

const Scan = createContext<ScanState>({
  progress: null,
  running: false,
  watch: () => undefined,
  dismiss: () => undefined,
});

export function useScan(): ScanState {
  return useContext(Scan);
}

/** The scan that runs, wherever it was started: its progress outlives the page that started it. */
export function ScanProvider({ scan, children }: { scan: string | null; children: ReactNode }) {
  const queries = useQueryClient();
  const [id, setId] = useState<string | null>(null);
  const [progress, setProgress] = useState<ScanProgress | null>(null);
  const watched = id ?? scan;

  useEffect(() => {
    if (watched === null) return;
    const stop = new AbortController();
    const refresh = () =>
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "sources" });
    async function follow(job: string) {
      let seen: ScanProgress = { id: job, clusters: [], audited: [], end: null };
      let refreshedAt = performance.now();
      for await (const event of events<ScanEvent>(`/api/scans/${job}/events`, stop.signal)) {
        seen = after(seen, event);
        setProgress(seen);
        if (seen.end !== null || performance.now() - refreshedAt > 1_500) {
          refreshedAt = performance.now();
          refresh();
        }
      }
    }
    follow(watched).catch((error: unknown) => {
      if (stop.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      setProgress((before) => ({
        ...(before ?? { id: watched, clusters: [], audited: [] }),
        end: { type: "failed", message },
      }));
    });
    return () => stop.abort();
  }, [watched, queries]);

  const watch = useCallback((job: string) => setId(job), []);
  const dismiss = useCallback(() => setProgress(null), []);
  const value = useMemo(
    () => ({ progress, running: progress !== null && progress.end === null, watch, dismiss }),
    [progress, watch, dismiss],
  );
  return <Scan value={value}>{children}</Scan>;
}

function after(progress: ScanProgress, event: ScanEvent): ScanProgress {
  switch (event.type) {
    case "started":
      return { ...progress, clusters: event.clusters };
    case "audited":
      return { ...progress, audited: [...progress.audited, event] };
    case "finished":
    case "failed":
      return { ...progress, end: event };
  }
}
