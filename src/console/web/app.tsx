import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { RouterProvider } from "react-aria-components";
import { Route, Switch, useLocation } from "wouter";
import type { StateJson } from "#src/console/server/fleet-routes.ts";
import { ApiError, getJson } from "./api.ts";
import { clusterIdAt } from "./cluster/cluster-link.tsx";
import { ClusterPage } from "./cluster/cluster-page.tsx";
import { DecisionsPage } from "./decisions-page.tsx";
import { FleetPage } from "./fleet/fleet-page.tsx";
import { usePageChange } from "./page-change.ts";
import { ScanProvider } from "./scan/scan-state.tsx";
import { TopBar } from "./top-bar.tsx";
import { PageBoundary } from "./ui/page-boundary.tsx";
import { ErrorPanel, Loading } from "./ui/panels.tsx";

const SlackPage = lazy(() => import("./slack/slack-page.tsx").then((part) => ({ default: part.SlackPage })));

export function App() {
  const [path, navigate] = useLocation();
  usePageChange(path);
  const state = useQuery({
    queryKey: ["state"],
    queryFn: ({ signal }) => getJson<StateJson>("/api/state", signal),
  });
  if (state.error instanceof ApiError && state.error.code === "token") return <NeedsToken />;
  return (
    <RouterProvider navigate={(to) => navigate(to)}>
      <ScanProvider scan={state.data?.scan ?? null}>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <TopBar state={state.data} />
        <main id="main" tabIndex={-1}>
          {state.error === null ? (
            <PageBoundary key={path.split("/")[1]}>
              <Suspense fallback={<Loading what="this page" />}>
                <Switch>
                  <Route path="/">
                    <FleetPage key={state.data?.fleet.kind} state={state.data} />
                  </Route>
                  <Route path="/clusters/:id">
                    {() => {
                      const id = clusterIdAt(location.pathname);
                      return <ClusterPage key={id} id={id} />;
                    }}
                  </Route>
                  <Route path="/decisions">
                    <DecisionsPage key={state.data?.fleet.kind} />
                  </Route>
                  <Route path="/slack/*?">
                    <SlackPage key={state.data?.fleet.kind} />
                  </Route>
                  <Route>
                    <ErrorPanel
                      title="There is no such page"
                      message="The address may be from an older console."
                    />
                  </Route>
                </Switch>
              </Suspense>
            </PageBoundary>
          ) : (
            <ErrorPanel
              title="The console could not be read"
              message={state.error.message}
              retry={() => state.refetch()}
            />
          )}
        </main>
        {state.data !== undefined && !path.startsWith("/slack") && (
          <footer>
            {state.data.fleet.kind === "demo" ? "Shown: " : "Shown, from your store: "}
            {state.data.fleet.label}.
          </footer>
        )}
      </ScanProvider>
    </RouterProvider>
  );
}

function NeedsToken() {
  return (
    <main id="main" className="alone">
      <h1>Open the address that the console printed</h1>
      <p>
        This page is for whoever started the console. Its terminal shows an address that ends in{" "}
        <code>#token=…</code>: open that one. A console that was started again has a new one.
      </p>
    </main>
  );
}
