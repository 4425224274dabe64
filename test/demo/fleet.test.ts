import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { textAt, valueAt } from "#src/demo/api-server/kubernetes-object.ts";
import { readDemoFleet } from "#src/demo/fleet-folder.ts";
import { type DemoFleet, startDemoFleet } from "#src/demo/start-demo-fleet.ts";
import { send } from "./client.ts";

const described = readDemoFleet();

describe("the demo's manifests", () => {
  it.each(described.map(({ name }) => name))("of %s hold together", (name) => {
    const cluster = described.find((one) => one.name === name);
    const objects = cluster?.objects ?? [];
    const identities = objects.map(
      ({ apiVersion, kind, metadata }) =>
        `${apiVersion} ${kind} ${metadata.namespace ?? ""}/${metadata.name}`,
    );
    const nodes = new Set(objects.filter(({ kind }) => kind === "Node").map(({ metadata }) => metadata.name));
    const placedElsewhere = objects
      .filter(({ kind }) => kind === "Pod")
      .filter((pod) => !nodes.has(textAt(pod, "spec.nodeName")));
    const endpointsElsewhere = objects
      .filter(({ kind }) => kind === "EndpointSlice")
      .flatMap((slice) =>
        (valueAt(slice, "endpoints") as { nodeName: string }[]).map(({ nodeName }) => nodeName),
      )
      .filter((node) => !nodes.has(node));
    const addresses = objects.flatMap((object) => {
      const address = object.kind === "Service" ? textAt(object, "spec.clusterIP") : undefined;
      return address === undefined || address === "None" ? [] : [address];
    });

    const ownersElsewhere = objects.flatMap(({ metadata }) =>
      ((metadata.ownerReferences ?? []) as { kind: string; name: string; uid: string }[])
        .filter((owner) => !objects.some((one) => one.kind === owner.kind && one.metadata.uid === owner.uid))
        .map(({ name }) => name),
    );

    expect({
      ownersElsewhere,
      duplicates: identities.filter((identity, index) => identities.indexOf(identity) !== index),
      placedElsewhere,
      endpointsElsewhere,
      sharedAddresses: addresses.filter((address, index) => addresses.indexOf(address) !== index),
    }).toEqual({
      ownersElsewhere: [],
      duplicates: [],
      placedElsewhere: [],
      endpointsElsewhere: [],
      sharedAddresses: [],
    });
  });
});

describe("the demo fleet", () => {
  let fleet: DemoFleet;
  beforeAll(async () => {
    fleet = await startDemoFleet();
  });
  afterAll(() => fleet.close());

  async function ask(name: string, path: string): Promise<{ status: number; text: string }> {
    const cluster = fleet.clusters.find((one) => one.name === name);
    if (cluster === undefined) throw new Error(`no cluster ${name}`);
    const { status, body } = await send(cluster, path, { token: cluster.token });
    return { status, text: body.toString() };
  }

  it("has eighteen clusters with their teams", () => {
    expect(Object.fromEntries(fleet.clusters.map(({ name, team }) => [name, team]))).toEqual({
      "ack-shanghai": "data",
      "auto-mode": "platform",
      "checkout-staging": "payments",
      "data-nftables": "data",
      "edge-k3s": "platform",
      "forced-gate": "data",
      "legacy-onprem": "platform",
      "locked-down": "platform",
      "logistics-onprem": "platform",
      "ml-cilium": "data",
      "orders-staging": "payments",
      "payments-prod-eu": "payments",
      "payments-prod-us": "payments",
      "preview-envs": "platform",
      rehearsal: "platform",
      "search-unset-old": "data",
      unreachable: "payments",
      "web-kubeadm": "platform",
    });
  });

  it.each([
    ["payments-prod-eu", "v1.35.6-eks-7d21f0a", 9],
    ["legacy-onprem", "v1.33.12", 10],
    ["edge-k3s", "v1.35.4+k3s1", 5],
    ["web-kubeadm", "v1.37.2", 6],
    ["preview-envs", "v1.36.3", 7],
  ])("%s runs %s with %i nodes", async (name, gitVersion, nodes) => {
    const version = await ask(name, "/version");
    const list = await ask(name, "/api/v1/nodes");
    expect([JSON.parse(version.text).gitVersion, JSON.parse(list.text).items.length]).toEqual([
      gitVersion,
      nodes,
    ]);
  });

  it("shows the log of every kube-proxy pod", async () => {
    const pods = await ask(
      "forced-gate",
      "/api/v1/namespaces/kube-system/pods?labelSelector=k8s-app%3Dkube-proxy",
    );
    const names: string[] = JSON.parse(pods.text).items.map(
      (pod: { metadata: { name: string } }) => pod.metadata.name,
    );
    const logs = await Promise.all(
      names.map((name) =>
        ask("forced-gate", `/api/v1/namespaces/kube-system/pods/${name}/log?container=kube-proxy`),
      ),
    );
    expect(logs.map(({ text }) => /Using (\w+) Proxier/.exec(text)?.[1])).toEqual([
      "ipvs",
      "ipvs",
      "ipvs",
      "ipvs",
    ]);
  });

  it("shows another log for the one kube-proxy that does not start", async () => {
    const pods = await ask("logistics-onprem", "/api/v1/namespaces/kube-system/pods");
    const started: [string, string][] = JSON.parse(pods.text).items.map(
      (pod: { metadata: { name: string }; spec: { nodeName: string } }) => [
        pod.spec.nodeName,
        pod.metadata.name,
      ],
    );
    const logs = await Promise.all(
      started.map(async ([node, name]) => {
        const { text } = await ask(
          "logistics-onprem",
          `/api/v1/namespaces/kube-system/pods/${name}/log?container=kube-proxy`,
        );
        return [node, /Using (\w+) Proxier|command failed/.exec(text)?.[0]];
      }),
    );
    expect(Object.fromEntries(logs)).toEqual({
      "logistics-cp-1": "Using ipvs Proxier",
      "logistics-worker-1": "Using ipvs Proxier",
      "logistics-worker-2": "Using ipvs Proxier",
      "logistics-worker-3": "Using ipvs Proxier",
      "logistics-worker-4": "Using ipvs Proxier",
      "logistics-worker-5": "Using ipvs Proxier",
      "logistics-worker-6": "command failed",
    });
  });

  it("has a Prometheus for three clusters, and metrics for no other", () => {
    const having = fleet.clusters.filter(({ prometheus }) => prometheus !== undefined);
    expect(having.map(({ name }) => name)).toEqual(["orders-staging", "preview-envs", "web-kubeadm"]);
  });

  it("has MetalLB's kinds only where MetalLB is installed", async () => {
    const path = "/apis/metallb.io/v1beta1/l2advertisements";
    expect([(await ask("legacy-onprem", path)).status, (await ask("web-kubeadm", path)).status]).toEqual([
      200, 404,
    ]);
  });

  it("refuses everything but the version in locked-down", async () => {
    const paths = [
      "/version",
      "/api/v1/nodes",
      "/apis/apps/v1/daemonsets",
      "/api/v1/namespaces/kube-system/pods",
    ];
    const statuses = await Promise.all(paths.map(async (path) => (await ask("locked-down", path)).status));
    expect(statuses).toEqual([200, 403, 403, 403]);
  });

  it("gives nobody Secrets", async () => {
    const { status } = await ask("payments-prod-eu", "/api/v1/namespaces/kube-system/secrets");
    expect(status).toBe(403);
  });

  it("has one cluster that nobody answers for", async () => {
    await expect(ask("unreachable", "/version")).rejects.toThrow(/ECONNREFUSED/);
  });

  it("comes with a kubeconfig that has a context for each cluster", () => {
    const { contexts, clusters } = parse(fleet.kubeconfig);
    expect(contexts.map(({ name }: { name: string }) => name)).toEqual(
      fleet.clusters.map(({ name }) => name),
    );
    expect(clusters.map(({ cluster }: { cluster: { server: string } }) => cluster.server)).toEqual(
      fleet.clusters.map(({ url }) => url),
    );
  });
});
