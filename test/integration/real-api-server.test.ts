import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { auditCluster } from "#src/audit/audit-cluster.ts";
import { objectsOf } from "#src/demo/api-server/kubernetes-object.ts";
import { rulesFromManifests } from "#src/demo/api-server/rbac.ts";
import { startApiServer } from "#src/demo/api-server/start-api-server.ts";
import { readDemoFleet } from "#src/demo/fleet-folder.ts";
import { readManifest } from "#src/demo/manifests.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { createHttpsReader } from "#src/kubernetes/https-reader.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { send } from "../demo/client.ts";
import { load, readBack } from "./real-api-server/admin.ts";
import { type ControlPlane, startControlPlane } from "./real-api-server/control-plane.ts";

const assets = process.env.KUBEBUILDER_ASSETS ?? "";
const present = ["etcd", "kube-apiserver"].every((program) => existsSync(join(assets, program)));
const NOW = new Date("2026-11-30T09:00:00Z");

const role = readManifest("infra/kubernetes/rbac.yaml").map(({ value }) => value);
const rules = rulesFromManifests(objectsOf(role).objects, { group: "proxy-audit" });

/** The audit of one server by the auditor, without the instants at which it was read. */
async function auditOf(server: { url: string; ca: string }, token: string): Promise<ClusterAudit> {
  const cluster: InventoryCluster = {
    id: "kubeconfig:real",
    name: "real",
    account: null,
    region: null,
    team: null,
    environment: null,
    answers: [],
    open: async () =>
      createHttpsReader({
        server: server.url,
        tls: { ca: server.ca },
        headers: { authorization: `Bearer ${token}` },
      }),
  };
  const audit = await auditCluster(cluster, { now: NOW, logs: 0 });
  return JSON.parse(JSON.stringify(audit, (key, value) => (key === "at" ? "" : value)));
}

/** The /16 that the cluster's own Services have their addresses in. */
function serviceRangeOf(objects: readonly unknown[]): string {
  const service = z.object({
    kind: z.literal("Service"),
    spec: z.object({ clusterIP: z.string().regex(/^\d/) }),
  });
  const [first] = objects.flatMap((object) => service.safeParse(object).data?.spec.clusterIP ?? []);
  const [a = "10", b = "96"] = (first ?? "10.96.0.1").split(".");
  return `${a}.${b}.0.0/16`;
}

describe("a real API server", () => {
  it("is named by KUBEBUILDER_ASSETS, or is not tested against", () => {
    if (present) return;
    process.stdout.write(
      "SKIPPED: the audit of a real API server. Set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver " +
        "(setup-envtest use -p path) to run it.\n",
    );
    expect(assets === "" || !present).toBe(true);
  });

  describe
    .skipIf(!present)
    .each(["web-kubeadm", "ack-shanghai", "edge-k3s", "payments-prod-eu", "legacy-onprem"])(
    "with the objects of %s",
    (name) => {
      const cluster = readDemoFleet().find((one) => one.name === name);
      const objects = cluster?.objects.map((object): unknown => object) ?? [];
      let real: ControlPlane;
      let refused: string[];
      beforeAll(async () => {
        real = await startControlPlane(assets, serviceRangeOf(objects));
        refused = await load(real, [...role, ...objects]);
      }, 180_000);
      afterAll(() => real?.stop(), 60_000);

      it("takes every object of the demo", () => {
        expect(objects.length).toBeGreaterThan(20);
        expect(refused).toEqual([]);
      });

      it("gives the same findings as the demo server with the same objects", async () => {
        const version = await send(real, "/version", { token: real.auditor });
        const demo = await startApiServer({
          objects: await readBack(real),
          version: JSON.parse(version.body.toString("utf8")),
          users: { [real.auditor]: { name: "auditor", rules } },
        });
        try {
          const onDemo = await auditOf(demo, real.auditor);
          const onReal = await auditOf(real, real.auditor);
          expect(onReal.reachable).toBe(true);
          expect(onReal.unread).toEqual([]);
          expect(onReal).toEqual(onDemo);
        } finally {
          await demo.close();
        }
      }, 60_000);

      it.each(["/api/v1/secrets", "/api/v1/configmaps", "/api/v1/nodes/node/proxy/pods"])(
        "forbids the auditor %s",
        async (path) => {
          expect((await send(real, path, { token: real.auditor })).status).toBe(403);
        },
      );
    },
  );
});
