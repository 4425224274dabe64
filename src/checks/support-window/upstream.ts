import { releaseOf } from "#src/timeline/calendar.ts";
import { daysBetween, isoDay } from "#src/timeline/days.ts";
import type { CheckInput } from "../check.ts";
import { dayOf, type Support } from "./support.ts";
import { versionEvidence } from "./version-evidence.ts";

/** Providers that run the control plane and upgrade it in the end, by calendars of their own. */
const MANAGED: ReadonlySet<string> = new Set(["gke", "aks", "ack", "tke", "cce", "oke", "doks", "yandex"]);

/** Upstream's end of life: what there is for everything but EKS, whose calendar is known. */
export function upstreamSupport(input: CheckInput, minor: string): Support {
  const { provider, now } = input;
  const { endOfLife } = releaseOf(minor);
  const end = dayOf(endOfLife);
  const over = daysBetween(isoDay(now), endOfLife.around) < 0;
  const ownCalendar = MANAGED.has(provider.id);
  const own = ownCalendar
    ? ` ${provider.name} has a calendar of its own, which is not read here: it may support ${minor} for longer, and upgrades by itself afterwards.`
    : "";
  return {
    title: `Kubernetes ${minor}: upstream ${over ? "stopped patching it" : "patches it until"} ${end}`,
    text: `upstream's patches for Kubernetes ${minor} ${over ? "ended" : "end"} ${end}.${own}`,
    evidence: versionEvidence(input, minor),
    ends: [endOfLife],
    fix: `Upgrade from ${minor} to a version that upstream patches: https://kubernetes.io/releases/`,
    ownCalendar,
    facts: ["release-calendar"],
  };
}
