import { partitionOfRegion } from "./partition.ts";

/**
 * Why an API server's address must not be sent a token, as the rest of the sentence "the endpoint …"; null when
 * it may. The address comes out of another account's DescribeCluster, and a token is good for whoever has it.
 *
 * Names (EKS user guide, cluster endpoint): `ID.SHARD.REGION.eks.amazonaws.com`, in China `….amazonaws.com.cn`;
 * dual-stack clusters made after October 2024 `ID.SHARD.eks-cluster.REGION.api.aws`. Below `api.aws` other
 * services give names to customers, so the `eks-cluster` label is required there.
 *
 * @param extraHosts hosts with their port (`10.0.0.5:8443`) that an operator trusts besides.
 */
export function endpointRefusal(
  endpoint: string,
  region: string,
  extraHosts: readonly string[] = [],
): string | null {
  if (!URL.canParse(endpoint)) return "is not an address";
  const url = new URL(endpoint);
  if (url.protocol !== "https:") return "is not https";
  if (url.username !== "" || url.password !== "") return "carries a user name or password";
  if (url.search !== "" || url.hash !== "") return "carries a query or fragment";
  if (url.pathname !== "/") return "carries a path";
  if (extraHosts.includes(`${url.hostname}:${url.port || "443"}`)) return null;
  const partition = partitionOfRegion(region);
  if (partition === null) return `is in ${region}, which is not a Region of any AWS partition`;
  if (url.port !== "") return `names port ${url.port}: EKS serves on 443`;
  const { dnsSuffix, dualStackSuffix } = partition;
  const names = [`.${region}.eks.${dnsSuffix}`];
  if (dualStackSuffix !== null) names.push(`.eks-cluster.${region}.${dualStackSuffix}`);
  const labels = names.flatMap((end) =>
    url.hostname.endsWith(end) ? [url.hostname.slice(0, -end.length)] : [],
  );
  // An id and a shard, e.g. `3F1C.gr7`; the first clusters had more labels, none had an empty one.
  if (labels.some((label) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(label))) return null;
  return `is not an EKS name of ${region} (*${names.join(" or *")})`;
}
