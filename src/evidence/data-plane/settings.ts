import type { KubeProxyFlags } from "#src/kubernetes/argv.ts";
import type { KubeProxyConfiguration } from "#src/kubernetes/proxy-config.ts";
import type { ProxySettings } from "./instance.ts";

export const NO_SETTINGS: ProxySettings = {
  rawMode: null,
  featureGates: {},
  invalidFeatureGates: [],
  nodePortAddresses: null,
  ipvs: {
    scheduler: null,
    strictARP: null,
    excludeCIDRs: null,
    tcpTimeout: null,
    tcpFinTimeout: null,
    udpTimeout: null,
    syncPeriod: null,
    minSyncPeriod: null,
  },
  iptables: { localhostNodePorts: null, masqueradeAll: null },
  nftables: { masqueradeAll: null },
  tcpBeLiberal: null,
  metricsBindAddress: null,
};

/** Flags as settings: what counts when kube-proxy is started without `--config`. */
export function settingsOfFlags(flags: KubeProxyFlags): ProxySettings {
  return {
    rawMode: flags.proxyMode || null,
    featureGates: flags.featureGates,
    invalidFeatureGates: flags.invalidFeatureGates,
    nodePortAddresses: flags.nodePortAddresses,
    ipvs: { ...flags.ipvs, scheduler: flags.ipvs.scheduler || null },
    iptables: { localhostNodePorts: flags.iptablesLocalhostNodePorts, masqueradeAll: flags.masqueradeAll },
    // Without a file --masquerade-all counts for both modes (options.go): there is one flag.
    nftables: { masqueradeAll: flags.masqueradeAll },
    tcpBeLiberal: flags.conntrackTcpBeLiberal,
    metricsBindAddress: flags.metricsBindAddress || null,
  };
}

/** A decoded configuration file as settings; empty texts and zero durations count as not set. */
export function settingsOfConfig(config: Partial<KubeProxyConfiguration>): ProxySettings {
  const { ipvs, iptables, nftables, conntrack } = config;
  return {
    rawMode: config.mode || null,
    featureGates: config.featureGates ?? {},
    invalidFeatureGates: [],
    nodePortAddresses: config.nodePortAddresses ?? null,
    ipvs: {
      scheduler: ipvs?.scheduler || null,
      strictARP: ipvs?.strictARP ?? null,
      excludeCIDRs: ipvs?.excludeCIDRs?.length ? ipvs.excludeCIDRs : null,
      tcpTimeout: duration(ipvs?.tcpTimeout),
      tcpFinTimeout: duration(ipvs?.tcpFinTimeout),
      udpTimeout: duration(ipvs?.udpTimeout),
      syncPeriod: duration(ipvs?.syncPeriod),
      minSyncPeriod: duration(ipvs?.minSyncPeriod),
    },
    iptables: {
      localhostNodePorts: iptables?.localhostNodePorts ?? null,
      masqueradeAll: iptables?.masqueradeAll ?? null,
    },
    nftables: { masqueradeAll: nftables?.masqueradeAll ?? null },
    tcpBeLiberal: conntrack?.tcpBeLiberal ?? null,
    metricsBindAddress: config.metricsBindAddress || null,
  };
}

function duration(text: string | null | undefined): string | null {
  return text && !/^0(?:[a-zµ]+)?$/.test(text) ? text : null;
}
