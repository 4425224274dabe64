import { describe, expect, it } from "vitest";
import { nodePortLocalhost } from "#src/checks/nodeport-localhost/check.ts";
import { KNOWN_LOCALHOST_USERS } from "#src/checks/nodeport-localhost/known-users.ts";
import { judgeManifests } from "./judge-manifests.ts";
import { outcomesOf } from "./outcomes.ts";

const ID = "nodeport-localhost";

describe("nodeport-localhost", () => {
  it("names the workload whose image comes from a Service's NodePort on localhost", async () => {
    expect(await judgeManifests(nodePortLocalhost, `${ID}/image-from-localhost`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "NodePorts on localhost are used, and nftables mode does not serve them unless it is told to",
        detail:
          "image-from-localhost: 1 user is seen in workloads and Services. iptables mode serves NodePorts on 127.0.0.1 by default. Under nftables whoever connects there gets no answer, and images from there cannot be pulled any more.",
        evidence: [
          {
            source: { kind: "manifest", ref: `${ID}/image-from-localhost/web.yaml: deployments`, at: "" },
            path: "Deployment default/web container web image",
            excerpt: "127.0.0.1:31999/",
          },
        ],
        fix: "Give what uses NodePorts on localhost another address (the Service's name, the node's own address, or a pod with a hostPort), or move to nftables with kube-proxy 1.37 or newer and set nodePortAddresses: [primary, localhost] and featureGates: {KubeProxyNFTablesLocalhostNodePorts: true} (alpha in 1.37, on by default from 1.38, TCP only; the word all is not enough, and kube-proxy 1.36 refuses the word localhost on a roll-back). Where: beside the mode, in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode).",
        subjects: ["Deployment default/web pulls from 127.0.0.1:31999 (Service registry/registry)"],
        subjectCount: 1,
        facts: ["nodeport-localhost-gate", "nodeport-localhost-ipvs", "nodeport-keywords"],
        fingerprint: `${ID}/manifests:image-from-localhost/used`,
      },
    ]);
  });

  it("says that an absent counter was not measured, never that it is zero", async () => {
    const [finding] = await judgeManifests(nodePortLocalhost, `${ID}/old-without-counter`);
    expect(finding).toMatchObject({
      status: "unknown",
      detail:
        "old-without-counter: kube-proxy serves NodePorts on 127.0.0.1 in iptables mode, nftables mode does not by default. No image and no known Service shows a user; only kube-proxy's counter can tell. Not read: absent: kubeproxy_iptables_localhost_nodeports_accepted_packets_total was read from 0 of 1 node (only iptables mode keeps it).",
    });
  });

  it("never advises the EKS add-on to set what its schema does not have", async () => {
    const [finding] = await judgeManifests(nodePortLocalhost, `${ID}/eks`);
    expect(finding?.fix).toBe(
      "Give what uses NodePorts on localhost another address (the Service's name, the node's own address, or a pod with a hostPort): the EKS add-on has no setting for NodePorts on localhost, a self-managed kube-proxy has.",
    );
  });

  it.each([
    ["unset", ["warning migration used from 1.40"]],
    ["zarf", ["warning migration used"]],
    ["loopback-listed", ["warning migration used"]],
    ["counter-used", ["warning migration used"]],
    ["counter-zero", ["pass migration measured-zero"]],
    ["one-node-measured", ["unknown migration not-measured"]],
    ["not-measured", ["unknown migration not-measured"]],
    ["services-unread", ["unknown migration not-measured"]],
    ["other-port", ["unknown migration not-measured"]],
    ["no-node-ports", ["pass migration no-nodeports"]],
    ["switched-off", ["pass migration not-served"]],
    ["addresses-without-loopback", ["pass migration not-served"]],
    ["ipvs", ["pass migration ipvs"]],
    ["nftables-image", ["warning hygiene not-served-by-nftables"]],
    ["nftables-all-is-not-enough", ["warning hygiene not-served-by-nftables"]],
    ["nftables-rejected", ["warning hygiene not-served-by-nftables"]],
    ["nftables-served", ["pass migration nftables"]],
    ["nftables-quiet", ["pass migration nftables"]],
    ["replaced", ["pass migration replaced"]],
    ["replaced-workloads-unread", ["unknown migration mode-unknown"]],
    ["nothing-read", ["unknown migration mode-unknown"]],
  ])("%s: %s", async (folder, outcomes) => {
    expect(outcomesOf(await judgeManifests(nodePortLocalhost, `${ID}/${folder}`))).toEqual(outcomes);
  });

  it("knows of localhost users only with a source and a date", () => {
    for (const { source, checkedAt } of KNOWN_LOCALHOST_USERS) {
      expect([source, checkedAt]).toEqual([
        expect.stringMatching(/^https:\/\//),
        expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      ]);
    }
  });
});
