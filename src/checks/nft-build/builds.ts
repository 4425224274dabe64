import type { ProxyInstance } from "#src/evidence/data-plane/instance.ts";
import { kubeProxyNodesOf } from "#src/evidence/data-plane/start.ts";
import type { NodeFacts } from "#src/evidence/kubernetes/nodes.ts";
import { minorOf } from "#src/kubernetes/version.ts";
import type { EvidenceItem, Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, listed, missing, unknownFinding } from "../findings.ts";
import type { RunningModes } from "../modes.ts";
import { nftablesUseOf, upgradeFromDefault } from "../nftables-use.ts";
import { nodeEvidence } from "../nodes.ts";
import { copesWithNewNft, crashingBuildOf, isOfRow } from "./images.ts";
import { NEW_NFT_FIXED_IN, NEW_NFT_IMAGES } from "./tables.ts";

type CheckName = Pick<Check, "id" | "about">;

/** EKS's early builds of 1.36 on Bottlerocket (kubernetes#140898). */
export function crashingBuild(check: CheckName, input: CheckInput, standing: RunningModes): Finding[] {
  return input.dataPlane.running.flatMap((instance) => {
    const row = crashingBuildOf(instance);
    const nodes = row ? nodesOf(instance, input).filter((node) => isOfRow(node.osImage, row.image)) : [];
    if (!row || nodes.length === 0) return [];
    const { running, about, upgradeFrom } = whenOf(standing);
    const { name } = input.evidence.cluster;
    return [
      finding(check, input, {
        status: "warning",
        about,
        title: `This kube-proxy build crashes at every nftables sync on ${row.image.family} (${counted(nodes.length, "node")})`,
        detail:
          `${name}: ${instance.ref} runs ${tagOf(instance)}. With ${imagesText(nodes)}, its nft ends with a segmentation fault ` +
          `at every sync in nftables mode, so Services on the node are never set up. ${running ? "It runs nftables mode now." : "In its present mode it works."}`,
        evidence: [imageOf(instance), ...images(input, nodes)],
        fix: `Update kube-proxy to a build newer than eksbuild.${row.upToBuild} first, and watch one node: aws eks update-addon --cluster-name ${name} --addon-name kube-proxy --addon-version VERSION (VERSION from: aws eks describe-addon-versions --addon-name kube-proxy --kubernetes-version ${row.minor}).`,
        ...upgradeFrom,
        subjects: nodes.map((node) => node.name),
        facts: ["bottlerocket-1.36-crash"],
        what: `crashing-build/${row.image.family}`,
      }),
    ];
  });
}

/** Hosts whose nft is newer than kube-proxy's can read (kubernetes#136786). */
export function hostNftTooNew(check: CheckName, input: CheckInput, standing: RunningModes): Finding[] {
  const { running, about, upgradeFrom } = whenOf(standing);
  const { name } = input.evidence.cluster;
  return input.dataPlane.running.flatMap((instance) => {
    const copes = copesWithNewNft(instance);
    const nodes = nodesOf(instance, input).filter((node) =>
      NEW_NFT_IMAGES.some((row) => isOfRow(node.osImage, row)),
    );
    if (copes === true || nodes.length === 0) return [];
    const subjects = nodes.map((node) => node.name);
    const fixedIn = NEW_NFT_FIXED_IN.map((row) => `${row.minor}.${row.patch}`).join(", ");
    if (copes === null) {
      const unread = missing(`the version of ${instance.ref} is not known`, instance.evidence.source);
      return [
        unknownFinding(check, input, {
          about,
          title: `Whether kube-proxy copes with the new nft of ${counted(nodes.length, "node")} is unknown`,
          detail: `${name}: builds from ${fixedIn} on do.`,
          unread,
          subjects,
          facts: ["nft-host-too-new"],
          what: "new-nft/version-unknown",
        }),
      ];
    }
    return [
      finding(check, input, {
        status: "warning",
        about,
        title: `The nft of ${counted(nodes.length, "node")} is too new for this kube-proxy build`,
        detail:
          `${name}: ${instance.ref} runs ${tagOf(instance)}. ${imagesText(nodes)}: this image's nft is 1.1.3 or newer, and ` +
          `sets that it makes on the host (by firewalld, for one) crash the nft in older kube-proxy images. Fixed in ${fixedIn} and all later ones. ` +
          (running ? "kube-proxy runs nftables mode now." : "In its present mode kube-proxy is not touched."),
        evidence: [imageOf(instance), ...images(input, nodes)],
        fix: `Update kube-proxy to ${fixedInFor(instance)} or newer${running ? "" : ` before it runs nftables on ${counted(nodes.length, "node")}`}.`,
        ...upgradeFrom,
        subjects,
        facts: ["nft-host-too-new", "nft-host-el10"],
        what: "new-nft",
      }),
    ];
  });
}

/** How a conflict with nftables is told: as something that is there, or that a migration brings. */
export function whenOf(standing: RunningModes) {
  const running = nftablesUseOf(standing) === "running";
  return {
    running,
    about: running ? ("hygiene" as const) : ("migration" as const),
    upgradeFrom: running ? {} : upgradeFromDefault(standing),
  };
}

/** `AlmaLinux 10.1 (Heliotrope Lion) on 3 nodes` for each image. */
export function imagesText(nodes: readonly NodeFacts[]): string {
  const byImage = Map.groupBy(nodes, (node) => node.osImage || "no image name");
  return listed([...byImage].map(([image, members]) => `${image} on ${counted(members.length, "node")}`));
}

export function images(input: CheckInput, nodes: readonly NodeFacts[]): EvidenceItem[] {
  return nodeEvidence(input, nodes, "status.nodeInfo.osImage", (node) => node.osImage);
}

function nodesOf(instance: ProxyInstance, { evidence }: CheckInput): NodeFacts[] {
  return kubeProxyNodesOf(evidence).filter(
    (node) => instance.nodes.length === 0 || instance.nodes.includes(node.name),
  );
}

function imageOf(instance: ProxyInstance): EvidenceItem {
  return { ...instance.evidence, path: `${instance.ref} image`, excerpt: tagOf(instance) };
}

function tagOf({ image, version }: ProxyInstance): string {
  return image?.split("/").at(-1) ?? `kube-proxy ${version?.raw ?? "of an unknown version"}`;
}

function fixedInFor({ version }: ProxyInstance): string {
  const own = version === null ? null : minorOf(version);
  const row = NEW_NFT_FIXED_IN.find(({ minor }) => minor === own) ?? NEW_NFT_FIXED_IN[0];
  return row ? `${row.minor}.${row.patch}` : "";
}
