import type { Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, listed } from "../findings.ts";
import type { RunningModes } from "../modes.ts";
import { explicitLoopback, nftablesGateOn } from "./loopback.ts";
import { localhostUsersOf } from "./users.ts";

/** Where nftables mode runs already: localhost NodePorts that are wanted and not served. */
export function servedByNftables(
  check: Pick<Check, "id" | "about">,
  input: CheckInput,
  { inUse }: RunningModes,
): Finding[] {
  const { evidence, provider } = input;
  const onNftables = inUse.filter(({ mode, settings }) => mode === "nftables" && settings !== null);
  const deaf = onNftables.filter(
    ({ settings, minor }) =>
      settings !== null && !(nftablesGateOn(settings, minor) && explicitLoopback(settings).length > 0),
  );
  if (deaf.length === 0) return [];
  const rejected = (observedValue(evidence.metrics) ?? []).filter(
    ({ parsed }) => (parsed.localhostNodePortRejectedPackets ?? 0) > 0,
  );
  const onlyNftables = inUse.every(({ mode }) => mode === "nftables");
  const users = onlyNftables ? localhostUsersOf(evidence) : [];
  const listing = deaf.filter(({ settings }) => settings !== null && explicitLoopback(settings).length > 0);
  const wanted = [
    ...(rejected.length > 0
      ? [`${counted(rejected.length, "kube-proxy", "kube-proxies")} rejected packets to them`]
      : []),
    ...(users.length > 0
      ? [`${counted(users.length, "user is", "users are")} seen in workloads and Services`]
      : []),
    ...(listing.length > 0 ? ["nodePortAddresses lists loopback"] : []),
  ];
  if (wanted.length === 0) return [];
  return [
    finding(check, input, {
      status: "warning",
      about: "hygiene",
      title: "NodePorts on localhost are wanted, and nftables mode does not serve them here",
      detail:
        `${evidence.cluster.name}: ${wanted.join("; ")}. ${listed(deaf.map(({ ref }) => ref))} runs nftables mode, which serves ` +
        "NodePorts on localhost only with the gate KubeProxyNFTablesLocalhostNodePorts (alpha in 1.37, on by default from 1.38) and " +
        "loopback listed in nodePortAddresses, and for TCP only.",
      evidence: [
        ...rejected.slice(0, 3).map(({ instance, parsed }) => ({
          source: evidence.metrics.source,
          path: `${instance} kubeproxy_nftables_localhost_nodeport_rejected_packets_total`,
          excerpt: String(parsed.localhostNodePortRejectedPackets),
        })),
        ...users.slice(0, 5).map((user) => user.evidence),
        ...deaf.slice(0, 3).map((one) => ({
          ...one.evidence,
          path: `${one.ref} nodePortAddresses`,
          excerpt: one.settings?.nodePortAddresses?.join(",") ?? "not set",
        })),
      ],
      fix:
        provider.id === "eks"
          ? "Give what uses NodePorts on localhost another address: the EKS add-on has no setting for NodePorts on localhost."
          : "With kube-proxy 1.37 or newer, set nodePortAddresses: [primary, localhost] and, on 1.37, featureGates: " +
            `{KubeProxyNFTablesLocalhostNodePorts: true}; before that, give what uses NodePorts on localhost another address. Where: beside the mode, in ${provider.modeSetIn}.`,
      ...(users.length > 0 ? { subjects: users.map(({ who }) => who) } : {}),
      facts: ["nodeport-localhost-gate"],
      what: "not-served-by-nftables",
    }),
  ];
}
