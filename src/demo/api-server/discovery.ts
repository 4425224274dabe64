import type { Resource } from "#src/kubernetes/resources.ts";
import { goJson } from "./go-json.ts";
import { apiVersionOf } from "./kinds.ts";
import { type Answer, jsonAnswer } from "./status.ts";

/** What is served, as `/api`, `/apis`, `/api/v1` and `/apis/GROUP/VERSION` tell kubectl; undefined for other paths. */
export function discoveryAnswer(path: string, served: readonly Resource[]): Answer | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  const [root, ...rest] = parts;
  if (root === "api" && rest.length === 0) {
    return jsonAnswer(goJson({ kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] }));
  }
  if (root === "apis" && rest.length === 0) return jsonAnswer(goJson(groupList(served)));
  const apiVersion = root === "api" || root === "apis" ? rest.join("/") : "";
  const resources = served.filter(
    (of) => apiVersionOf(of) === apiVersion && (of.group === "") === (root === "api"),
  );
  return resources.length === 0 ? undefined : jsonAnswer(goJson(resourceList(apiVersion, resources)));
}

function groupList(served: readonly Resource[]): object {
  const byGroup = Map.groupBy(
    served.filter(({ group }) => group !== ""),
    ({ group }) => group,
  );
  const groups = [...byGroup].map(([name, resources]) => {
    const versions = [...new Set(resources.map(({ version }) => version))].map((version) => ({
      groupVersion: `${name}/${version}`,
      version,
    }));
    return { name, versions, preferredVersion: versions[0] };
  });
  return { kind: "APIGroupList", apiVersion: "v1", groups };
}

function resourceList(groupVersion: string, resources: readonly Resource[]): object {
  return {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion,
    resources: resources.map(({ plural, kind, namespaced }) => ({
      name: plural,
      singularName: kind.toLowerCase(),
      namespaced,
      kind,
      verbs: ["get", "list"],
    })),
  };
}
