import { describe, expect, it } from "vitest";
import { fleetLineOf } from "#src/knowledge/fleet-line.ts";
import { FLEET_QUESTIONS, type FleetNumbers, fleetNumbersOf } from "#src/knowledge/fleet-numbers.ts";
import { answerQuestion } from "#src/knowledge/search.ts";
import type { ClusterAudit, ProxyMode } from "#src/model/cluster-audit.ts";
import type { Finding, FindingStatus } from "#src/model/finding.ts";

const now = new Date("2026-11-30T12:00:00Z");

interface Audited {
  mode?: ProxyMode;
  nodes?: Partial<ClusterAudit["nodes"]>;
  findings?: Finding[];
  rest?: Partial<ClusterAudit>;
  dataPlane?: Partial<ClusterAudit["dataPlane"]>;
}

function audit(
  name: string,
  { mode = "iptables", nodes, findings = [], rest, dataPlane }: Audited = {},
): ClusterAudit {
  return {
    id: `demo:${name}`,
    name,
    provider: "kubeadm",
    account: null,
    region: null,
    team: null,
    environment: null,
    kubernetesVersion: "1.36",
    kubeProxyVersions: ["1.36"],
    auditedAt: "2026-11-29T08:00:00Z",
    reachable: true,
    dataPlane: {
      mode,
      effectiveMode: null,
      observedMode: null,
      replacedBy: null,
      managedBy: null,
      otherIpvsUsers: [],
      willStart: true,
      scheduler: null,
      strictARP: null,
      nodePortAddresses: null,
      featureGates: {},
      sources: [],
      ignored: [],
      ...dataPlane,
    },
    nodes: { count: 3, belowNftablesKernel: 0, unknownKernel: 0, containerd1: 0, pools: [], ...nodes },
    findings,
    verdicts: {},
    unread: [],
    ...rest,
  };
}

function found(check: string, status: FindingStatus): Finding {
  return {
    check,
    about: "migration",
    status,
    title: "t",
    detail: "d",
    evidence: [],
    fingerprint: `${check}/x`,
  };
}

const FLEET = [
  audit("payments-prod-eu", { mode: "ipvs", dataPlane: { scheduler: "lc" }, rest: { provider: "eks" } }),
  audit("payments-prod-us", { mode: "ipvs", nodes: { belowNftablesKernel: 2 } }),
  audit("legacy-onprem", {
    mode: "ipvs",
    nodes: { containerd1: 3 },
    findings: [found("strict-arp", "info")],
  }),
  audit("web", { mode: "nftables", findings: [found("strict-arp", "pass")] }),
  audit("edge", {
    mode: "unknown",
    nodes: { count: 0 },
    rest: { reachable: false, auditedAt: "2026-11-20T08:00:00Z" },
  }),
];

describe("fleetNumbersOf", () => {
  it("gathers clusters by what was seen, and what could not be told by question", () => {
    const { byMode, untold, ...numbers } = fleetNumbersOf(FLEET);
    expect(numbers).toMatchObject({
      total: 5,
      oldKernel: ["payments-prod-us"],
      containerd1: ["legacy-onprem"],
      eksIpvs: ["payments-prod-eu"],
      scheduler: ["payments-prod-eu"],
      ipvsGate: [],
      found: { "strict-arp": ["legacy-onprem"] },
      auditedAtOldest: "2026-11-20T08:00:00Z",
    });
    expect(byMode.ipvs).toEqual(["payments-prod-eu", "payments-prod-us", "legacy-onprem"]);
    expect(byMode.unset).toEqual([]);
    expect(untold).toMatchObject({ ipvs: ["edge"], "old-kernel": ["edge"] });
  });

  it.each([
    ["nodes of unknown kernel", { nodes: { unknownKernel: 1 } }],
    ["nodes that were not read", { rest: { unread: [{ what: "nodes", why: "forbidden", detail: "" }] } }],
    ["no nodes at all", { nodes: { count: 0 } }],
  ] satisfies [string, Audited][])("does not take %s for new kernels", (_what, audited) => {
    expect(fleetNumbersOf([audit("a", audited)])).toMatchObject({
      oldKernel: [],
      untold: { "old-kernel": ["a"] },
    });
  });

  it.each([
    ["is missing from an older audit", []],
    ["could not tell", [found("external-ips", "unknown")]],
  ])("does not take a check that %s for nothing found", (_what, findings) => {
    expect(fleetNumbersOf([audit("a", { findings })])).toMatchObject({
      found: { "external-ips": [] },
      untold: { "external-ips": ["a"] },
    });
  });

  it("counts a cluster in which only part could be told as found", () => {
    const findings = [found("external-ips", "warning"), found("external-ips", "unknown")];
    expect(fleetNumbersOf([audit("a", { findings })])).toMatchObject({
      found: { "external-ips": ["a"] },
      untold: { "external-ips": [] },
    });
  });
});

describe("fleetLineOf", () => {
  const fleet = fleetNumbersOf(FLEET);

  it.each([
    [
      "ipvs",
      "3 of your 5 clusters run ipvs: payments-prod-eu, payments-prod-us and legacy-onprem. 1 could not be told: edge.",
    ],
    [
      "scheduler",
      "1 of your 5 clusters has an ipvs scheduler other than rr: payments-prod-eu. 1 could not be told: edge.",
    ],
    ["unset", "None of your 5 clusters is known to have no mode set. 1 could not be told: edge."],
    ["ipvs-gate", "None of your 5 clusters is known to set KubeProxyIPVS. 1 could not be told: edge."],
    [
      "undecided",
      "1 of your 5 clusters has a mode that could not be told, or that differs between nodes: edge.",
    ],
  ] as const)("says of %s: %s", (question, line) => {
    expect(fleetLineOf(question, fleet)).toBe(`${line} The oldest audit is of 2026-11-20.`);
  });

  it("says none only where every cluster was told", () => {
    expect(fleetLineOf("ipvs", fleetNumbersOf([audit("a"), audit("b")]))).toBe(
      "None of your 2 clusters runs ipvs. The oldest audit is of 2026-11-29.",
    );
  });

  it("names five clusters and counts the rest", () => {
    const many = Array.from({ length: 8 }, (_, index) => audit(`c${index}`, { mode: "ipvs" }));
    expect(fleetLineOf("ipvs", fleetNumbersOf(many))).toBe(
      "8 of your 8 clusters run ipvs: c0, c1, c2, c3, c4 and 3 more. The oldest audit is of 2026-11-29.",
    );
  });

  it.each(FLEET_QUESTIONS)("never says none of %s over clusters that could not be read", (question) => {
    const unread: FleetNumbers = fleetNumbersOf([
      audit("dark", {
        mode: "unknown",
        nodes: { count: 0 },
        rest: { reachable: false, provider: "unknown" },
      }),
    ]);
    expect(fleetLineOf(question, unread)).toContain("dark");
  });

  it("says so where nothing was audited", () => {
    expect(fleetLineOf("ipvs", fleetNumbersOf([]))).toBe("No cluster of yours has been audited yet.");
  });
});

describe("answers about a fleet", () => {
  it("carry the fleet's line where the question is about a part of it", () => {
    expect(answerQuestion("is ipvs removed in 1.37?", { now, fleet: fleetNumbersOf(FLEET) })).toMatchObject({
      fleetLine: expect.stringMatching(/^3 of your 5 clusters run ipvs: payments-prod-eu, /),
    });
  });

  it("carry none where it is not, or where no fleet is known", () => {
    expect(answerQuestion("what is a waiver?", { now, fleet: fleetNumbersOf(FLEET) })).not.toHaveProperty(
      "fleetLine",
    );
    expect(answerQuestion("is ipvs removed in 1.37?", { now })).not.toHaveProperty("fleetLine");
  });
});
