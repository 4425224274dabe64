import { describe, expect, it } from "vitest";
import { nftBuild } from "#src/checks/nft-build/check.ts";
import { isOfRow } from "#src/checks/nft-build/images.ts";
import {
  CRASHING_BUILDS,
  NEW_NFT_FIXED_IN,
  NEW_NFT_IMAGES,
  NFT_FIB_IMAGES,
  NO_NFT_FIB_IMAGES,
} from "#src/checks/nft-build/tables.ts";
import { judgeManifests } from "./judge-manifests.ts";

const ID = "nft-build";

describe("nft-build", () => {
  it("warns about EKS's early 1.36 builds on Bottlerocket, by node", async () => {
    expect(await judgeManifests(nftBuild, `${ID}/bottlerocket-crash`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "This kube-proxy build crashes at every nftables sync on Bottlerocket (1 node)",
        detail:
          "bottlerocket-crash: DaemonSet kube-system/kube-proxy runs kube-proxy:v1.36.0-eksbuild.9. With Bottlerocket OS 1.57.0 (aws-k8s-1.36) on 1 node, its nft ends with a segmentation fault at every sync in nftables mode, so Services on the node are never set up. In its present mode it works.",
        evidence: [
          {
            source: {
              kind: "manifest",
              ref: `${ID}/bottlerocket-crash/kube-proxy.yaml: ConfigMap kube-system/kube-proxy-config`,
              at: "",
            },
            path: "DaemonSet kube-system/kube-proxy image",
            excerpt: "kube-proxy:v1.36.0-eksbuild.9",
          },
          {
            source: { kind: "manifest", ref: `${ID}/bottlerocket-crash/nodes.yaml: nodes`, at: "" },
            path: "Node ip-10-0-1-31.eu-west-1.compute.internal status.nodeInfo.osImage",
            excerpt: "Bottlerocket OS 1.57.0 (aws-k8s-1.36)",
          },
        ],
        fix: "Update kube-proxy to a build newer than eksbuild.9 first, and watch one node: aws eks update-addon --cluster-name bottlerocket-crash --addon-name kube-proxy --addon-version VERSION (VERSION from: aws eks describe-addon-versions --addon-name kube-proxy --kubernetes-version 1.36).",
        subjects: ["ip-10-0-1-31.eu-west-1.compute.internal"],
        subjectCount: 1,
        facts: ["bottlerocket-1.36-crash"],
        fingerprint: `${ID}/manifests:bottlerocket-crash/crashing-build/Bottlerocket`,
      },
    ]);
  });

  it.each<[string, string[]]>([
    ["bottlerocket-crash-running", ["warning hygiene crashing-build/Bottlerocket"]],
    ["bottlerocket-later-build", ["pass migration none"]],
    ["amazon-linux-same-build", ["pass migration none"]],
    ["host-nft-too-new", ["warning hygiene new-nft"]],
    ["host-nft-fixed-build", ["pass migration none"]],
    ["host-nft-version-unknown", ["unknown migration new-nft/version-unknown"]],
    ["talos-without-nft-fib", ["warning migration no-nft-fib"]],
    ["talos-with-nft-fib", ["pass migration none"]],
    ["custom-kernel", ["unknown migration nft-fib-unknown"]],
    ["custom-kernel-running", ["info hygiene nft-fib-unknown"]],
    ["nodes-unread", ["unknown migration nodes-unread"]],
    ["masquerade-all", ["warning migration masquerade-all"]],
    ["masquerade-all-lost", ["warning hygiene masquerade-all"]],
    ["masquerade-all-restated", ["pass migration none"]],
    ["masquerade-all-flag", ["pass migration none"]],
  ])("of %s: %s", async (folder, expected) => {
    const found = await judgeManifests(nftBuild, `${ID}/${folder}`);
    expect(
      found.map(({ status, about, fingerprint }) =>
        [status, about, fingerprint.split("/").slice(2).join("/")].join(" "),
      ),
    ).toEqual(expected);
  });

  it("never tells an EKS user to set masqueradeAll in the add-on's values, which do not have it", async () => {
    const [found] = await judgeManifests(nftBuild, `${ID}/masquerade-all`);
    expect(found?.fix).toBe(
      "Set nftables.masqueradeAll: true as well, in ConfigMap kube-system/kube-proxy-config, key config. The add-on's configuration values have no such field, and an add-on update with OVERWRITE takes it out again.",
    );
  });

  it.each([
    ["Talos (v1.7.4)", false],
    ["Talos (v1.8.0)", true],
    ["Talos (v1.11.5)", true],
    ["Ubuntu 22.04.5 LTS", true],
    ["Amazon Linux 2", false],
    ["Amazon Linux 2023.9.20260914", true],
    ["Red Hat Enterprise Linux 9.6 (Plow)", true],
    ["Red Hat Enterprise Linux 8.10 (Ootpa)", false],
    ["Oracle Linux Server 10.0", true],
    ["Poky (Yocto Project Reference Distro) 5.0.3 (scarthgap)", false],
    ["", false],
  ])("knows whether %s has NFT_FIB: %s", (image, known) => {
    expect(NFT_FIB_IMAGES.some((row) => isOfRow(image, row))).toBe(known);
  });

  it.each([
    ["AlmaLinux 10.1 (Heliotrope Lion)", true],
    ["Rocky Linux 9.10 (Blue Onyx)", false],
    ["Red Hat Enterprise Linux 10.0 (Coughlan)", true],
    ["Fedora Linux 43 (Server Edition)", true],
    ["Fedora CoreOS 42.20251012.3.0", false],
  ])("knows whether %s has an nft of 1.1.3 or newer: %s", (image, isNew) => {
    expect(NEW_NFT_IMAGES.some((row) => isOfRow(image, row))).toBe(isNew);
  });
});

describe("the tables of builds and images", () => {
  const rows = [
    ...NFT_FIB_IMAGES,
    ...NO_NFT_FIB_IMAGES,
    ...NEW_NFT_IMAGES,
    ...NEW_NFT_FIXED_IN,
    ...CRASHING_BUILDS,
  ];
  it.each(rows.map((row) => [JSON.stringify(row), row] as const))("%s has a source and a date", (_, row) => {
    expect(row.source).toMatch(/https:\/\//);
    expect(row.checkedAt).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(["high", "medium", "low"]).toContain(row.confidence);
  });
});
