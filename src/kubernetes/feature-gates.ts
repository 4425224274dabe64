import type { Refusal } from "./refusal.ts";
import { compareMinor } from "./version.ts";

/** A feature gate of upstream kube-proxy: between which minors it may be named, and when it is locked. */
export interface FeatureGate {
  /** First minor that knows it; null where that is before every minor judged here. */
  added: string | null;
  /** First minor that does not know it any more; null as long as there is none. */
  removed: { minor: string; certainty: "released" | "planned" } | null;
  /** From when only one value is accepted. */
  locked: { to: boolean; minor: string; certainty: "released" | "planned" } | null;
  source: string;
}

const DOCS = "kubernetes.io, feature gates";
const DOCS_REMOVED = "kubernetes.io, feature gates (removed)";

/**
 * Gates that people set for kube-proxy. An unknown gate is an error upstream (component-base, `SetFromMap`), so a
 * gate that is not in this table cannot be judged: it may be one of another component, or of a provider's own build.
 */
export const FEATURE_GATES: Readonly<Record<string, FeatureGate>> = {
  KubeProxyIPVS: {
    added: "1.37",
    removed: { minor: "1.46", certainty: "planned" },
    locked: { to: false, minor: "1.43", certainty: "planned" },
    source: "KEP-5495; kubernetes#139397, #139749",
  },
  NFTablesProxyMode: {
    added: "1.29",
    removed: null,
    locked: { to: true, minor: "1.33", certainty: "released" },
    source: "KEP-3866; pkg/features/kube_features.go, 1.36.2",
  },
  KubeProxyNFTablesLocalhostNodePorts: { added: "1.37", removed: null, locked: null, source: "KEP-6032" },
  NFTablesNetlink: { added: "1.37", removed: null, locked: null, source: "kubernetes#137536" },
  SupportIPVSProxyMode: {
    added: "1.8",
    removed: { minor: "1.20", certainty: "released" },
    locked: null,
    source: "kubernetes#94514",
  },
  IPv6DualStack: gone("1.15", "1.25", "1.23"),
  EndpointSliceProxying: gone("1.18", "1.25", "1.22"),
  ServiceInternalTrafficPolicy: gone("1.21", "1.28", "1.26"),
  ProxyTerminatingEndpoints: gone("1.22", "1.30", "1.28"),
  MinimizeIPTablesRestore: gone("1.26", "1.30", "1.28"),
  KubeProxyDrainingTerminatingNodes: gone("1.28", "1.33", "1.31"),
  TopologyAwareHints: {
    added: "1.21",
    removed: null,
    locked: { to: true, minor: "1.33", certainty: "released" },
    source: DOCS,
  },
  APIListChunking: gone("1.8", "1.33", "1.29"),
  AllAlpha: { added: null, removed: null, locked: null, source: "component-base, featuregate" },
  AllBeta: { added: "1.17", removed: null, locked: null, source: "component-base, featuregate" },
};

function gone(added: string, removed: string, lockedTrue: string): FeatureGate {
  return {
    added,
    removed: { minor: removed, certainty: "released" },
    locked: { to: true, minor: lockedTrue, certainty: "released" },
    source: DOCS_REMOVED,
  };
}

/** Names of the gates that the table does not know: whether kube-proxy starts with them cannot be told. */
export function unknownGates(gates: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(gates).filter((name) => !Object.hasOwn(FEATURE_GATES, name));
}

/** Why upstream kube-proxy of that minor exits over these gates. Naming a gate it does not know is fatal. */
export function gateRefusals(gates: Readonly<Record<string, boolean>>, minor: string): Refusal[] {
  return Object.entries(gates).flatMap(([name, on]) => {
    const gate = Object.hasOwn(FEATURE_GATES, name) ? FEATURE_GATES[name] : undefined;
    if (gate === undefined) return [];
    const refused = refusalOf(name, on, gate, minor);
    return refused === null
      ? []
      : [{ field: `featureGates.${name}`, value: String(on), source: gate.source, ...refused }];
  });
}

function refusalOf(
  name: string,
  on: boolean,
  { added, removed, locked }: FeatureGate,
  minor: string,
): Pick<Refusal, "message" | "from" | "until" | "certainty"> | null {
  const unrecognized = `unrecognized feature gate: ${name}`;
  if (added !== null && compareMinor(minor, added) < 0) {
    return { message: unrecognized, from: null, until: added, certainty: "released" };
  }
  if (removed !== null && compareMinor(minor, removed.minor) >= 0) {
    return { message: unrecognized, from: removed.minor, until: null, certainty: removed.certainty };
  }
  if (locked === null || on === locked.to || compareMinor(minor, locked.minor) < 0) return null;
  const message = `cannot set feature gate ${name} to ${on}, feature is locked to ${locked.to}`;
  return { message, from: locked.minor, until: null, certainty: locked.certainty };
}
