import type { Entry } from "../entry.ts";

const OUTSIDE = "It is outside what proxy-audit's verdicts cover.";

/** Other changes people meet on the same upgrades. Verdicts do not cover them, and the answers say so. */
export const UPGRADE_NOTE_ENTRIES: readonly Entry[] = [
  {
    id: "selinux-mount",
    question: "What does SELinuxMount change in 1.37?",
    askedAs: [
      "SELinuxMount",
      "selinux volumes 1.37",
      "seLinuxChangePolicy",
      "selinux relabel volume mount",
      "pods cannot share a volume after 1.37 selinux",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "On nodes with SELinux, 1.37 mounts volumes with the pod's label instead of relabelling every file, so pods with different labels can no longer share such a volume. " +
        "A pod keeps the old way with spec.securityContext.seLinuxChangePolicy: Recursive. " +
        `The selinux-warning-controller shows conflicts beforehand. ${OUTSIDE}`,
    }),
    facts: ["selinux-mount-1.37", "proxy-audit-scope"],
    related: ["static-pods", "git-repo", "scope"],
  },
  {
    id: "static-pods",
    question: "Are static pods that reference API objects refused in 1.37?",
    askedAs: [
      "static pods referencing secrets",
      "PreventStaticPodAPIReferences",
      "static pod configmap reference 1.37",
      "mirror pod serviceaccount refused",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Yes: static pods that name a Secret, ConfigMap or ServiceAccount are refused by default since 1.34, and 1.37 has removed the gate that let one opt out. " +
        "Look through the manifests on the nodes themselves; the API shows only mirror pods of those that already run. " +
        OUTSIDE,
    }),
    facts: ["static-pods-1.37", "proxy-audit-scope"],
    related: ["kubelet-flags", "scope"],
  },
  {
    id: "git-repo",
    question: "Are gitRepo volumes gone in 1.36?",
    askedAs: ["gitRepo volume", "gitRepo volumes removed", "GitRepoVolumeDriver", "git repo volume 1.36"],
    answer: () => ({
      certainty: "released",
      text:
        "In effect, yes: the driver has been off by default since 1.33, and in 1.36 it cannot be turned on again. " +
        "The API still accepts such a pod, which then does not start on a kubelet of 1.36 or newer. " +
        `Clone in an init container into an emptyDir instead. ${OUTSIDE}`,
    }),
    facts: ["git-repo-1.36", "proxy-audit-scope"],
    related: ["selinux-mount", "static-pods", "scope"],
  },
  {
    id: "kubelet-flags",
    question: "Which kubelet flags stop kubelet 1.37 from starting?",
    askedAs: [
      "deprecated kubelet flags 1.37",
      "kubelet unknown flag --containerd",
      "kubelet cadvisor flags removed",
      "--boot-id-file kubelet",
      "kubelet fails to start after upgrade to 1.37",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "The deprecated cAdvisor flags, such as --containerd and --boot-id-file: kubelet 1.37 does not start with them. " +
        "They hide in systemd drop-ins, KUBELET_EXTRA_ARGS, bootstrap arguments of node groups and launch templates. " +
        `Take them out before the upgrade. ${OUTSIDE}`,
    }),
    facts: ["kubelet-flags-1.37", "proxy-audit-scope"],
    related: ["static-pods", "cgroup-v1", "scope"],
  },
  {
    id: "ingress-nginx",
    question: "Is Ingress NGINX retired?",
    askedAs: [
      "ingress nginx retirement",
      "ingress-nginx end of life",
      "nginx ingress controller deprecated",
      "replace ingress nginx with gateway api",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Yes: maintenance of the community's ingress-nginx has ended, and its repository is read-only. " +
        "It is tied to no Kubernetes version and has nothing to do with kube-proxy's mode: installed controllers go on running, without security fixes. " +
        `Plan a move to Gateway API or to another controller. ${OUTSIDE}`,
    }),
    facts: ["ingress-nginx-retired", "proxy-audit-scope"],
    related: ["external-ips", "scope"],
  },
  {
    id: "endpoints-api",
    question: "Is the Endpoints API removed?",
    askedAs: ["endpoints deprecated", "v1 Endpoints is deprecated in v1.33+", "endpoints vs endpointslices"],
    answer: () => ({
      certainty: "released",
      text:
        "No: Endpoints are deprecated since 1.33, and no removal is planned. " +
        "kube-proxy reads EndpointSlices in every mode, so the change of mode does not depend on it. " +
        OUTSIDE,
    }),
    facts: ["endpoints-deprecated-1.33", "proxy-audit-scope"],
    related: ["external-ips", "scope"],
  },
];
