/** Namespaces in which the role grants `get` of ConfigMaps (infra/kubernetes/rbac.yaml). */
export const GRANTED_NAMESPACES: ReadonlySet<string> = new Set([
  "kube-system",
  "openshift-kube-proxy",
  "calico-system",
  "tigera-operator",
  "kube-flannel",
  "metallb-system",
]);
