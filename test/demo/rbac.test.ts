import { describe, expect, it } from "vitest";
import { objectsOf } from "#src/demo/api-server/kubernetes-object.ts";
import { isAllowed, rulesFromManifests } from "#src/demo/api-server/rbac.ts";
import { resourceRequestOf } from "#src/demo/api-server/request-path.ts";
import { readManifest } from "#src/demo/manifests.ts";
import { RESOURCES, resourcePath } from "#src/kubernetes/resources.ts";

const shipped = objectsOf(readManifest("infra/kubernetes/rbac.yaml").map(({ value }) => value)).objects;
const rules = rulesFromManifests(shipped, { group: "proxy-audit" });

function allowed(path: string): boolean {
  const url = new URL(path, "https://server");
  const request = resourceRequestOf(url.pathname, url.searchParams);
  return request !== undefined && isAllowed(rules, request);
}

describe("the shipped role", () => {
  const namespacedOnly = new Set(["pods", "configmaps"]);
  const clusterWide = Object.values(RESOURCES).filter(({ plural }) => !namespacedOnly.has(plural));

  it.each(clusterWide.map((resource) => resourcePath(resource)))("may list %s", (path) => {
    expect(allowed(path)).toBe(true);
  });

  it.each<[string, boolean]>([
    ["kube-system", true],
    ["openshift-kube-proxy", true],
    // CNIs and MetalLB are told by their ConfigMaps and workloads alone.
    ["calico-system", false],
    ["tigera-operator", false],
    ["kube-flannel", false],
    ["metallb-system", false],
  ])("may read named ConfigMaps in %s; pods and their logs: %s", (namespace, pods) => {
    const root = `/api/v1/namespaces/${namespace}`;
    const paths = ["/configmaps/kube-proxy", "/pods", "/pods/p", "/pods/p/log?container=c"];
    expect(paths.map((path) => allowed(`${root}${path}`))).toEqual([true, pods, pods, pods]);
  });

  it.each([
    "/api/v1/secrets",
    "/api/v1/namespaces/kube-system/secrets",
    "/api/v1/pods",
    "/api/v1/namespaces/apps/pods",
    "/api/v1/configmaps",
    "/api/v1/namespaces/kube-system/configmaps",
    "/api/v1/namespaces/apps/configmaps/settings",
    "/api/v1/nodes/n/proxy/pods",
    "/api/v1/namespaces/kube-system/pods/p/proxy/metrics",
    "/api/v1/namespaces/kube-system/pods/p/exec?command=id",
    "/api/v1/namespaces/kube-system/services/s/proxy",
    "/apis/apps/v1/namespaces/kube-system/daemonsets/kube-proxy",
    "/api/v1/nodes?watch=1",
  ])("may not read %s", (path) => {
    expect(allowed(path)).toBe(false);
  });

  it("has read verbs only, and no wildcards", () => {
    const granted = rules.flatMap(({ verbs, resources, apiGroups }) => [
      ...verbs,
      ...resources,
      ...apiGroups,
    ]);
    expect(granted).not.toContain("*");
    expect([...new Set(rules.flatMap(({ verbs }) => verbs))].sort()).toEqual(["get", "list"]);
  });

  it("is bound to the group proxy-audit and to nobody else", () => {
    expect(rulesFromManifests(shipped, { group: "system:authenticated", user: "proxy-audit" })).toEqual([]);
  });
});

describe("rules", () => {
  it("limited to names cover a list that selects the name, as a server has it", () => {
    const named = [
      { verbs: ["list", "get"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["kube-proxy"] },
    ];
    const ask = (path: string): boolean => {
      const url = new URL(path, "https://server");
      const request = resourceRequestOf(url.pathname, url.searchParams);
      return request !== undefined && isAllowed(named, request);
    };
    const root = "/api/v1/namespaces/kube-system/configmaps";
    expect([
      ask(root),
      ask(`${root}/kube-proxy`),
      ask(`${root}?fieldSelector=metadata.name%3Dkube-proxy`),
    ]).toEqual([false, true, true]);
  });
});
