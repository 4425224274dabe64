import { randomUUID } from "node:crypto";
import { stringify } from "yaml";
import type { ManifestDocument } from "#src/kubernetes/manifests.ts";
import { packageFile } from "#src/package-file.ts";
import { loopbackCertificate } from "./api-server/certificate.ts";
import { objectsOf } from "./api-server/kubernetes-object.ts";
import type { ApiServer } from "./api-server/options.ts";
import { type RbacRule, rulesFromManifests } from "./api-server/rbac.ts";
import { startApiServer } from "./api-server/start-api-server.ts";
import { type DemoCluster, readDemoFleet } from "./fleet-folder.ts";
import { readManifest } from "./manifests.ts";
import { scrapedSeries } from "./prometheus/scraped-series.ts";
import { type DemoPrometheus, startPrometheus } from "./prometheus/start-prometheus.ts";

/** A cluster of the demo as the inventory needs it. */
interface RunningDemoCluster {
  name: string;
  account: string | null;
  region: string | null;
  team: string;
  environment: string;
  story: string;
  answers: readonly ManifestDocument[];
  url: string;
  /** PEM. */
  ca: string;
  token: string;
  /** Undefined for the cluster that nobody answers for. */
  server: ApiServer | undefined;
  /** Undefined for a cluster whose metrics nobody collects. */
  prometheus: DemoPrometheus | undefined;
}

export interface DemoFleet {
  clusters: readonly RunningDemoCluster[];
  /** A kubeconfig with a context for each cluster, YAML. */
  kubeconfig: string;
  close(): Promise<void>;
}

const AUDITOR_GROUP = "proxy-audit";

/** Nothing listens there, and the system never gives it out by itself: tcpmux, long out of use. */
const CLOSED_PORT = 1;

/** Serves every cluster of the demo on loopback, each to an auditor with exactly the role that is shipped. */
export async function startDemoFleet(options: { now?: () => Date } = {}): Promise<DemoFleet> {
  const rules = rulesFromManifests(
    objectsOf(readManifest(packageFile("infra/kubernetes/rbac.yaml")).map(({ value }) => value)).objects,
    {
      group: AUDITOR_GROUP,
    },
  );
  const clusters = await Promise.all(readDemoFleet().map((cluster) => startCluster(cluster, rules, options)));
  return {
    clusters,
    kubeconfig: kubeconfigOf(clusters),
    async close() {
      await Promise.all(clusters.flatMap(({ server, prometheus }) => [server?.close(), prometheus?.close()]));
    },
  };
}

async function startCluster(
  cluster: DemoCluster,
  role: readonly RbacRule[],
  { now }: { now?: () => Date },
): Promise<RunningDemoCluster> {
  const token = randomUUID();
  const rules = cluster.access === "forbidden" ? [] : role;
  const server =
    cluster.access === "unreachable"
      ? undefined
      : await startApiServer({
          objects: cluster.objects,
          logs: cluster.logs,
          version: { gitVersion: cluster.gitVersion },
          users: { [token]: { name: "proxy-audit", rules } },
          ...(now === undefined ? {} : { now }),
        });
  const prometheus =
    cluster.metrics === null
      ? undefined
      : await startPrometheus(
          scrapedSeries(cluster.objects, cluster.metrics),
          now === undefined ? {} : { now },
        );
  const { name, account, region, team, environment, story, answers } = cluster;
  const { certificate } = await loopbackCertificate();
  const url = server?.url ?? `https://127.0.0.1:${CLOSED_PORT}`;
  const described = { name, account, region, team, environment, story, answers };
  return { ...described, url, ca: certificate, token, server, prometheus };
}

function kubeconfigOf(clusters: readonly RunningDemoCluster[]): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: clusters.map(({ name, url, ca }) => ({
      name,
      cluster: { server: url, "certificate-authority-data": Buffer.from(ca).toString("base64") },
    })),
    users: clusters.map(({ name, token }) => ({ name, user: { token } })),
    contexts: clusters.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    "current-context": clusters[0]?.name,
  });
}
