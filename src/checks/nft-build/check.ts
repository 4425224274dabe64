import type { Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, unknownFinding } from "../findings.ts";
import { passByMode, type RunningModes, standingOf } from "../modes.ts";
import { withoutModes } from "../nftables-use.ts";
import { kernelsOf } from "../nodes.ts";
import { crashingBuild, hostNftTooNew, images, imagesText } from "./builds.ts";
import { kernelsWithoutFib } from "./kernels.ts";
import { masqueradeAll } from "./masquerade-all.ts";

/** kube-proxy builds, node images and settings that are known to fail with nftables, though kernel and mode fit. */
export const nftBuild: Check = {
  id: "nft-build",
  title: "builds and images that fail with nftables",
  about: "migration",
  canBlock: null,
  evidence: ["node images and kernels", "kube-proxy's image", "masqueradeAll in kube-proxy's configuration"],
  permissions: ["list nodes", "list daemonsets", "get configmaps in kube-system"],
  judge(input) {
    const standing = standingOf(input);
    if (standing.kind !== "running")
      return [withoutModes(nftBuild, input, standing, "whether builds and images fail with it", ["nft-fib"])];
    const findings = [
      ...crashingBuild(nftBuild, input, standing),
      ...hostNftTooNew(nftBuild, input, standing),
      ...kernelsWithoutFib(nftBuild, input, standing),
      ...masqueradeAll(nftBuild, input, standing),
    ];
    const { nodes } = input.evidence;
    if (nodes.seen !== true) {
      findings.push(
        unknownFinding(nftBuild, input, {
          title: "Whether the nodes' images go with nftables kube-proxy is unknown",
          detail: `${input.evidence.cluster.name}: the images decide whether the kernel has NFT_FIB and how new the host's nft is.`,
          unread: nodes,
          facts: ["nft-fib", "nft-host-too-new"],
          what: "nodes-unread",
        }),
      );
    }
    return findings.length > 0 ? findings : [pass(input, standing)];
  },
};

function pass(input: CheckInput, standing: RunningModes): Finding {
  const { enough, tooOld } = kernelsOf(input);
  const { name } = input.evidence.cluster;
  const old =
    tooOld.length === 0
      ? ""
      : ` Kernels below 5.13 (${counted(tooOld.length, "node")}) are the check node-kernel's.`;
  return passByMode(nftBuild, input, standing, {
    title: "No build or image here is known to fail with nftables",
    detail:
      enough.length === 0
        ? `${name}: no node's kernel is new enough for nftables mode.${old}`
        : `${name}: ${imagesText(enough)}: kernels known to have NFT_FIB, and no kube-proxy build here is known to crash on them.${old}`,
    evidence: images(input, enough),
    facts: ["nft-fib", "nft-host-too-new", "bottlerocket-1.36-crash"],
    what: "none",
  });
}
