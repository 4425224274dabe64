/** What a path asks for, as the API server's own RequestInfo has it. */
export interface ResourceRequest {
  verb: "get" | "list" | "watch";
  group: string;
  version: string;
  resource: string;
  subresource: string;
  namespace: string;
  name: string;
}

/** The resource that `path` names, or undefined for any other path (`/version`, `/apis`, `/no/such/path`). */
export function resourceRequestOf(path: string, query: URLSearchParams): ResourceRequest | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  const [root] = parts;
  if (root !== "api" && root !== "apis") return undefined;
  const group = root === "api" ? "" : parts[1];
  const [version, ...rest] = parts.slice(root === "api" ? 1 : 2).map(decodeURIComponent);
  if (group === undefined || version === undefined || rest[0] === undefined) return undefined;

  const inNamespace = rest[0] === "namespaces" && rest.length > 2;
  const namespace = inNamespace ? (rest[1] ?? "") : "";
  const [resource = "", named, subresource = ""] = inNamespace ? rest.slice(2) : rest;
  const watch = ["1", "true"].includes(query.get("watch") ?? "");
  const verb = watch ? "watch" : named === undefined ? "list" : "get";
  // A list of one name is authorized as that name, so that resourceNames rules cover it.
  const selected = /(?:^|,)metadata\.name==?([^,]+)/.exec(query.get("fieldSelector") ?? "")?.[1];
  const name = named ?? (verb === "list" ? selected : undefined) ?? "";
  return { verb, group, version, resource, subresource, namespace, name };
}
