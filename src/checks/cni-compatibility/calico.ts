import { lt } from "semver";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { Container, Workload } from "#src/evidence/kubernetes/workloads.ts";
import type { EvidenceItem } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import type { Cni, Setting } from "./cni.ts";
import { envSetting, notTold } from "./settings.ts";

/** Before this version nftablesMode defaults to Disabled; for later ones the default was not confirmed. */
const DEFAULT_DISABLED_BEFORE = "3.31.0";

const DATAPLANES: Record<string, string> = {
  BPF: "ebpf",
  VPP: "vpp",
  Nftables: "nftables",
  Iptables: "iptables",
};
const NFTABLES_MODES: Record<string, string> = { enabled: "nftables", disabled: "iptables", auto: "auto" };

/**
 * Which data plane Calico runs: `iptables`, `nftables`, `auto`, `ebpf` or `vpp`. The operator's Installation
 * writes the rest, an environment variable of calico-node beats FelixConfiguration (Felix, Configuration).
 */
export function calicoSettings(
  workload: Workload,
  container: Container,
  evidence: Evidence,
  version: string | null,
): Cni["settings"] {
  return { dataplane: dataplaneOf(workload, container, evidence, version) };
}

function dataplaneOf(
  workload: Workload,
  container: Container,
  evidence: Evidence,
  version: string | null,
): Setting {
  const { felix, installations } = evidence.customKinds;
  const [installation] = observedValue(installations) ?? [];
  if (installation?.linuxDataplane) {
    const path = `Installation ${installation.name} spec.calicoNetwork.linuxDataplane`;
    const item = { source: installations.source, path, excerpt: installation.linuxDataplane };
    return told(item, DATAPLANES[installation.linuxDataplane]);
  }
  const env = (name: string) =>
    container.env[name] === undefined ? null : envSetting(evidence, workload, container, name, "");
  const bpf = env("FELIX_BPFENABLED");
  if (bpf?.value && /^(1|t|true|enabled|yes)$/i.test(bpf.value)) return { ...bpf, value: "ebpf" };
  const mode = env("FELIX_NFTABLESMODE");
  if (mode) return told(mode.evidence, NFTABLES_MODES[mode.value?.toLowerCase() ?? ""]);

  // The operator's word comes first: where it was not read, Felix's own settings may not be what runs.
  if (
    installations.seen !== true &&
    installations.why !== "absent" &&
    installations.why !== "not-requested"
  ) {
    const path = "Installation spec.calicoNetwork.linuxDataplane";
    const evidenceItem = { source: installations.source, path, excerpt: installations.why };
    return { value: null, evidence: evidenceItem, unread: installations };
  }

  const source = felix.source;
  const global = observedValue(felix)?.find((one) => one.name === "default") ?? observedValue(felix)?.[0];
  if (global?.bpfEnabled) {
    return {
      value: "ebpf",
      evidence: { source, path: "FelixConfiguration default spec.bpfEnabled", excerpt: "true" },
    };
  }
  const path = "FelixConfiguration default spec.nftablesMode";
  if (global?.nftablesMode) {
    return told(
      { source, path, excerpt: global.nftablesMode },
      NFTABLES_MODES[global.nftablesMode.toLowerCase()],
    );
  }
  const item = { source, path, excerpt: "not set" };
  // Not installed is an answer: Calico runs without the CRD only where its datastore is etcd.
  if (felix.seen === false) return { value: null, evidence: { ...item, excerpt: felix.why }, unread: felix };
  if (version !== null && lt(version, DEFAULT_DISABLED_BEFORE)) return { value: "iptables", evidence: item };
  return notTold(item, "nftablesMode is not set, and Calico's default differs between versions");
}

function told(item: EvidenceItem, value: string | undefined): Setting {
  return value === undefined
    ? notTold(item, `${item.path} is "${item.excerpt}", which is not known here`)
    : { value, evidence: item };
}
