import { refOf } from "#src/evidence/data-plane/instances.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { Container, Workload } from "#src/evidence/kubernetes/workloads.ts";
import type { EvidenceItem } from "#src/model/finding.ts";
import { type NotSeen, notSeen, observedValue, type PartlySeen } from "#src/model/observed.ts";

/** Software that answers ARP for addresses of Services, and must be the only one to. */
export interface Announcer {
  name: "MetalLB" | "kube-vip";
  ref: string;
  /** False for a kube-vip that holds only the control plane's address: kube-ipvs0 never holds that. */
  ofServices: boolean;
  evidence: EvidenceItem[];
}

export interface Announcers {
  found: Announcer[];
  /** What keeps `found` from being all of them; null when it is. */
  unread: NotSeen | PartlySeen<unknown> | null;
}

/** MetalLB in layer 2 mode (its speaker and an L2Advertisement) and kube-vip with ARP. */
export function announcersOf(evidence: Evidence): Announcers {
  const { l2Advertisements } = evidence.customKinds;
  const found: Announcer[] = [];
  let unread: Announcers["unread"] = null;
  for (const list of [evidence.daemonSets, evidence.systemPods, evidence.deployments]) {
    if (list.seen !== true) unread ??= list;
    for (const workload of observedValue(list) ?? []) {
      if (workload.desired === 0) continue;
      const ref = refOf(workload);
      const vip = workload.containers.find(announcesByArp);
      if (vip !== undefined)
        found.push({
          name: "kube-vip",
          ref,
          ofServices: isOn(vip, "svc_enable", "services"),
          evidence: [{ source: list.source, path: `${ref} container ${vip.name}`, excerpt: "ARP" }],
        });
      if (!isSpeaker(workload)) continue;
      const advertisements = observedValue(l2Advertisements) ?? [];
      if (advertisements.length > 0) {
        const items = advertisements.slice(0, 3).map(({ namespace, name }) => ({
          source: l2Advertisements.source,
          path: `L2Advertisement ${namespace}/${name}`,
          excerpt: name,
        }));
        found.push({
          name: "MetalLB",
          ref,
          ofServices: true,
          evidence: [{ source: list.source, path: ref, excerpt: "speaker" }, ...items],
        });
      } else if (l2Advertisements.seen !== true) {
        // Before 0.13 MetalLB was configured by a ConfigMap: a speaker without the kind can still be in layer 2.
        unread ??=
          l2Advertisements.seen === false && l2Advertisements.why === "absent"
            ? notSeen(
                "not-requested",
                `${ref} runs, but MetalLB's custom kinds are not installed: its mode is in a ConfigMap that the audit does not read`,
                l2Advertisements.source,
              )
            : l2Advertisements;
      }
    }
  }
  return { found, unread };
}

function isSpeaker(workload: Workload): boolean {
  return workload.containers.some((container) => /metallb[/-]speaker(?::|@|$)/.test(container.image));
}

/** kube-vip's manifests set `vip_arp`; the flag is `--arp`. */
function announcesByArp(container: Container): boolean {
  return /kube-vip(?:-iptables)?(?::|@|$)/.test(container.image) && isOn(container, "vip_arp", "arp");
}

function isOn(container: Container, variable: string, flag: string): boolean {
  const words = [...(container.command ?? []), ...(container.args ?? [])];
  const value = container.env[variable];
  const byEnv = value?.from === "value" && /^(?:true|1)$/i.test(value.value);
  return byEnv || words.some((word) => word === `--${flag}` || word === `--${flag}=true`);
}
