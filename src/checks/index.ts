import { cgroupV1 } from "./cgroup-v1/check.ts";
import { chainDependents } from "./chain-dependents/check.ts";
import type { Check } from "./check.ts";
import { cniCompatibility } from "./cni-compatibility/check.ts";
import { configOrigin } from "./config-origin/check.ts";
import { conntrackWorkaround } from "./conntrack-workaround/check.ts";
import { containerRuntime } from "./container-runtime/check.ts";
import { deadIpvsConfig } from "./dead-ipvs-config/check.ts";
import { dnsCache } from "./dns-cache/check.ts";
import { externalIps } from "./external-ips/check.ts";
import { hostFirewall } from "./host-firewall/check.ts";
import { ipvsGate } from "./ipvs-gate/check.ts";
import { ipvsSettingsLost } from "./ipvs-settings-lost/check.ts";
import { nftBuild } from "./nft-build/check.ts";
import { nodeKernel } from "./node-kernel/check.ts";
import { nodePortAddresses } from "./nodeport-addresses/check.ts";
import { nodePortLocalhost } from "./nodeport-localhost/check.ts";
import { proxyMode } from "./proxy-mode/check.ts";
import { proxyModeDrift } from "./proxy-mode-drift/check.ts";
import { proxyModeInvalid } from "./proxy-mode-invalid/check.ts";
import { proxyModeUnset } from "./proxy-mode-unset/check.ts";
import { proxyReplacement } from "./proxy-replacement/check.ts";
import { serviceScale } from "./service-scale/check.ts";
import { strictArp } from "./strict-arp/check.ts";
import { supportWindow } from "./support-window/check.ts";
import { syncHealth } from "./sync-health/check.ts";
import { versionSkew } from "./version-skew/check.ts";

export type { Check, CheckInput } from "./check.ts";

/** Every check, in the order people read them: what can stop an upgrade first. */
export const CHECKS: readonly Check[] = [
  proxyMode,
  proxyModeUnset,
  proxyModeInvalid,
  ipvsGate,
  nodeKernel,
  containerRuntime,
  proxyModeDrift,
  nodePortAddresses,
  nodePortLocalhost,
  conntrackWorkaround,
  hostFirewall,
  chainDependents,
  ipvsSettingsLost,
  deadIpvsConfig,
  strictArp,
  externalIps,
  dnsCache,
  cniCompatibility,
  nftBuild,
  serviceScale,
  versionSkew,
  configOrigin,
  proxyReplacement,
  cgroupV1,
  supportWindow,
  syncHealth,
];

/** A check by its identifier; undefined for one there is not. */
export function checkById(id: string): Check | undefined {
  return CHECKS.find((check) => check.id === id);
}
