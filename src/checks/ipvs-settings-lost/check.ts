import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import { observedValue } from "#src/model/observed.ts";
import type { Check } from "../check.ts";
import { finding, listed, missing, unknownFinding } from "../findings.ts";
import { chosenIpvsSettings } from "../ipvs-settings.ts";

/** ipvs settings that no other mode has: what each did, and what replaces it. */
export const ipvsSettingsLost: Check = {
  id: "ipvs-settings-lost",
  title: "ipvs settings without a successor",
  about: "migration",
  canBlock: null,
  evidence: ["the ipvs section or flags of kube-proxy"],
  permissions: ["list daemonsets", "get configmaps in kube-system", "get, list pods in kube-system"],
  judge(input) {
    const { dataPlane, evidence } = input;
    const onIpvs = dataPlane.running.filter((instance) => modeOfInstance(instance) === "ipvs");
    if (onIpvs.length === 0 && (dataPlane.mode === "unknown" || dataPlane.mode === "ipvs")) {
      return [
        unknownFinding(ipvsSettingsLost, input, {
          title: "Which ipvs settings are in use is unknown",
          detail: "",
          unread: missing(
            dataPlane.whyUnknown ?? "kube-proxy's configuration was not read",
            evidence.daemonSets.source,
          ),
          what: "unknown",
        }),
      ];
    }
    const chosen = onIpvs.flatMap((instance) => {
      const settings = observedValue(instance.settings);
      return settings ? chosenIpvsSettings(settings).map((setting) => ({ instance, setting })) : [];
    });
    if (chosen.length === 0) {
      return [
        finding(ipvsSettingsLost, input, {
          status: "pass",
          title:
            onIpvs.length === 0
              ? "ipvs is not used: no ipvs setting is lost"
              : "ipvs runs with its default settings",
          detail: `${evidence.cluster.name} loses no setting by leaving ipvs.`,
          evidence: dataPlane.running.slice(0, 5).map((instance) => instance.evidence),
          what: "none",
        }),
      ];
    }
    const settings = [
      ...new Map(chosen.map(({ setting }) => [`${setting.field}=${setting.value}`, setting])).values(),
    ];
    return [
      finding(ipvsSettingsLost, input, {
        status: "warning",
        title: `${listed(
          settings.map((setting) => `${setting.field}: ${setting.value}`),
          3,
        )} ${settings.length === 1 ? "has" : "have"} no equivalent outside ipvs`,
        detail: `${evidence.cluster.name}: ${settings.map((setting) => `${setting.field} ${setting.value}: ${setting.meaning}`).join(". ")}.`,
        evidence: chosen.slice(0, 10).map(({ instance, setting }) => ({
          ...instance.evidence,
          path: `${instance.ref} ${setting.field}`,
          excerpt: setting.value,
        })),
        fix: "Decide per setting: sessionAffinity for clients that must stay, internalTrafficPolicy: Local or trafficDistribution for nearness, conntrack timeouts for long-lived connections; test before the switch.",
        facts: ["ipvs-settings-have-no-successor"],
        what: settings
          .map((setting) => `${setting.field}=${setting.value}`)
          .toSorted()
          .join(";"),
      }),
    ];
  },
};
