import { describe, expect, it } from "vitest";
import { hostFirewall } from "#src/checks/host-firewall/check.ts";
import { FIREWALL_HINTS } from "#src/checks/host-firewall/firewalls.ts";
import { judgeManifests } from "./judge-manifests.ts";
import { outcomesOf } from "./outcomes.ts";

const ID = "host-firewall";

describe("host-firewall", () => {
  it("says what to verify, with the firewall that the nodes' operating system brings", async () => {
    expect(await judgeManifests(hostFirewall, `${ID}/rhel-iptables`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "info",
        title:
          "Check the nodes' firewalls before moving to nftables: kube-proxy will not open NodePorts there",
        detail:
          "rhel-iptables: in iptables mode kube-proxy accepts packets to NodePorts ahead of a firewall on the node; in nftables mode it does not. A rule that drops them then wins. No API shows a host's firewall. The nodes' operating systems come with firewalld (2 nodes: RHEL, Rocky, Alma, Oracle, Fedora), on or off. 1 Service has a node port.",
        evidence: [
          {
            source: { kind: "manifest", ref: `${ID}/rhel-iptables/nodes.yaml: nodes`, at: "" },
            path: "Node worker-1 status.nodeInfo.osImage",
            excerpt: "Red Hat Enterprise Linux 9.4 (Plow)",
          },
          {
            source: { kind: "manifest", ref: `${ID}/rhel-iptables/services.yaml: services`, at: "" },
            path: "Service shop/cart spec.ports[].nodePort",
            excerpt: "30080",
          },
        ],
        fix: "On one node of each kind, look at the firewall (firewall-cmd --list-all), and let the NodePort range (30000-32767 unless the API server says otherwise) and forwarded packets to pods through. Then move one node and connect to a NodePort from outside.",
        subjects: ["shop/cart"],
        subjectCount: 1,
        facts: ["firewall-holes"],
        fingerprint: `${ID}/manifests:rhel-iptables/verify`,
      },
    ]);
  });

  it.each([
    ["bottlerocket", "No API shows a host's firewall. No Service has a node port today."],
    ["nothing-else-read", "No API shows a host's firewall. Which Services have node ports was not read."],
    [
      "ubuntu-ipvs",
      "The nodes' operating systems come with ufw (2 nodes: Ubuntu), on or off. 1 Service has a node port.",
    ],
  ])("%s: says only what was read", async (folder, ending) => {
    const [finding] = await judgeManifests(hostFirewall, `${ID}/${folder}`);
    expect(finding?.detail.endsWith(ending)).toBe(true);
  });

  it.each([
    ["ubuntu-ipvs", ["info migration verify"]],
    ["unset", ["info migration verify from 1.40"]],
    ["bottlerocket", ["info migration verify"]],
    ["nothing-else-read", ["info migration verify"]],
    ["nftables", ["pass migration nftables"]],
    ["replaced", ["pass migration replaced"]],
    ["mode-unknown", ["unknown migration mode-unknown"]],
  ])("%s: %s", async (folder, outcomes) => {
    expect(outcomesOf(await judgeManifests(hostFirewall, `${ID}/${folder}`))).toEqual(outcomes);
  });

  it.each([
    ["Red Hat Enterprise Linux 9.4 (Plow)", "firewalld"],
    ["Red Hat Enterprise Linux CoreOS 416.94.202409121747-0", undefined],
    ["Rocky Linux 9.5 (Blue Onyx)", "firewalld"],
    ["AlmaLinux 10.1 (Heliotrope Lion)", "firewalld"],
    ["Oracle Linux Server 8.10", "firewalld"],
    ["SUSE Linux Enterprise Server 15 SP5", "firewalld"],
    ["Ubuntu 22.04.5 LTS", "ufw"],
    ["Talos (v1.11.2)", "Talos' ingress firewall"],
    ["Amazon Linux 2023.9.20260914", undefined],
    ["Bottlerocket OS 1.57.0 (aws-k8s-1.36)", undefined],
  ])("%s brings %s", (osImage, firewall) => {
    expect(FIREWALL_HINTS.find((hint) => hint.osImage.test(osImage))?.firewall).toBe(firewall);
  });

  it("has no hint without a source and a date", () => {
    for (const { source, checkedAt } of FIREWALL_HINTS) {
      expect([source, checkedAt]).toEqual([
        expect.stringMatching(/^https:\/\//),
        expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      ]);
    }
  });
});
