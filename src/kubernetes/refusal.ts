/** One reason for which kube-proxy exits with a configuration. */
export interface Refusal {
  /** As in the configuration file: `mode`, `featureGates.KubeProxyIPVS`. */
  field: string;
  value: string;
  /** What kube-proxy says, in its own words where they are known. */
  message: string;
  /** First minor that refuses it; null: every one before `until`, or every one. */
  from: string | null;
  /** First later minor that accepts it again; null where there is none. */
  until: string | null;
  certainty: "released" | "planned";
  source: string;
}
