import { cloudInstances } from "#src/evidence/data-plane/cloud-instances.ts";
import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import { minorOfInstance } from "#src/evidence/data-plane/start.ts";
import type { Finding } from "#src/model/finding.ts";
import { defaultModeAt } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { finding } from "../findings.ts";
import { modesText, type RunningModes } from "../modes.ts";

/**
 * What the provider was asked for (EKS add-on configuration values, AKS networkProfile) against the objects in the
 * cluster. The provider writes its own version again at the next update.
 */
export function intentDiffers(
  check: Pick<Check, "id" | "about">,
  input: CheckInput,
  { inUse }: RunningModes,
): Finding[] {
  const { evidence, dataPlane } = input;
  // Where no object shows kube-proxy, the provider's word is all there is: nothing to compare.
  if (dataPlane.running.some(({ kind }) => kind === "CloudApi")) return [];
  return cloudInstances(evidence).flatMap((intent) => {
    if (intent.origin !== "cloud-api") return [];
    const asked = modeOfInstance(intent);
    const minor = minorOfInstance(intent, evidence);
    const mode = asked === "unset" ? (minor === null ? "iptables" : defaultModeAt(minor).mode) : asked;
    if (mode === "unknown" || inUse.some((one) => one.mode === mode)) return [];
    const eks = intent.evidence.path?.startsWith("EKS") === true;
    const wanted = asked === "unset" ? `no mode, which means ${mode}` : mode;
    return [
      finding(check, input, {
        status: "warning",
        title: `${eks ? "The EKS add-on" : "AKS"} is set to ${wanted}, the cluster's kube-proxy to ${modesText(inUse)}: an update will switch the mode`,
        detail:
          `${evidence.cluster.name}: ${intent.says.ref} says ${wanted}; ${inUse[0]?.ref} says ${modesText(inUse)}. ` +
          (eks
            ? "Somebody changed the ConfigMap by hand, or the add-on's change was not taken over. An add-on update with OVERWRITE writes the add-on's mode; with PRESERVE it keeps the ConfigMap's."
            : "AKS may not have rolled the setting out, or refused it on this version. Its next update writes kube-proxy again."),
        evidence: [intent.evidence, ...inUse.slice(0, 3).map((one) => one.evidence)],
        fix: eks
          ? `Make both say what is meant before the next update: aws eks update-addon --cluster-name ${evidence.cluster.name} --addon-name kube-proxy --configuration-values '{"mode":"${modesText(inUse)}"}' --resolve-conflicts PRESERVE (or another mode, with OVERWRITE).`
          : "Compare az aks show --query networkProfile.kubeProxyConfig with kubectl -n kube-system get daemonset kube-proxy -o yaml, and set the mode that is meant.",
        facts: ["config-read-at-start"],
        what: `intent-${mode}/object-${modesText(inUse)}`,
      }),
    ];
  });
}
