import { describe, expect, it } from "vitest";
import { FEATURE_GATES } from "#src/kubernetes/feature-gates.ts";
import { judgeStart, refusalsOf, type StartConfiguration } from "#src/kubernetes/validation.ts";

function configuration(changes: Partial<StartConfiguration>): StartConfiguration {
  return { mode: "", featureGates: {}, nodePortAddresses: null, ipvs: { scheduler: null }, ...changes };
}

const gate = (on: boolean) => ({ KubeProxyIPVS: on });

describe("refusalsOf judges the mode by version", () => {
  it.each<[string, Record<string, boolean>, string, string[]]>([
    ["", {}, "1.40", []],
    ["iptables", {}, "1.46", []],
    ["ipvs", {}, "1.36", []],
    ["ipvs", {}, "1.39", []],
    ["ipvs", {}, "1.40", ["1.40 planned"]],
    ["ipvs", {}, "1.43", ["1.40 planned"]],
    ["IPVS", {}, "1.36", ["null released"]],
    ["ipvs ", {}, "1.28", ["null released"]],
    ["Nftables", {}, "1.25", ["null released"]],
    ["IPVS", {}, "1.9", []],
    ["userspace", {}, "1.25", []],
    ["userspace", {}, "1.26", ["1.26 released"]],
    ["nftables", {}, "1.28", ["null released"]],
    ["nftables", {}, "1.29", ["null released"]],
    ["nftables", { NFTablesProxyMode: true }, "1.29", []],
    ["nftables", { AllAlpha: true }, "1.30", []],
    ["nftables", {}, "1.31", []],
    ["nftables", { NFTablesProxyMode: false }, "1.32", ["null released"]],
    ["nftables", {}, "1.36", []],
    ["kernelspace", {}, "1.30", ["null released"]],
    ["ipvs", gate(false), "1.37", ["1.37 released"]],
    ["ipvs", gate(true), "1.40", []],
    ["ipvs", gate(true), "1.42", []],
    ["ipvs", gate(true), "1.43", ["1.43 planned", "1.43 planned"]],
  ])("%j with %j on %s", (mode, featureGates, minor, expected) => {
    const refusals = refusalsOf(configuration({ mode, featureGates }), minor);
    expect(refusals.map(({ from, certainty }) => `${from} ${certainty}`)).toEqual(expected);
  });

  it("says until when nftables is refused", () => {
    expect(refusalsOf(configuration({ mode: "nftables" }), "1.28")).toEqual([
      {
        field: "mode",
        value: "nftables",
        message: "must be iptables, ipvs or blank",
        from: null,
        until: "1.31",
        certainty: "released",
        source: "pkg/proxy/apis/config/validation/validation.go",
      },
    ]);
  });

  it.each([
    ["kernelspace", 0],
    ["", 0],
    ["ipvs", 1],
    ["nftables", 1],
  ])("on Windows, %j: %i refusals", (mode, count) => {
    expect(refusalsOf(configuration({ mode }), "1.36", "windows")).toHaveLength(count);
  });
});

describe("refusalsOf judges feature gates in every mode", () => {
  it.each<[Record<string, boolean>, string, string | null]>([
    [gate(true), "1.36", "unrecognized feature gate: KubeProxyIPVS"],
    [gate(false), "1.36", "unrecognized feature gate: KubeProxyIPVS"],
    [gate(true), "1.37", null],
    [gate(false), "1.40", null],
    [gate(true), "1.42", null],
    [gate(true), "1.43", "cannot set feature gate KubeProxyIPVS to true, feature is locked to false"],
    [gate(false), "1.45", null],
    [gate(false), "1.46", "unrecognized feature gate: KubeProxyIPVS"],
    [{ NFTablesProxyMode: false }, "1.32", null],
    [
      { NFTablesProxyMode: false },
      "1.33",
      "cannot set feature gate NFTablesProxyMode to false, feature is locked to true",
    ],
    [{ NFTablesProxyMode: true }, "1.36", null],
    [{ NFTablesProxyMode: true }, "1.28", "unrecognized feature gate: NFTablesProxyMode"],
    [{ SupportIPVSProxyMode: true }, "1.19", null],
    [{ SupportIPVSProxyMode: true }, "1.20", "unrecognized feature gate: SupportIPVSProxyMode"],
    [{ IPv6DualStack: true }, "1.18", null],
    [{ IPv6DualStack: true }, "1.25", "unrecognized feature gate: IPv6DualStack"],
    [{ AllAlpha: false, AllBeta: false }, "1.40", null],
    [{ DynamicKubeletConfig: false }, "1.27", null],
  ])("%j on %s", (featureGates, minor, message) => {
    const messages = refusalsOf(configuration({ featureGates }), minor).map((refusal) => refusal.message);
    expect(messages).toEqual(message === null ? [] : [message]);
  });

  it("refuses a gate without a boolean", () => {
    expect(refusalsOf(configuration({ invalidFeatureGates: ["KubeProxyIPVS=yes"] }), "1.37")).toHaveLength(1);
  });

  it("has a source for every gate", () => {
    expect(Object.entries(FEATURE_GATES).filter(([, { source }]) => source === "")).toEqual([]);
  });
});

describe("refusalsOf judges nodePortAddresses by version", () => {
  it.each<[string[], string, string | null]>([
    [["192.0.2.0/24", "::/0"], "1.25", null],
    [["primary"], "1.30", "must be a valid CIDR until 1.31"],
    [["primary"], "1.31", null],
    [["primary", "192.0.2.0/24"], "1.36", "can't use both 'primary' and CIDRs until 1.37"],
    [["primary", "localhost"], "1.36", "can't use both 'primary' and CIDRs until 1.37"],
    [["all"], "1.36", "must be a valid CIDR until 1.37"],
    [["primary", "localhost", "192.0.2.0/24"], "1.37", null],
    [["192.0.2.1"], "1.37", "must be a valid CIDR: 192.0.2.1 until null"],
    [["Primary"], "1.40", "must be a valid CIDR: Primary until null"],
    [["192.0.2.0/33"], "1.36", "must be a valid CIDR: 192.0.2.0/33 until null"],
    [[], "1.30", null],
  ])("%j on %s", (nodePortAddresses, minor, expected) => {
    const refusals = refusalsOf(configuration({ nodePortAddresses }), minor);
    expect(refusals.map(({ message, until }) => `${message} until ${until}`)).toEqual(
      expected === null ? [] : [expected],
    );
  });
});

describe("refusalsOf judges ipvs settings in ipvs mode only", () => {
  it.each<[string, string | null, string, number]>([
    ["ipvs", "sed", "1.36", 0],
    ["ipvs", "", "1.36", 0],
    ["ipvs", "r", "1.30", 1],
    ["ipvs", "LC", "1.36", 1],
    ["ipvs", "mh", "1.26", 1],
    ["ipvs", "mh", "1.27", 0],
    ["iptables", "r", "1.30", 0],
  ])("%s, scheduler %j on %s: %i refusals", (mode, scheduler, minor, count) => {
    expect(refusalsOf(configuration({ mode, ipvs: { scheduler } }), minor)).toHaveLength(count);
  });

  it("checks the CIDRs that ipvs leaves alone", () => {
    const ipvs = { scheduler: null, excludeCIDRs: ["198.18.0.10"] };
    expect(refusalsOf(configuration({ mode: "ipvs", ipvs }), "1.30")).toHaveLength(1);
  });
});

describe("judgeStart", () => {
  it.each<[string, Partial<StartConfiguration>, string, boolean, boolean | null, string[]]>([
    ["nothing against it", { mode: "ipvs" }, "1.36", false, true, []],
    ["a refused mode", { mode: "IPVS" }, "1.36", false, false, []],
    [
      "a gate nobody knows",
      { featureGates: { DynamicKubeletConfig: false } },
      "1.27",
      false,
      null,
      ["DynamicKubeletConfig"],
    ],
    [
      "a refused mode beside such a gate",
      { mode: "IPVS", featureGates: { X: true } },
      "1.36",
      false,
      false,
      ["X"],
    ],
    ["a refused gate", { featureGates: { IPv6DualStack: true } }, "1.27", false, false, []],
    [
      "the same in a provider's build",
      { featureGates: { IPv6DualStack: true } },
      "1.27",
      true,
      null,
      ["IPv6DualStack"],
    ],
    ["a refused mode in a provider's build", { mode: "ipvs " }, "1.27", true, false, []],
  ])("%s", (_, changes, minor, providerBuild, willStart, unjudgedGates) => {
    const judged = judgeStart(configuration(changes), minor, { providerBuild });
    expect([judged.willStart, judged.unjudgedGates]).toEqual([willStart, unjudgedGates]);
  });
});
