import { refOf } from "#src/evidence/data-plane/instances.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { Container, Workload } from "#src/evidence/kubernetes/workloads.ts";
import type { EvidenceItem } from "#src/model/finding.ts";
import { missing } from "../findings.ts";
import type { Setting } from "./cni.ts";

/** A container's environment variable; `whenUnset` where it has none. Only values asked for by name are kept. */
export function envSetting(
  evidence: Evidence,
  workload: Workload,
  container: Container,
  name: string,
  whenUnset: string,
): Setting {
  const { source } = evidence.daemonSets;
  const item = (excerpt: string) => ({ source, path: `${refOf(workload)} env ${name}`, excerpt });
  const value = container.env[name];
  if (value === undefined) return { value: whenUnset, evidence: item("not set") };
  if (value.from === "value") return { value: value.value, evidence: item(`${name}=${value.value}`) };
  if (value.from === "configMap") {
    return configMapSetting(evidence, workload, value.name, value.key, whenUnset);
  }
  return notTold(
    item("valueFrom"),
    `${name} of ${refOf(workload)} does not come from a value that can be read`,
  );
}

/** A key of a ConfigMap in the workload's namespace; `whenUnset` where the ConfigMap does not have the key. */
export function configMapSetting(
  evidence: Evidence,
  workload: Workload,
  configMap: string,
  key: string,
  whenUnset: string | null = null,
): Setting {
  const name = `${workload.namespace}/${configMap}`;
  const path = `ConfigMap ${name} data[${key}]`;
  const read = evidence.configMaps.get(name);
  if (read === undefined || read.seen === false) {
    const source = read?.source ?? evidence.daemonSets.source;
    const item = { source, path, excerpt: "not read" };
    return read === undefined
      ? notTold(item, `ConfigMap ${name} was not read`)
      : { value: null, evidence: item, unread: read };
  }
  const written = read.value.data[key];
  const value = written ?? whenUnset;
  // A whole file is not evidence: whoever decodes it names what matched.
  const short = written !== undefined && written.length <= 40 ? `${key}: ${written}` : key;
  const item = { source: read.source, path, excerpt: written === undefined ? "not set" : short };
  return value === null ? notTold(item, `ConfigMap ${name} has no key ${key}`) : { value, evidence: item };
}

export function notTold(item: EvidenceItem, why: string): Setting {
  return { value: null, evidence: item, unread: missing(why, item.source) };
}
