/** Something of kube-proxy's inner workings that a text names, and only the matched words of it. */
export interface ChainMention {
  /** `chain`: a chain or ipset of kube-proxy's. `ipvs`: its interface or IPVS' own tool. `nat-hook`: a rule in the host's nat table. */
  kind: "chain" | "ipvs" | "nat-hook";
  text: string;
}

/**
 * Chains and ipsets that kube-proxy makes in iptables and ipvs mode (pkg/proxy/iptables, pkg/proxy/ipvs). Left
 * out: the kubelet's KUBE-FIREWALL and KUBE-KUBELET-CANARY, KUBE-HOSTPORTS of the portmap plug-in, and
 * kube-router's KUBE-ROUTER-, KUBE-POD-FW- and KUBE-NWPLCY-.
 */
const CHAIN =
  /(?<![A-Z0-9_-])KUBE-(?:SERVICES|EXTERNAL-SERVICES|NODEPORTS|(?:SVC|SEP|EXT|SVL|XLB|FW)-|MARK-MASQ|MARK-DROP|POSTROUTING|FORWARD|PROXY-FIREWALL|PROXY-CANARY|IPVS-(?:FILTER|OUT-FILTER)|CLUSTER-IP|EXTERNAL-IP|LOOP-BACK|LOAD-BALANCER|NODE-PORT)/g;
const IPVS = /(?<![\w-])(?:kube-ipvs0|ipvsadm)(?![\w])/g;
/** A rule put into a chain of the nat table that the kernel calls: it runs beside kube-proxy's. */
const NAT_HOOK =
  /(?<![\w-])(ip6?tables)(?:-legacy|-nft)?\s[^\n;&|]{0,300}?(?:-t|--table)[ =]nat\s[^\n;&|]{0,300}?-(?:A|I|-append|-insert)\s+(PREROUTING|OUTPUT|POSTROUTING)\b([^\n;&|]{0,300})/g;
/** Chains of network plug-ins and meshes: theirs to keep beside any proxy mode. */
const CHAINS_OF_OTHERS =
  /(?:-j|--jump)[ =](?:AWS-|CNI-|CALI|cali-|CILIUM|FLANNEL|ANTREA|KUBE-ROUTER|WEAVE|OVN|IP-MASQ|ISTIO)/;
/** `--collector.netdev.device-exclude=^(veth.*|kube-ipvs0)$`: passing over an interface that is gone changes nothing. */
const PASSES_OVER = /exclu|ignor|skip/i;

/** What a text names, line by line, each thing once. Comment lines do not count. */
export function chainMentionsIn(text: string): ChainMention[] {
  const found = new Map<string, ChainMention>();
  const add = (kind: ChainMention["kind"], words: string) => found.set(words, { kind, text: words });
  for (const line of text.split("\n")) {
    if (/^\s*(?:#|\/\/)/.test(line)) continue;
    for (const [words] of line.matchAll(CHAIN)) add("chain", words);
    for (const [words] of line.matchAll(IPVS))
      if (words === "ipvsadm" || !PASSES_OVER.test(line)) add("ipvs", words);
    for (const [, tool, chain, rest = ""] of line.matchAll(NAT_HOOK))
      if (!CHAINS_OF_OTHERS.test(rest)) add("nat-hook", `${tool} -t nat ${chain}`);
  }
  return [...found.values()];
}
