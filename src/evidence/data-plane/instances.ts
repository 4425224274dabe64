import { ignoredWithConfig, parseKubeProxyFlags } from "#src/kubernetes/argv.ts";
import { type DecodedConfig, decodeKubeProxyConfiguration } from "#src/kubernetes/proxy-config.ts";
import { versionOfImage } from "#src/kubernetes/version.ts";
import { notSeen, type Observed, observedValue, type Source, seen } from "#src/model/observed.ts";
import type { Evidence } from "../evidence.ts";
import type { ConfigMapFacts } from "../kubernetes/config-maps.ts";
import type { Workload } from "../kubernetes/workloads.ts";
import type { ProxyInstance, ProxySettings } from "./instance.ts";
import { filesInConfigMaps, type KubeProxyWorkload, kubeProxyOf } from "./kube-proxy-workloads.ts";
import { settingsOfConfig, settingsOfFlags } from "./settings.ts";

const SKIP_KERNEL_CHECK = "KUBE_PROXY_NFTABLES_SKIP_KERNEL_VERSION_CHECK";

/** Every way in which kube-proxy is run by a workload that the API shows. */
export function workloadInstances(evidence: Evidence): ProxyInstance[] {
  const fromDaemonSets = (observedValue(evidence.daemonSets) ?? []).map((workload) => ({
    workload,
    source: evidence.daemonSets.source,
  }));
  const fromPods = (observedValue(evidence.systemPods) ?? []).map((workload) => ({
    workload,
    source: evidence.systemPods.source,
  }));
  return [...fromDaemonSets, ...fromPods].flatMap(({ workload, source }) => {
    const found = kubeProxyOf(workload, evidence.configMaps);
    return found ? [instanceOf(found, source, evidence)] : [];
  });
}

function instanceOf(found: KubeProxyWorkload, source: Source, evidence: Evidence): ProxyInstance {
  const { workload, container, argv } = found;
  const ref = refOf(workload);
  const flags = parseKubeProxyFlags(argv.argv);
  const common = {
    ref,
    kind: workload.kind === "Pod" ? ("Pod" as const) : ("DaemonSet" as const),
    namespace: workload.namespace,
    name: workload.name,
    container: container.name,
    os: workload.windows ? ("windows" as const) : ("linux" as const),
    idle: workload.kind === "DaemonSet" && workload.desired === 0,
    desired: workload.desired,
    nodes: workload.nodes,
    image: container.image,
    version: versionOfImage(container.image),
    ignored: ignoredWithConfig(flags),
    skipsKernelCheck: skipsKernelCheck(container.env[SKIP_KERNEL_CHECK]),
    nodeSelector: workload.nodeSelector,
    loadError: null,
    unknownFields: [],
    configMap: null,
  };
  if (argv.opaque) {
    const detail = `${ref} starts kube-proxy by a script: the API does not show its arguments`;
    return {
      ...common,
      origin: "flags",
      settings: notSeen("not-requested", detail, source),
      says: { ref, says: "unknown" },
      evidence: { source, excerpt: container.name },
    };
  }
  if (flags.config !== null) return { ...common, ...fromFile(found, flags.config, source, evidence) };
  return { ...common, origin: "flags", ...fromFlags(found, source) };
}

function skipsKernelCheck(value: Workload["containers"][number]["env"][string] | undefined): boolean {
  return value !== undefined && (value.from !== "value" || value.value !== "");
}

/** `DaemonSet kube-system/kube-proxy`. */
export function refOf(workload: Workload): string {
  const isStatic =
    workload.kind === "Pod" && workload.annotations["kubernetes.io/config.source"] !== undefined;
  return `${isStatic ? "static Pod" : workload.kind} ${workload.namespace}/${workload.name}`;
}

function fromFlags(
  { workload, argv }: KubeProxyWorkload,
  source: Source,
): Pick<ProxyInstance, "settings" | "says" | "evidence"> {
  const ref = refOf(workload);
  const flags = parseKubeProxyFlags(argv.argv);
  const unresolved = argv.unresolved.filter((name) => flags.proxyMode?.includes(`$(${name})`));
  if (unresolved.length > 0) {
    const detail = `--proxy-mode comes from the environment variable ${unresolved.join(", ")}, which could not be read`;
    return {
      settings: notSeen("not-requested", detail, source),
      says: { ref: `${ref} --proxy-mode`, says: "unknown" },
      evidence: { source, path: "--proxy-mode", excerpt: flags.proxyMode ?? "" },
    };
  }
  const settings = settingsOfFlags(flags);
  return {
    settings: seen(settings, source),
    says:
      settings.rawMode === null
        ? { ref: `${ref} (no --proxy-mode, no --config)`, says: "unset" }
        : { ref: `${ref} --proxy-mode`, says: settings.rawMode },
    evidence: {
      source,
      path: `${ref} args`,
      excerpt: settings.rawMode === null ? "no --proxy-mode" : `--proxy-mode=${settings.rawMode}`,
    },
  };
}

type FileFields = Pick<
  ProxyInstance,
  "origin" | "settings" | "loadError" | "unknownFields" | "configMap" | "says" | "evidence"
>;

function fromFile(
  { workload, container }: KubeProxyWorkload,
  path: string,
  source: Source,
  evidence: Evidence,
): FileFields {
  const ref = refOf(workload);
  const nowhere = (settings: Observed<ProxySettings>): FileFields => ({
    origin: "config-file",
    settings,
    loadError: null,
    unknownFields: [],
    configMap: null,
    says: { ref: `${ref} --config=${path}`, says: "unknown" },
    evidence: { source, path: `${ref} args`, excerpt: `--config=${path}` },
  });
  const keys = filesInConfigMaps(workload, container, path);
  if ("reason" in keys) return nowhere(notSeen("not-requested", keys.reason, source));

  for (const { configMap, key } of keys) {
    const name = `${workload.namespace}/${configMap}`;
    const read = evidence.configMaps.get(name);
    if (!read) return nowhere(notSeen("not-requested", `ConfigMap ${name} was not read`, source));
    if (read.seen === false) {
      return nowhere({ ...read, detail: `ConfigMap ${name}: ${read.detail}` });
    }
    const text = read.value.data[key];
    if (text !== undefined)
      return fromText(text, { namespace: workload.namespace, name: configMap, key }, read);
  }
  const [first] = keys;
  const name = `${workload.namespace}/${first?.configMap}`;
  return nowhere(notSeen("absent", `ConfigMap ${name} has no key ${first?.key}`, source));
}

function fromText(
  text: string,
  configMap: { namespace: string; name: string; key: string },
  read: Observed<ConfigMapFacts>,
): FileFields {
  const decoded: DecodedConfig = decodeKubeProxyConfiguration(text);
  const place = `ConfigMap ${configMap.namespace}/${configMap.name} data[${configMap.key}]`;
  const settings = settingsOfConfig(decoded.ok ? decoded.config : decoded.partial);
  const mode = settings.rawMode;
  return {
    origin: "config-file",
    settings: seen(settings, read.source),
    loadError: decoded.ok ? null : decoded.error,
    unknownFields: decoded.ok ? decoded.strictErrors : [],
    configMap,
    says: { ref: `${place}.mode`, says: mode ?? "unset" },
    evidence: {
      source: read.source,
      path: `${place}.mode`,
      excerpt: mode === null ? "mode is not set" : `mode: ${mode}`,
    },
  };
}
