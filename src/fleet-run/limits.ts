/** Reading one cluster ends after this; describing it and storing its audit come on top. */
export const CLUSTER_TIMEOUT_MS = 60_000;
export const CLUSTER_WORST_CASE_MS = 100_000;
/** An account with every Region throttled to the end of the SDK's patience. */
export const ACCOUNT_WORST_CASE_MS = 150_000;
/** Clusters that one function reads at a time: it waits for the network most of the time. */
export const CLUSTERS_AT_A_TIME = 2;
/** kube-proxy logs read in each cluster, as the command line does without --deep. */
export const CLUSTER_LOGS = 3;
