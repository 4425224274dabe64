import { type KubeProxyArgv, kubeProxyArgv } from "#src/kubernetes/argv.ts";
import type { Observed } from "#src/model/observed.ts";
import type { ConfigMapFacts } from "../kubernetes/config-maps.ts";
import type { Container, Workload } from "../kubernetes/workloads.ts";

export interface KubeProxyWorkload {
  workload: Workload;
  container: Container;
  argv: KubeProxyArgv;
}

export type ConfigMaps = ReadonlyMap<string, Observed<ConfigMapFacts>>;

/** Namespaces in which a kube-proxy counts as the cluster's even without the host's network. */
const SYSTEM_NAMESPACES = new Set(["kube-system", "openshift-kube-proxy", "kube-proxy"]);

/**
 * The container by which a workload runs kube-proxy; null when it does not. A clean-up run, an init container
 * and a workload that only mounts kube-proxy's ConfigMap are not kube-proxy.
 */
export function kubeProxyOf(workload: Workload, configMaps: ConfigMaps): KubeProxyWorkload | null {
  if (!SYSTEM_NAMESPACES.has(workload.namespace) && !workload.hostNetwork) return null;
  for (const container of workload.containers) {
    const argv = kubeProxyArgv(
      {
        image: container.image,
        command: container.command ?? undefined,
        args: container.args ?? undefined,
      },
      environmentOf(workload.namespace, container, configMaps),
    );
    if (argv && !argv.cleanup && argv.notServing === null) return { workload, container, argv };
  }
  return null;
}

/** Values of the container's environment as far as they can be read; null for those that cannot. */
function environmentOf(
  namespace: string,
  container: Container,
  configMaps: ConfigMaps,
): Record<string, string | null> {
  const environment: Record<string, string | null> = {};
  for (const source of container.envFrom) {
    const read = source.from === "configMap" ? configMaps.get(`${namespace}/${source.name}`) : undefined;
    if (source.from === "configMap" && read && read.seen !== false) {
      for (const [key, value] of Object.entries(read.value.data))
        environment[`${source.prefix}${key}`] = value;
    } else if (read?.seen !== false || read.why !== "absent") {
      // What was not read can set any of the variables before it to something else.
      for (const name of Object.keys(environment)) environment[name] = null;
    }
  }
  for (const [name, value] of Object.entries(container.env)) {
    if (value.from === "value") environment[name] = value.value;
    else if (value.from === "configMap") {
      const read = configMaps.get(`${namespace}/${value.name}`);
      environment[name] = read && read.seen !== false ? (read.value.data[value.key] ?? null) : null;
    } else environment[name] = null;
  }
  return environment;
}

/** ConfigMaps, by name, that the workload's containers are configured by. */
export function configMapsOf(workload: Workload): string[] {
  const names = workload.configMapVolumes.map((volume) => volume.configMap);
  for (const container of workload.containers) {
    names.push(...container.envFrom.flatMap((one) => (one.from === "configMap" ? [one.name] : [])));
    for (const value of Object.values(container.env)) if (value.from === "configMap") names.push(value.name);
  }
  return [...new Set(names)].filter((name) => name !== "");
}

export interface ConfigMapKey {
  configMap: string;
  key: string;
}

/**
 * The ConfigMap keys that can be behind a path in a container, several only where a projected volume merges
 * ConfigMaps; a reason where the path is not a ConfigMap's.
 */
export function filesInConfigMaps(
  workload: Workload,
  container: Container,
  path: string,
): ConfigMapKey[] | { reason: string } {
  const clean = normalised(path);
  const mount = container.mounts
    .filter((entry) => clean === normalised(entry.path) || clean.startsWith(`${normalised(entry.path)}/`))
    .toSorted((a, b) => normalised(b.path).length - normalised(a.path).length)[0];
  if (!mount) return { reason: `${path} is in the image or on the node: the API does not show it` };
  const rest = clean.slice(normalised(mount.path).length).replace(/^\//, "");
  const file = [mount.subPath, rest].filter((part) => part).join("/");
  const sources = workload.configMapVolumes.filter((volume) => volume.volume === mount.name);
  if (sources.length === 0) return { reason: `${path} is not from a ConfigMap: the API does not show it` };
  const keys = sources.flatMap((source): ConfigMapKey[] => {
    if (source.items === null) return [{ configMap: source.configMap, key: file }];
    const key = Object.entries(source.items).find(([, target]) => target === file)?.[0];
    return key === undefined ? [] : [{ configMap: source.configMap, key }];
  });
  return keys.length > 0 ? keys : { reason: `${path}: no key of the mounted ConfigMap becomes ${file}` };
}

function normalised(path: string): string {
  const parts: string[] = [];
  for (const part of path.trim().split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
