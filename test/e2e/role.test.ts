import { describe, expect, it } from "vitest";
import { objectsOf } from "#src/demo/api-server/kubernetes-object.ts";
import type { LoggedRequest } from "#src/demo/api-server/options.ts";
import { type RbacRule, rulesFromManifests } from "#src/demo/api-server/rbac.ts";
import { resourceRequestOf } from "#src/demo/api-server/request-path.ts";
import { startApiServer } from "#src/demo/api-server/start-api-server.ts";
import { demoInventory } from "#src/demo/inventory.ts";
import { readManifest } from "#src/demo/manifests.ts";
import { startDemoFleet } from "#src/demo/start-demo-fleet.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { createHttpsReader } from "#src/kubernetes/https-reader.ts";
import { auditWith } from "./false-fine.ts";
import { config, configMap, daemonSet, node, staticPod } from "./objects.ts";

const rules = rulesFromManifests(
  objectsOf(readManifest("infra/kubernetes/rbac.yaml").map(({ value }) => value)).objects,
  { group: "proxy-audit" },
);

/** `get pods/log in kube-system`, one for each verb and resource of a rule. */
function grantedBy({ verbs, apiGroups, resources, namespace }: RbacRule): string[] {
  return verbs.flatMap((verb) =>
    apiGroups.flatMap((group) => resources.map((resource) => nameOf(verb, group, resource, namespace ?? ""))),
  );
}

function nameOf(verb: string, group: string, resource: string, namespace: string): string {
  const kind = group === "" ? resource : `${resource}.${group}`;
  return `${verb} ${kind}${namespace === "" ? "" : ` in ${namespace}`}`;
}

function askedBy(requests: readonly LoggedRequest[]): string[] {
  return requests.flatMap(({ path }) => {
    const url = new URL(path, "https://server");
    const request = resourceRequestOf(url.pathname, url.searchParams);
    if (request === undefined) return [];
    const { verb, group, resource, subresource, namespace } = request;
    return [nameOf(verb, group, subresource === "" ? resource : `${resource}/${subresource}`, namespace)];
  });
}

/** A large cluster with everything at once that makes the audit read: pools, static pods, OpenShift, CNIs. */
async function everythingAtOnce(): Promise<readonly LoggedRequest[]> {
  const neighbour = (name: string, namespace: string) => [
    daemonSet({
      name,
      namespace,
      image: `example.com/${name}:v1`,
      command: [name],
      pod: { volumes: [{ name: "config", configMap: { name: `${name}-config` } }] },
    }),
    configMap({ config: "a: b" }, `${name}-config`, namespace),
  ];
  const pod = {
    ...staticPod("node-1", []),
    metadata: {
      name: "openshift-kube-proxy-x2v9k",
      namespace: "openshift-kube-proxy",
      labels: { "k8s-app": "openshift-kube-proxy" },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "DaemonSet", name: "openshift-kube-proxy", uid: "u" }],
    },
  };
  const server = await startApiServer({
    objects: [
      ...Array.from({ length: 250 }, (_, index) =>
        node(`node-${index}`, {}, { labels: { "node-pool": "a" } }),
      ),
      daemonSet({
        name: "openshift-kube-proxy",
        namespace: "openshift-kube-proxy",
        pod: { volumes: [{ name: "config", configMap: { name: "proxy-config" } }] },
      }),
      configMap({ "config.conf": config("mode: iptables") }, "proxy-config", "openshift-kube-proxy"),
      pod,
      staticPod("node-1", ["--proxy-mode=iptables"]),
      staticPod("node-2", ["--proxy-mode=iptables"]),
      {
        ...pod,
        metadata: { ...(staticPod("node-3", []).metadata as object), namespace: "openshift-kube-proxy" },
      },
      ...neighbour("calico-node", "calico-system"),
      ...neighbour("tigera-operator", "tigera-operator"),
      ...neighbour("kube-flannel-ds", "kube-flannel"),
      ...neighbour("speaker", "metallb-system"),
    ],
    version: { gitVersion: "v1.35.2" },
    users: { auditor: { name: "proxy-audit", rules } },
  });
  const cluster: InventoryCluster = {
    id: "demo:everything",
    name: "everything",
    account: null,
    region: null,
    team: null,
    environment: null,
    answers: [],
    open: async () =>
      createHttpsReader({
        server: server.url,
        tls: { ca: server.ca },
        headers: { authorization: "Bearer auditor" },
      }),
  };
  await auditWith(cluster);
  await server.close();
  return server.requests;
}

describe("the shipped role", () => {
  it("grants what an audit asks for, and nothing else", async () => {
    const fleet = await startDemoFleet();
    for (const cluster of demoInventory(fleet)) await auditWith(cluster);
    await fleet.close();
    const requests = [
      ...fleet.clusters.flatMap(({ server }) => server?.requests ?? []),
      ...(await everythingAtOnce()),
    ];
    const asked = new Set(askedBy(requests));
    const granted = new Set(rules.flatMap(grantedBy));
    expect([...asked].filter((one) => !granted.has(one))).toEqual([]);
    expect([...granted].filter((one) => !asked.has(one)).toSorted()).toEqual([]);
  });
});
