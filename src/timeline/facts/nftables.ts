import type { Fact } from "../fact.ts";

const MIGRATING =
  "https://kubernetes.io/docs/reference/networking/virtual-ips/#migrating-from-iptables-mode-to-nftables";

/** What nftables mode needs, and what it does differently. */
export const NFTABLES_FACTS = [
  {
    id: "nftables-stages",
    claim:
      "nftables mode is alpha in 1.29 (gate NFTablesProxyMode), on by default from 1.31 and generally available from 1.33.",
    source: "KEP-3866; pkg/features/kube_features.go in 1.33.2",
    sourceUrl: "https://github.com/kubernetes/enhancements/tree/master/keps/sig-network/3866-nftables-proxy",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "nftables-kernel-5.13",
    claim:
      "nftables mode needs kernel 5.13 or newer; kube-proxy compares the version number only, so a backport does not count.",
    source: "pkg/proxy/nftables/supported.go and pkg/util/kernel/constants.go in 1.36.2",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/proxy/nftables/supported.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "nftables-kernel-not-enforced-1.32",
    claim:
      "kube-proxy 1.32.5 and older does not enforce the kernel version, because the test was inverted; 1.33.2 and newer does.",
    source: "pkg/proxy/nftables/supported.go in 1.32.5 and 1.33.2",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.32.5/pkg/proxy/nftables/supported.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "nft-in-image",
    claim:
      "nftables mode needs the nft program, 1.0.1 or newer, in the kube-proxy image; the one on the host is not used.",
    source: "sigs.k8s.io/knftables, New; still so in 1.37",
    sourceUrl: "https://github.com/kubernetes-sigs/knftables",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "nft-host-too-new",
    claim:
      "Rules made by nft 1.1.3 or newer on the host crash the nft of older kube-proxy images; fixed in 1.36.0 and in patch releases of March 2026 for 1.33 to 1.35.",
    source: "kubernetes/kubernetes#136786; fix #137501",
    sourceUrl: "https://github.com/kubernetes/kubernetes/issues/136786",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "nodeport-primary",
    claim:
      "Where nodePortAddresses is empty, nftables mode serves NodePorts on the node's primary addresses only; ipvs and iptables serve them on all local addresses.",
    source:
      "cmd/kube-proxy/app/server_linux.go, platformApplyDefaults (1.31 and newer); kubernetes.io, Virtual IPs",
    sourceUrl: MIGRATING,
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "nodeport-keywords",
    claim:
      "nodePortAddresses takes the word primary from 1.31, alone; from 1.37 any mix of addresses and the words primary, localhost and all, which older versions refuse.",
    source:
      "pkg/proxy/apis/config/validation in 1.36.2; k8s.io/kube-proxy, config/v1alpha1/types.go, a49df23",
    sourceUrl: "https://github.com/kubernetes/kube-proxy/blob/master/config/v1alpha1/types.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "nodeport-localhost-gate",
    claim:
      "nftables mode serves NodePorts on localhost only with the gate KubeProxyNFTablesLocalhostNodePorts (alpha in 1.37, on from 1.38, GA planned for 1.40) and loopback listed in nodePortAddresses; TCP only.",
    source: "KEP-6032; CHANGELOG-1.38, 1.38.0-alpha.2 (kubernetes/kubernetes#142490)",
    sourceUrl: "https://github.com/kubernetes/enhancements/issues/6032",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "planned",
  },
  {
    id: "nodeport-localhost-ipvs",
    claim: "ipvs mode never served NodePorts on localhost; iptables mode does, for IPv4, by default.",
    source: "kubernetes.io, Virtual IPs and Service Proxies; iptables.localhostNodePorts",
    sourceUrl: MIGRATING,
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "conntrack-workaround",
    claim:
      "nftables mode does not drop packets that conntrack finds invalid, as iptables mode does; kernels before 6.1 may need conntrack.tcpBeLiberal.",
    source: "kubernetes.io, Virtual IPs, Migrating from iptables mode to nftables",
    sourceUrl: MIGRATING,
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "firewall-holes",
    claim:
      "iptables mode opens NodePorts in the host firewall; nftables mode does not, so the firewall has to allow them.",
    source: "kubernetes.io, Virtual IPs, Migrating from iptables mode to nftables",
    sourceUrl: MIGRATING,
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
] as const satisfies readonly Fact[];
