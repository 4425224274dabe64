import type { Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, missing, unknownFinding } from "../findings.ts";
import type { RunningModes } from "../modes.ts";
import { kernelsOf } from "../nodes.ts";
import { images, imagesText, whenOf } from "./builds.ts";
import { isOfRow } from "./images.ts";
import { NFT_FIB_IMAGES, NO_NFT_FIB_IMAGES } from "./tables.ts";

const VERIFY =
  "Look on one node of each: grep NFT_FIB_IPV /boot/config-$(uname -r) || zgrep NFT_FIB_IPV /proc/config.gz; both CONFIG_NFT_FIB_IPV4 and CONFIG_NFT_FIB_IPV6 must be y or m.";

/**
 * Kernels that are new enough and still cannot run nftables kube-proxy, because they are built without NFT_FIB.
 * The API shows an image's name only: a family that is not known to be good is unknown. Kernels below 5.13 are the
 * check node-kernel's.
 */
export function kernelsWithoutFib(
  check: Pick<Check, "id" | "about">,
  input: CheckInput,
  standing: RunningModes,
): Finding[] {
  const kernels = kernelsOf(input);
  // A node that does not report its kernel is judged by its image alone.
  const enough = [...kernels.enough, ...kernels.unknown];
  const { running, about, upgradeFrom } = whenOf(standing);
  const { name } = input.evidence.cluster;
  const lacking = enough.filter((node) => NO_NFT_FIB_IMAGES.some((row) => isOfRow(node.osImage, row)));
  const unknown = enough.filter(
    (node) => !lacking.includes(node) && !NFT_FIB_IMAGES.some((row) => isOfRow(node.osImage, row)),
  );
  const findings: Finding[] = [];
  if (lacking.length > 0) {
    findings.push(
      finding(check, input, {
        status: "warning",
        about,
        title: `The kernel of ${counted(lacking.length, "node")} is built without NFT_FIB, which nftables kube-proxy needs`,
        detail: `${name}: ${imagesText(lacking)}. The kernel's version is new enough, but every rule fails with "No such file or directory" and Services on the node are never set up.`,
        evidence: images(input, lacking),
        fix: "Update Talos to 1.8 or newer before kube-proxy runs nftables.",
        ...upgradeFrom,
        subjects: lacking.map((node) => node.name),
        facts: ["nft-fib"],
        what: "no-nft-fib",
      }),
    );
  }
  if (unknown.length === 0) return findings;
  const good = NFT_FIB_IMAGES.map((row) => row.family).join(", ");
  const where = imagesText(unknown);
  const common = {
    about,
    fix: VERIFY,
    subjects: unknown.map((node) => node.name),
    facts: ["nft-fib"] as const,
    what: "nft-fib-unknown",
  };
  if (running) {
    findings.push(
      finding(check, input, {
        ...common,
        status: "info",
        title: `nftables mode runs on ${counted(unknown.length, "node")} whose image is not known to have NFT_FIB`,
        detail: `${name}: ${where}. kube-proxy runs nftables mode there: where Services work, the kernel has it. Watch kubeproxy_sync_proxy_rules_nftables_sync_failures_total.`,
        evidence: images(input, unknown),
      }),
    );
  } else {
    findings.push(
      unknownFinding(check, input, {
        ...common,
        ...upgradeFrom,
        title: `Whether the kernel of ${counted(unknown.length, "node")} has NFT_FIB, which nftables kube-proxy needs, is unknown`,
        detail: `${name}: ${where}. A kernel of 5.13 or newer can still be built without it. Known to have it: ${good}.`,
        unread: missing("the API shows no kernel options", input.evidence.nodes.source),
      }),
    );
  }
  return findings;
}
