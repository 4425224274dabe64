/** The firewall front end that an operating system brings along, by `osImage`. A hint: it can be off, or replaced. */
export interface FirewallHint {
  osImage: RegExp;
  family: string;
  firewall: string;
  /** Lists what it lets through, on a node. */
  look: string;
  source: string;
  checkedAt: string;
}

export const FIREWALL_HINTS: readonly FirewallHint[] = [
  {
    osImage:
      /^Red Hat Enterprise Linux(?! CoreOS)|^CentOS|^Rocky Linux|^AlmaLinux|^Oracle Linux|^Fedora Linux/,
    family: "RHEL, Rocky, Alma, Oracle, Fedora",
    firewall: "firewalld",
    look: "firewall-cmd --list-all",
    source: "https://github.com/rocky-linux/documentation/pull/744",
    checkedAt: "2026-11-30",
  },
  {
    osImage: /^SUSE Linux|^SLES|^openSUSE/,
    family: "SUSE",
    firewall: "firewalld",
    look: "firewall-cmd --list-all",
    source: "https://github.com/yast/yast-yast2/commit/4e4ae713ab36ef7c164f75077c04f650a4c0a8ff",
    checkedAt: "2026-11-30",
  },
  {
    osImage: /^Ubuntu/,
    family: "Ubuntu",
    firewall: "ufw",
    look: "ufw status verbose",
    source: "https://help.ubuntu.com/community/UFW",
    checkedAt: "2026-11-30",
  },
  {
    osImage: /^Talos/,
    family: "Talos",
    firewall: "Talos' ingress firewall",
    look: "NetworkRuleConfig in Talos' machine configuration",
    source: "https://www.talos.dev/v1.11/reference/configuration/network/networkdefaultactionconfig/",
    checkedAt: "2026-11-30",
  },
];
