/** A kind of object as the Kubernetes API serves it. */
export interface Resource {
  /** "" for the core group. */
  group: string;
  version: string;
  plural: string;
  kind: string;
  namespaced: boolean;
}

function resource(
  group: string,
  version: string,
  plural: string,
  kind: string,
  namespaced: boolean,
): Resource {
  return { group, version, plural, kind, namespaced };
}

/**
 * Every kind the audit reads, and no other. `infra/` grants exactly these; a test compares the two.
 * Custom kinds answer 404 where they are not installed and the role is allowed to list them, 403 where the
 * role lacks them: only the first is a "no".
 */
export const RESOURCES = {
  nodes: resource("", "v1", "nodes", "Node", false),
  pods: resource("", "v1", "pods", "Pod", true),
  configMaps: resource("", "v1", "configmaps", "ConfigMap", true),
  services: resource("", "v1", "services", "Service", true),
  events: resource("", "v1", "events", "Event", true),
  endpointSlices: resource("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true),
  daemonSets: resource("apps", "v1", "daemonsets", "DaemonSet", true),
  deployments: resource("apps", "v1", "deployments", "Deployment", true),
  statefulSets: resource("apps", "v1", "statefulsets", "StatefulSet", true),
  cronJobs: resource("batch", "v1", "cronjobs", "CronJob", true),
  jobs: resource("batch", "v1", "jobs", "Job", true),
  felixConfigurations: resource(
    "crd.projectcalico.org",
    "v1",
    "felixconfigurations",
    "FelixConfiguration",
    false,
  ),
  calicoInstallations: resource("operator.tigera.io", "v1", "installations", "Installation", false),
  openShiftNetworks: resource("operator.openshift.io", "v1", "networks", "Network", false),
  l2Advertisements: resource("metallb.io", "v1beta1", "l2advertisements", "L2Advertisement", true),
  ec2NodeClasses: resource("karpenter.k8s.aws", "v1", "ec2nodeclasses", "EC2NodeClass", false),
} as const satisfies Record<string, Resource>;

/** `/api/v1/namespaces/kube-system/configmaps/kube-proxy`: the path of a collection or of one object. */
export function resourcePath(of: Resource, at: { namespace?: string; name?: string } = {}): string {
  const root = of.group === "" ? `/api/${of.version}` : `/apis/${of.group}/${of.version}`;
  const namespace = at.namespace === undefined ? "" : `/namespaces/${encodeURIComponent(at.namespace)}`;
  const name = at.name === undefined ? "" : `/${encodeURIComponent(at.name)}`;
  return `${root}${namespace}/${of.plural}${name}`;
}
