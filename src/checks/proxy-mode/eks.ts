import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import type { BlocksFrom, Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { unknownFinding } from "../findings.ts";

/** AWS's release notes name this version; upstream contradicts it (providers: EKS, standard support versions). */
const ANNOUNCED = "1.36";

export interface EksJudgement {
  /** Set where a published add-on build settles it earlier than upstream's plan. */
  blocksFrom?: BlocksFrom;
  /** What is said beside the finding about ipvs. */
  note: string;
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
  const { eks } = input.evidence;
  const name = input.evidence.cluster.name;
  if (eks.addon.seen === false && eks.addon.why === "absent") {
    return {
      note:
        `kube-proxy is self-managed here (no EKS add-on), so upstream's plan applies; AWS's announcement that ipvs ` +
        `goes with ${ANNOUNCED} is about its own builds.`,
    };
  }
  const running = input.kubeProxyMinors.at(-1) ?? null;
  // A kube-proxy that runs ipvs at or past the announced version has shown that its build takes it.
  const from = running !== null && compareMinor(running, ANNOUNCED) >= 0 ? addMinor(running, 1) : ANNOUNCED;
  if (eks.addonSchemas.seen === true) {
    const schemas = eks.addonSchemas.value
      .filter((schema) => schema.modes !== null && compareMinor(schema.kubernetesVersion, ANNOUNCED) >= 0)
      .toSorted((a, b) => compareMinor(a.kubernetesVersion, b.kubernetesVersion));
    const without = schemas.find((schema) => !schema.modes?.includes("ipvs"));
    if (without && compareMinor(without.kubernetesVersion, upstream.version) < 0) {
      return {
        blocksFrom: { version: without.kubernetesVersion, component: "kube-proxy", certainty: "released" },
        note: `The EKS add-on build ${without.addonVersion} does not accept ipvs (its configuration schema was read).`,
      };
    }
    const newest = schemas.at(-1);
    if (newest) {
      return {
        note:
          `AWS's release notes announce the end for ${ANNOUNCED}, but the configuration schema of the add-on build ` +
          `${newest.addonVersion} still lists ipvs: upstream's plan applies.`,
      };
    }
  }
  const unread = eks.addonSchemas.seen === true ? { ...eks.addon, why: "absent" as const } : eks.addonSchemas;
  return {
    note: `AWS's release notes announce the end for ${ANNOUNCED} (announced by the provider); KEP-5495 says ${upstream.version} (upstream plan).`,
    unknown: unknownFinding(check, input, {
      title: `Whether EKS's kube-proxy ${from} still takes ipvs was not read`,
      detail:
        `${name}: AWS's release notes announce that ipvs goes with ${ANNOUNCED}; KEP-5495 says ${upstream.version}. ` +
        "The add-on's configuration schema settles it.",
      unread: {
        seen: false,
        why: unread.seen === true ? "absent" : unread.why,
        detail: "detail" in unread ? unread.detail : "no schema of 1.36 or newer was given",
        source: eks.addonSchemas.source,
      },
      fix:
        "Read the schema: aws eks describe-addon-configuration --addon-name kube-proxy --addon-version VERSION > schema.json " +
        "(VERSION from: aws eks describe-addon-versions --addon-name kube-proxy), and give it beside the cluster with " +
        "--manifests, or scan with --aws.",
      blocksFrom: { version: from, component: "kube-proxy", certainty: "announced" },
      facts: ["eks-announcement", "eks-addon-schema"],
      what: `eks-schema/${from}`,
    }),
  };
}
