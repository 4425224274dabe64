import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import { settingsOfConfig } from "#src/evidence/data-plane/settings.ts";
import { decodeKubeProxyConfiguration } from "#src/kubernetes/proxy-config.ts";
import type { EvidenceItem } from "#src/model/finding.ts";
import { type NotSeen, observedValue, type PartlySeen } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { uncoveredKubeProxies, unreadModeOf } from "../coverage.ts";
import { finding, listed, unknownFinding } from "../findings.ts";
import { chosenIpvsSettings } from "../ipvs-settings.ts";

/** Where kubeadm and EKS keep kube-proxy's configuration, mounted or not. */
const LEFTOVERS = ["kube-system/kube-proxy", "kube-system/kube-proxy-config"] as const;

interface DeadSetting {
  text: string;
  evidence: EvidenceItem;
}

/** ipvs settings in a cluster that does not run ipvs: harmless, misleading, and back with the next copy. */
export const deadIpvsConfig: Check = {
  id: "dead-ipvs-config",
  title: "ipvs settings left over",
  about: "hygiene",
  canBlock: null,
  evidence: ["kube-proxy's configuration and flags", "ConfigMaps of kube-proxy that nothing mounts"],
  permissions: ["get configmaps in kube-system", "list daemonsets", "get, list pods in kube-system"],
  judge(input) {
    const { dataPlane, evidence } = input;
    if (dataPlane.mode === "unknown" && dataPlane.running.length > 0) {
      return [
        unknownFinding(deadIpvsConfig, input, {
          title: "Whether ipvs settings are left over is unknown",
          detail: `${evidence.cluster.name}: an ipvs setting is dead only where another mode runs.`,
          unread: unreadModeOf(input),
          fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
          what: "unknown",
        }),
      ];
    }
    const unmounted = deadInUnmounted(input);
    const dead = [...deadInInstances(input), ...unmounted];
    const unread = uncoveredKubeProxies(input) ?? unreadConfigMap(input);
    if (dead.length === 0 && unread !== null) {
      return [
        unknownFinding(deadIpvsConfig, input, {
          title: "Not everything that could hold leftover ipvs settings was read",
          detail: `${evidence.cluster.name}: nothing was found in what was read.`,
          unread,
          fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
          what: "unread",
        }),
      ];
    }
    if (dead.length === 0) {
      return [
        finding(deadIpvsConfig, input, {
          status: "pass",
          title: "No ipvs setting is left over",
          detail: `${evidence.cluster.name}: nothing configures ipvs where it does not run.`,
          evidence: [...dataPlane.running, ...dataPlane.replacements].slice(0, 5).map((one) => one.evidence),
          what: "none",
        }),
      ];
    }
    return [
      finding(deadIpvsConfig, input, {
        status: "info",
        title: `ipvs settings without effect: ${listed(
          dead.map((one) => one.text),
          3,
        )}`,
        detail:
          `${evidence.cluster.name} does not run kube-proxy in ipvs mode there. The settings do nothing and are not even ` +
          `validated, but they mislead whoever reads them.${unmounted.length > 0 ? " On a kubeadm cluster, an upgrade makes kube-proxy again from a ConfigMap that was left behind." : ""}`,
        evidence: dead.map((one) => one.evidence).slice(0, 10),
        fix: fixOf(input, unmounted.length > 0),
        facts: dead.some((one) => one.text.startsWith("--")) ? ["flags-ignored-with-config"] : [],
        what: dead
          .map((one) => one.text)
          .toSorted()
          .join(";")
          .slice(0, 200),
      }),
    ];
  },
};

function fixOf({ dataPlane, provider }: CheckInput, unmounted: boolean): string {
  if (!unmounted)
    return `Remove the ipvs settings from kube-proxy's configuration. It is kept in ${provider.modeSetIn}.`;
  return dataPlane.otherIpvsUsers.includes("kube-router")
    ? "Take the ipvs configuration out of ConfigMap kube-proxy, but keep the ConfigMap. kube-router mounts it for its kubeconfig."
    : "Delete the ConfigMap that no kube-proxy mounts, once you are sure that kube-proxy is not to come back.";
}

function deadInInstances({ dataPlane }: CheckInput): DeadSetting[] {
  return dataPlane.running.flatMap((instance) => {
    const settings = observedValue(instance.settings);
    if (!settings) return [];
    const ignored = instance.ignored
      .filter((flag) => /^--(ipvs-|proxy-mode=ipvs)/.test(flag))
      .map((flag) => ({ text: flag, path: `${instance.ref} args`, excerpt: flag }));
    const unused =
      modeOfInstance(instance) === "ipvs"
        ? []
        : [
            ...chosenIpvsSettings(settings),
            ...(settings.ipvs.strictARP === true ? [{ field: "ipvs.strictARP", value: "true" }] : []),
          ].map(({ field, value }) => ({
            text: `${field}: ${value}`,
            path: `${instance.ref} ${field}`,
            excerpt: value,
          }));
    return [...ignored, ...unused].map(({ text, path, excerpt }) => ({
      text,
      evidence: { ...instance.evidence, path, excerpt },
    }));
  });
}

/** ConfigMaps that hold an ipvs configuration and are mounted by no kube-proxy that runs. */
function deadInUnmounted({ evidence, dataPlane }: CheckInput): DeadSetting[] {
  const mounted = new Set(
    dataPlane.running.flatMap(({ configMap }) =>
      configMap ? [`${configMap.namespace}/${configMap.name}`] : [],
    ),
  );
  return LEFTOVERS.flatMap((name) => {
    const read = evidence.configMaps.get(name);
    if (mounted.has(name) || !read || read.seen === false) return [];
    return Object.entries(read.value.data).flatMap(([key, text]) => {
      if (!text.includes("KubeProxyConfiguration")) return [];
      const decoded = decodeKubeProxyConfiguration(text);
      const mode = settingsOfConfig(decoded.ok ? decoded.config : decoded.partial).rawMode;
      if (mode !== "ipvs") return [];
      const path = `ConfigMap ${name} data[${key}].mode`;
      return [
        {
          text: `ConfigMap ${name} (mode: ipvs, mounted by no kube-proxy)`,
          evidence: { source: read.source, path, excerpt: "mode: ipvs" },
        },
      ];
    });
  });
}

/** A ConfigMap that may be a leftover and could not be read; one that is not there, or not in a dump, is none. */
function unreadConfigMap({ evidence }: CheckInput): NotSeen | PartlySeen<unknown> | null {
  for (const name of LEFTOVERS) {
    const read = evidence.configMaps.get(name);
    if (read && read.seen !== true && read.why !== "absent" && read.why !== "not-requested") return read;
  }
  return null;
}
