import type { ProxySettings } from "#src/evidence/data-plane/instance.ts";

/** One ipvs setting that differs from its default, and what becomes of it. */
export interface IpvsSetting {
  field: string;
  value: string;
  /** What it did, and what replaces it. */
  meaning: string;
}

/**
 * The ipvs settings that somebody chose. Sync periods are left out: EKS and GKE set them in every cluster, also
 * in those that never ran ipvs.
 */
export function chosenIpvsSettings({ ipvs }: ProxySettings): IpvsSetting[] {
  const settings: IpvsSetting[] = [];
  const add = (field: string, value: string | null, meaning: string) => {
    if (value !== null) settings.push({ field: `ipvs.${field}`, value, meaning });
  };
  if (ipvs.scheduler !== null && ipvs.scheduler !== "rr") {
    const least = ["lc", "wlc", "sed", "nq", "lblc", "lblcr"].includes(ipvs.scheduler);
    add(
      "scheduler",
      ipvs.scheduler,
      least
        ? "each node counted only its own connections, so it never balanced across the cluster; nftables and iptables pick a backend at random"
        : ["sh", "dh", "mh"].includes(ipvs.scheduler)
          ? "it kept clients on one backend; sessionAffinity: ClientIP on the Services that need it replaces it"
          : "nftables and iptables pick a backend at random",
    );
  }
  add(
    "excludeCIDRs",
    ipvs.excludeCIDRs === null ? null : ipvs.excludeCIDRs.join(","),
    "it kept kube-proxy away from IPVS services of other software; each start in nftables mode deletes all IPVS services of the node, those too, so that software must make its own again",
  );
  const timeouts =
    "IPVS kept connections that long; other modes leave it to conntrack's own timeouts (conntrack.tcpEstablishedTimeout and others)";
  add("tcpTimeout", ipvs.tcpTimeout, timeouts);
  add("tcpFinTimeout", ipvs.tcpFinTimeout, timeouts);
  add("udpTimeout", ipvs.udpTimeout, timeouts);
  return settings;
}
