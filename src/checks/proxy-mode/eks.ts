import type { EksAddonSchema } from "#src/evidence/eks/evidence.ts";
import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import type { BlocksFrom, Finding } from "#src/model/finding.ts";
import { type NotSeen, type Observed, observedValue, type PartlySeen } from "#src/model/observed.ts";
import type { FactId } from "#src/timeline/facts.ts";
import { stageOf } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { missing, unknownFinding } from "../findings.ts";

/** AWS's release notes name this version; upstream contradicts it (fact eks-announcement). */
const ANNOUNCED = stageOf("eks-announcement").version;

export interface EksJudgement {
  /** Set where a published add-on build settles it earlier than upstream's plan. */
  blocksFrom?: BlocksFrom;
  /** What happens at that build, where it is not what upstream's plan says. */
  consequence?: string;
  /** What is said beside the finding about ipvs. */
  note: string;
  facts: readonly FactId[];
  /** Set where nothing settles it. */
  unknown?: Finding;
}

/**
 * EKS announces the end of ipvs with 1.36, KEP-5495 with 1.40. The configuration schema of the newest published
 * add-on build decides: a build that does not list ipvs ends it there (released), builds that list it leave
 * upstream's plan. A schema that was not read leaves both claims standing. A self-managed kube-proxy follows
 * upstream: the announcement is about the add-on.
 */
export function eksFinding(
  check: Pick<Check, "id" | "about">,
  input: CheckInput,
  upstream: BlocksFrom,
): EksJudgement {
  const { addon, addonSchemas } = input.evidence.eks;
  if (addon.seen === false && addon.why === "absent") {
    return {
      note:
        `kube-proxy is self-managed here (no EKS add-on), so upstream's plan applies; AWS's announcement that ipvs ` +
        `goes with ${ANNOUNCED} is about its own builds.`,
      facts: ["eks-announcement"],
    };
  }
  const schemas = schemasFromTheAnnouncement(addonSchemas);
  const without = schemas.find((schema) => !schema.modes?.includes("ipvs"));
  if (without && compareMinor(without.kubernetesVersion, upstream.version) < 0) {
    return {
      blocksFrom: { version: without.kubernetesVersion, component: "kube-proxy", certainty: "released" },
      consequence:
        `The EKS add-on refuses the update to kube-proxy ${without.kubernetesVersion} with this mode (InvalidParameterException), and the ` +
        "old kube-proxy stays.",
      note: `The configuration schema of its build ${without.addonVersion} does not list ipvs.`,
      facts: ["eks-addon-schema"],
    };
  }
  const newest = schemas.at(-1);
  if (newest && addonSchemas.seen === true) {
    return {
      note:
        `AWS's release notes announce the end for ${ANNOUNCED}, but the configuration schema of the add-on build ` +
        `${newest.addonVersion} still lists ipvs: upstream's plan applies.`,
      facts: ["eks-announcement", "eks-addon-schema"],
    };
  }
  const running = input.kubeProxyMinors.at(-1) ?? null;
  // A kube-proxy that runs ipvs at or past the announced version has shown that its build takes it.
  const from = running !== null && compareMinor(running, ANNOUNCED) >= 0 ? addMinor(running, 1) : ANNOUNCED;
  const note = `AWS's release notes announce the end for ${ANNOUNCED} (announced by the provider); KEP-5495 says ${upstream.version} (upstream plan).`;
  const facts: readonly FactId[] = ["eks-announcement"];
  if (compareMinor(from, upstream.version) >= 0) return { note, facts };
  return { note, facts, unknown: unreadSchema(check, input, from, upstream) };
}

/** Add-on builds of the announced version or newer whose schema names modes, oldest first. */
function schemasFromTheAnnouncement(read: Observed<EksAddonSchema[]>): EksAddonSchema[] {
  return (observedValue(read) ?? [])
    .filter((schema) => schema.modes !== null && compareMinor(schema.kubernetesVersion, ANNOUNCED) >= 0)
    .toSorted((a, b) => compareMinor(a.kubernetesVersion, b.kubernetesVersion));
}

function unreadSchema(
  check: Pick<Check, "id" | "about">,
  input: CheckInput,
  from: string,
  upstream: BlocksFrom,
): Finding {
  const { addonSchemas } = input.evidence.eks;
  const unread: NotSeen | PartlySeen<unknown> =
    addonSchemas.seen === true
      ? missing(`no schema of ${ANNOUNCED} or newer that lists modes was found`, addonSchemas.source)
      : addonSchemas;
  return unknownFinding(check, input, {
    title: `Whether EKS's kube-proxy ${from} still takes ipvs was not read`,
    detail:
      `${input.evidence.cluster.name}: AWS's release notes announce that ipvs goes with ${ANNOUNCED}; KEP-5495 says ${upstream.version}. ` +
      "The add-on's configuration schema settles it.",
    unread,
    fix:
      "Read the add-on's configuration schema, or scan with --aws. By hand: aws eks describe-addon-configuration --addon-name " +
      "kube-proxy --addon-version VERSION > schema.json (VERSION from: aws eks describe-addon-versions --addon-name " +
      `kube-proxy --kubernetes-version ${from}), and give schema.json beside the cluster with --manifests.`,
    blocksFrom: { version: from, component: "kube-proxy", certainty: "announced" },
    facts: ["eks-announcement", "eks-addon-schema"],
    what: `eks-schema/${from}`,
  });
}
