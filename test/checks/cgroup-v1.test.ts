import { describe, expect, it } from "vitest";
import { cgroupV1 } from "#src/checks/cgroup-v1/check.ts";
import { CGROUP_V1_IMAGES } from "#src/checks/cgroup-v1/images.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { CgroupVersion } from "#src/evidence/prometheus/metrics.ts";
import { type Source, seen } from "#src/model/observed.ts";
import { judgeManifests } from "./judge-manifests.ts";
import { told } from "./told.ts";

const ID = "cgroup-v1";
const PROMETHEUS: Source = { kind: "prometheus", ref: "kubelet_cgroup_version", at: "" };

function reporting(...versions: CgroupVersion[]) {
  return {
    change: (evidence: Evidence): Evidence => ({ ...evidence, cgroupVersions: seen(versions, PROMETHEUS) }),
  };
}

describe("cgroup-v1", () => {
  it("takes an event for proof and says what kubelet 1.35 does", async () => {
    expect(await judgeManifests(cgroupV1, `${ID}/event`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "1 node on cgroup v1: kubelet 1.35 and newer does not start there by default",
        detail:
          "event: from 1.35 on the kubelet exits on cgroup v1 unless failCgroupV1 is false in its configuration. The events are from the last hour: there may be more such nodes.",
        evidence: [
          {
            source: { kind: "manifest", ref: `${ID}/event/events.yaml: events`, at: "" },
            path: "Event about Node node-a",
            excerpt: "CgroupV1",
          },
        ],
        fix: "Move 1 node to an image that boots with cgroup v2 before kubelet 1.35; failCgroupV1: false in the kubelet configuration puts it off.",
        subjects: ["node-a"],
        subjectCount: 1,
        facts: ["cgroup-v1-1.35", "cgroup-v1-signals"],
        fingerprint: `${ID}/manifests:event/cgroup-v1`,
      },
    ]);
  });

  it.each<[string, string]>([
    ["event-by-exception", "warning upgrade excepted"],
    ["other-events", "info upgrade not-visible"],
    ["old-image", "info upgrade likely"],
    ["unread", "unknown upgrade unread"],
  ])("of %s: %s", async (folder, expected) => {
    expect(told(await judgeManifests(cgroupV1, `${ID}/${folder}`))).toEqual([expected]);
  });

  it("never passes because no event was found", async () => {
    const [found] = await judgeManifests(cgroupV1, `${ID}/other-events`);
    expect(found?.detail).toContain("No CgroupV1 event was found, which proves nothing");
  });

  it("passes where every node's kubelet reports version 2", async () => {
    const both = reporting({ node: "node-a", version: 2 }, { node: "node-b", version: 2 });
    expect(told(await judgeManifests(cgroupV1, `${ID}/other-events`, both))).toEqual([
      "pass upgrade cgroup-v2",
    ]);
  });

  it.each([
    ["one kubelet of two reports", reporting({ node: "node-a", version: 2 }), "info upgrade not-visible"],
    [
      "one reports version 1",
      reporting({ node: "node-a", version: 2 }, { node: "node-b", version: 1 }),
      "warning upgrade excepted",
    ],
  ])("where %s: %s", async (_, options, expected) => {
    expect(told(await judgeManifests(cgroupV1, `${ID}/other-events`, options))).toEqual([expected]);
  });

  it.each([
    ["Ubuntu 20.04.6 LTS", true],
    ["Ubuntu 22.04.5 LTS", false],
    ["Amazon Linux 2", true],
    ["Amazon Linux 2023.9.20260914", false],
    ["Rocky Linux 8.10 (Green Obsidian)", true],
    ["Rocky Linux 9.7 (Blue Onyx)", false],
    ["Debian GNU/Linux 12 (bookworm)", false],
    ["CentOS Linux 7 (Core)", true],
  ])("takes %s for an image that defaults to cgroup v1: %s", (image, isV1) => {
    expect(CGROUP_V1_IMAGES.some(({ osImage }) => osImage.test(image))).toBe(isV1);
  });

  it.each(CGROUP_V1_IMAGES.map((row) => [row.family, row] as const))(
    "%s has a source and a date",
    (_, row) => {
      expect(row.source).toMatch(/^https:/);
      expect(row.checkedAt).toMatch(/^\d{4}-\d\d-\d\d$/);
    },
  );
});
