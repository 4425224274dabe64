import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { ClusterJson } from "#src/console/server/cluster-json.ts";
import { ApiError, getJson } from "../api.ts";
import { CoverageBadge } from "../ui/badges.tsx";
import { EmptyPanel, ErrorPanel, Loading } from "../ui/panels.tsx";
import { Changes } from "./changes.tsx";
import { Decisions } from "./decisions.tsx";
import { Findings } from "./findings.tsx";
import { NodePools } from "./node-pools.tsx";
import { RescanButton } from "./rescan-button.tsx";
import { Unread } from "./unread.tsx";
import { Verdicts } from "./verdicts.tsx";

export function ClusterPage({ id }: { id: string }) {
  const [target, setTarget] = useState("");
  const cluster = useQuery({
    queryKey: ["cluster", id, target],
    queryFn: ({ signal }) =>
      getJson<ClusterJson>(
        `/api/clusters/${encodeURIComponent(id)}?target=${encodeURIComponent(target)}`,
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const badTarget = cluster.error instanceof ApiError && cluster.error.status === 400;
  if (cluster.error instanceof ApiError && cluster.error.status === 404) {
    return (
      <EmptyPanel title="This cluster has not been audited">
        <p>{cluster.error.message}</p>
        <p>
          <Link href="/">All clusters</Link>
        </p>
      </EmptyPanel>
    );
  }
  if (cluster.data === undefined) {
    return cluster.error === null ? (
      <Loading what="the cluster" />
    ) : (
      <ErrorPanel
        title="The cluster could not be read"
        message={cluster.error.message}
        retry={() => cluster.refetch()}
      />
    );
  }
  const { audit, coverage, facts, nextAction } = cluster.data;
  return (
    <>
      <p className="crumb">
        <Link href="/">Fleet</Link> <span aria-hidden="true">/</span>
      </p>
      <div className="cluster-head">
        <div>
          <h1>
            {audit.name} <CoverageBadge coverage={coverage} />
          </h1>
          <ul className="facts">
            {facts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </div>
        <RescanButton id={id} />
      </div>
      <section className="panel panel-next" aria-labelledby="next">
        <h2 id="next">Next action</h2>
        <p>{nextAction}</p>
      </section>
      <Verdicts
        cluster={cluster.data}
        problem={badTarget ? (cluster.error?.message ?? null) : null}
        onTarget={setTarget}
      />
      <Findings groups={cluster.data.groups} />
      <NodePools nodes={audit.nodes} />
      <Unread unread={audit.unread} />
      <Decisions waivers={cluster.data.waivers} approvals={cluster.data.approvals} />
      <Changes cluster={cluster.data} />
    </>
  );
}
