import { parse } from "yaml";
import { z } from "zod";
import { parseKubeVersion } from "#src/kubernetes/version.ts";
import { notSeen, type Source, seen } from "#src/model/observed.ts";
import type { Evidence } from "../evidence.ts";
import type { ProxyInstance, ProxySettings } from "./instance.ts";
import { NO_SETTINGS } from "./settings.ts";

/**
 * What cloud APIs say about kube-proxy, for clusters whose objects were not read: the running object wins
 * wherever it is visible, since an add-on's values or an AKS setting may not have been taken up.
 */
export function cloudInstances(evidence: Evidence): ProxyInstance[] {
  const running = configzInstances(evidence);
  // What the process itself says beats what somebody asked the provider for.
  return running.length > 0 ? running : [...eksInstances(evidence), ...aksInstances(evidence)];
}

const addonValues = z.object({
  mode: z.string().nullish(),
  ipvs: z.object({ scheduler: z.string().nullish() }).nullish(),
});

function eksInstances({ eks }: Evidence): ProxyInstance[] {
  if (eks.addon.seen === false) return [];
  const { addonVersion, configurationValues } = eks.addon.value;
  const { source } = eks.addon;
  const version = parseKubeVersion(addonVersion);
  const ref = "EKS add-on configurationValues.mode";
  if (configurationValues === null) {
    return [{ ...instance(ref, "iptables", { ...NO_SETTINGS, rawMode: "iptables" }, source), version }];
  }
  let values: unknown;
  try {
    values = parse(configurationValues, { version: "1.1", logLevel: "silent" });
  } catch {
    values = undefined;
  }
  const parsed = addonValues.safeParse(values ?? {});
  if (!parsed.success) {
    const unread = notSeen("invalid", "the add-on's configurationValues are neither JSON nor YAML", source);
    return [{ ...instance(ref, "unknown", NO_SETTINGS, source), version, settings: unread }];
  }
  // The EKS add-on writes an explicit mode into its ConfigMap: iptables where none is configured.
  const rawMode = parsed.data.mode || "iptables";
  const ipvs = { ...NO_SETTINGS.ipvs, scheduler: parsed.data.ipvs?.scheduler || null };
  return [{ ...instance(ref, rawMode, { ...NO_SETTINGS, rawMode, ipvs }, source), version }];
}

function aksInstances({ aks }: Evidence): ProxyInstance[] {
  if (aks.seen === false || !aks.value.enabled) return [];
  const { mode, scheduler, kubernetesVersion } = aks.value;
  const settings = { ...NO_SETTINGS, rawMode: mode, ipvs: { ...NO_SETTINGS.ipvs, scheduler } };
  const version = kubernetesVersion === null ? null : parseKubeVersion(kubernetesVersion);
  return [
    {
      ...instance("AKS networkProfile.kubeProxyConfig.mode", mode ?? "unset", settings, aks.source),
      version,
    },
  ];
}

function configzInstances({ configz }: Evidence): ProxyInstance[] {
  if (configz.seen === false) return [];
  const { mode, scheduler, strictARP, nodePortAddresses, featureGates } = configz.value;
  const ipvs = { ...NO_SETTINGS.ipvs, scheduler: scheduler || null, strictARP };
  const settings = { ...NO_SETTINGS, rawMode: mode || null, ipvs, nodePortAddresses, featureGates };
  return [
    { ...instance("kube-proxy /configz mode", mode || "unset", settings, configz.source), origin: "configz" },
  ];
}

function instance(ref: string, says: string, settings: ProxySettings, source: Source): ProxyInstance {
  return {
    ref,
    kind: "CloudApi",
    namespace: null,
    name: ref,
    container: null,
    os: "linux",
    idle: false,
    desired: null,
    nodes: [],
    image: null,
    version: null,
    origin: "cloud-api",
    settings: seen(settings, source),
    loadError: null,
    unknownFields: [],
    configMap: null,
    ignored: [],
    skipsKernelCheck: false,
    nodeSelector: {},
    says: { ref, says },
    evidence: { source, path: ref, excerpt: `mode: ${says}` },
  };
}
