/** Images whose default is cgroup v1; a hint only, since each can be booted with the other. */
export interface CgroupV1Image {
  family: string;
  osImage: RegExp;
  source: string;
  checkedAt: string;
}

/** The documentation lists from which release on each distribution uses cgroup v2 by default; these came before. */
const DOCS = "https://kubernetes.io/docs/concepts/architecture/cgroups/#linux-distribution-cgroup-v2-support";

export const CGROUP_V1_IMAGES: readonly CgroupV1Image[] = [
  row("Ubuntu before 21.10", /^Ubuntu (?:1\d|20|21\.04)/, DOCS),
  row("Debian before 11", /^Debian GNU\/Linux (?:8|9|10)\b/, DOCS),
  row(
    "RHEL 7 and 8 and relatives",
    /^(?:Red Hat Enterprise Linux|CentOS|Rocky Linux|AlmaLinux|Oracle Linux)\D*[78]\b/,
    DOCS,
  ),
  row(
    "Amazon Linux 2",
    /^Amazon Linux 2$|^AL2_/,
    "https://docs.aws.amazon.com/linux/al2023/ug/cgroupv2.html",
  ),
];

function row(family: string, osImage: RegExp, source: string): CgroupV1Image {
  return { family, osImage, source, checkedAt: "2026-11-30" };
}
