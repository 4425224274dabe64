import type { InventoryCluster } from "#src/inventory/cluster.ts";
import type { FindingStore } from "#src/store/store.ts";

export type FleetKind = "own" | "demo";

/** Clusters that the page can scan. */
export interface ScanSource {
  id: string;
  /** `kubeconfig /home/ann/.kube/config`, for people. */
  label: string;
  /**
   * The clusters, each to be opened when it is scanned.
   *
   * @throws ProxyAuditError where they cannot be found: the page shows why, and offers the other sources.
   */
  clusters(): Promise<readonly InventoryCluster[]>;
}

/** A store with what can be scanned into it: the user's own, or the demo. */
export interface ConsoleFleet {
  kind: FleetKind;
  /** Where the audits are: a file, or what the demo is. */
  label: string;
  store: FindingStore;
  sources: readonly ScanSource[];
  close(): Promise<void>;
}

/** How each fleet is opened, once, when somebody first wants to see it. */
export type FleetOpeners = Partial<Record<FleetKind, () => Promise<ConsoleFleet>>>;

/** The fleet that is shown, and how to show another. */
export interface Fleets {
  current(): ConsoleFleet;
  kinds: readonly FleetKind[];
  show(kind: FleetKind): Promise<ConsoleFleet>;
  close(): Promise<void>;
}

export async function openFleets(openers: FleetOpeners, first: FleetKind): Promise<Fleets> {
  const opened = new Map<FleetKind, Promise<ConsoleFleet>>();
  const kinds = (["own", "demo"] as const).filter((kind) => openers[kind] !== undefined);
  function open(kind: FleetKind): Promise<ConsoleFleet> {
    const opener = openers[kind];
    if (opener === undefined) throw new Error(`no ${kind} fleet`);
    const known = opened.get(kind);
    if (known !== undefined) return known;
    const opening = opener();
    opened.set(kind, opening);
    // What failed once may work the next time.
    opening.catch(() => opened.delete(kind));
    return opening;
  }
  let current = await open(first);
  return {
    kinds,
    current: () => current,
    async show(kind) {
      current = await open(kind);
      return current;
    },
    async close() {
      for (const fleet of opened.values()) await fleet.then((one) => one.close());
    },
  };
}
