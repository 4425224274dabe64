import type { FactId } from "#src/timeline/facts.ts";

/** From how many on what was reported; the fact carries source and date. */
export interface Threshold {
  what: "Services" | "EndpointSlices";
  from: number;
  status: "warning" | "info";
  reported: string;
  fact: FactId;
}

/**
 * Largest first. The report behind 5,000 had 5,006 Services with 250,011 endpoints: at least one EndpointSlice for
 * each Service, so the same number stands for both.
 */
export const THRESHOLDS: readonly Threshold[] = [
  {
    what: "Services",
    from: 40_000,
    status: "warning",
    reported: "with 44,125 Services one full sync of kube-proxy 1.36.1 took almost 17 minutes",
    fact: "sync-44000-services",
  },
  {
    what: "Services",
    from: 5_000,
    status: "warning",
    reported:
      "with 5,006 Services and 250,011 endpoints the first sync took 13 to 20 minutes on kernel 6.1, before 1.36",
    fact: "sync-5000-services",
  },
  {
    what: "EndpointSlices",
    from: 5_000,
    status: "warning",
    reported:
      "with 5,006 Services and 250,011 endpoints the first sync took 13 to 20 minutes on kernel 6.1, before 1.36",
    fact: "sync-5000-services",
  },
  {
    what: "Services",
    from: 1_000,
    status: "info",
    reported: "1,000 Services is where AWS recommended ipvs over iptables, for the time iptables takes",
    fact: "eks-ipvs-1000-services",
  },
];
