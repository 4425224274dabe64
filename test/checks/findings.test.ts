import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkInputOf } from "#src/audit/audit-cluster.ts";
import { CHECKS } from "#src/checks/index.ts";
import { readDataPlane } from "#src/evidence/data-plane/reading.ts";
import { type Finding, findingSchema } from "#src/model/finding.ts";
import { factById } from "#src/timeline/facts.ts";
import { evidenceIn, NOW } from "./judge-manifests.ts";

const ROOT = "test/fixtures/cases/checks";
const folders = readdirSync(ROOT).flatMap((id) =>
  readdirSync(`${ROOT}/${id}`).map((name) => `${id}/${name}`),
);

/** What is wrong with a finding for those who read it, or for the verdicts; empty where nothing is. */
function faultsOf(finding: Finding, cluster: string): string[] {
  const canBlock = CHECKS.find(({ id }) => id === finding.check)?.canBlock ?? null;
  const faults: [boolean, string][] = [
    [!findingSchema.safeParse(finding).success, "does not fit the schema"],
    [finding.title.endsWith("…") || finding.detail.endsWith("…"), "was cut"],
    [
      /[.:]$/.test(finding.title) || /undefined|NaN|\[object/.test(finding.title + finding.detail),
      "reads badly",
    ],
    [
      / {2}|\.\.|: ?\.| ,/.test(`${finding.title} ${finding.detail} ${finding.fix ?? ""}`),
      "is badly put together",
    ],
    [!`${finding.title} ${finding.detail}`.includes(cluster), "does not name the cluster"],
    [finding.status === "blocker" && finding.blocksFrom === undefined, "blocks from no version"],
    [finding.blocksFrom !== undefined && canBlock === null, "blocks, though its check cannot"],
    [finding.status === "unknown" && finding.evidence.length === 0, "does not say what was unread"],
    [["blocker", "warning"].includes(finding.status) && finding.fix === undefined, "says no next action"],
    [
      /^[^.:]*\b(these|those|them)\b/i.test(finding.fix ?? ""),
      "has a next action that means nothing by itself",
    ],
    [(finding.facts ?? []).some((id) => factById(id) === undefined), "rests on a fact there is not"],
  ];
  return faults.filter(([wrong]) => wrong).map(([, fault]) => `${finding.fingerprint} ${fault}`);
}

describe("every check's findings about every manifest set", () => {
  it.each(folders)("%s", async (folder) => {
    const evidence = await evidenceIn(folder);
    const input = checkInputOf(evidence, readDataPlane(evidence), NOW);
    const findings = CHECKS.flatMap((check) => check.judge(input));
    expect(findings.flatMap((finding) => faultsOf(finding, evidence.cluster.name))).toEqual([]);
    const fingerprints = findings.map(({ fingerprint }) => fingerprint);
    expect(fingerprints.filter((one, at) => fingerprints.indexOf(one) !== at)).toEqual([]);
    expect(CHECKS.filter(({ id }) => !findings.some(({ check }) => check === id))).toEqual([]);
  });
});
