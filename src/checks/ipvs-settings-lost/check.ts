import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import type { Finding } from "#src/model/finding.ts";
import { type NotSeen, observedValue, type PartlySeen } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { uncoveredKubeProxies, unreadModeOf } from "../coverage.ts";
import { finding, listed, unknownFinding } from "../findings.ts";
import { chosenIpvsSettings, type IpvsSetting } from "../ipvs-settings.ts";

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
    const { name } = evidence.cluster;
    const onIpvs = dataPlane.running.filter((instance) => modeOfInstance(instance) === "ipvs");
    if (onIpvs.length === 0 && (dataPlane.mode === "unknown" || dataPlane.mode === "ipvs"))
      return [unknownSettings(input, unreadModeOf(input))];
    const chosen = onIpvs.flatMap((instance) => {
      const settings = observedValue(instance.settings);
      return settings ? chosenIpvsSettings(settings).map((setting) => ({ instance, setting })) : [];
    });
    if (chosen.length === 0) {
      const uncovered = uncoveredKubeProxies(input);
      if (uncovered !== null) return [unknownSettings(input, uncovered)];
      return [
        finding(ipvsSettingsLost, input, {
          status: "pass",
          title:
            onIpvs.length === 0
              ? "ipvs is not used: no ipvs setting is lost"
              : "ipvs runs with its default settings",
          detail: `${name} loses no setting by leaving ipvs.`,
          evidence: [...dataPlane.running, ...dataPlane.replacements].slice(0, 5).map((one) => one.evidence),
          facts: ["ipvs-settings-have-no-successor"],
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
        detail: `${name}: ${meaningsText(settings)}.`,
        evidence: chosen.slice(0, 10).map(({ instance, setting }) => ({
          ...instance.evidence,
          path: `${instance.ref} ${setting.field}`,
          excerpt: setting.value,
        })),
        fix: "Decide what replaces each ipvs setting before leaving ipvs. sessionAffinity: ClientIP keeps clients on one backend, internalTrafficPolicy: Local or trafficDistribution keeps traffic near, conntrack timeouts keep long-lived connections.",
        facts: settings.some((setting) => setting.field === "ipvs.excludeCIDRs")
          ? ["ipvs-settings-have-no-successor", "ipvs-flush-all"]
          : ["ipvs-settings-have-no-successor"],
        what: settings
          .map((setting) => `${setting.field}=${setting.value}`)
          .toSorted()
          .join(";"),
      }),
    ];
  },
};

/** Settings of one meaning together: there are three timeouts. */
function meaningsText(settings: readonly IpvsSetting[]): string {
  const byMeaning = Map.groupBy(settings, ({ meaning }) => meaning);
  return [...byMeaning]
    .map(([meaning, alike]) => `${listed(alike.map(({ field, value }) => `${field} ${value}`))}: ${meaning}`)
    .join(". ");
}

function unknownSettings(input: CheckInput, unread: NotSeen | PartlySeen<unknown>): Finding {
  return unknownFinding(ipvsSettingsLost, input, {
    title: "Which ipvs settings are in use is unknown",
    detail: `${input.evidence.cluster.name}: what leaving ipvs costs hangs on the configuration of every kube-proxy.`,
    unread,
    fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
    what: "unknown",
  });
}
