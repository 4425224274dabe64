import { describe, expect, it } from "vitest";
import { clusterIdOf, clusterRefOf } from "#src/inventory/aws/cluster-ref.ts";
import { ownerOf, parseOwnershipMapping } from "#src/inventory/aws/ownership.ts";

const ref = { account: "111111111111", region: "eu-west-1", name: "payments-prod" };
const mapping = parseOwnershipMapping(
  `
- account: "111111111111"
  cluster: payments-*
  team: payments
- region: eu-west-1
  environment: prod
  team: somebody
`,
  "owners.yaml",
);
const rules = { teamTags: ["team", "owner"], environmentTags: ["env"], mapping };

describe("whose a cluster is", () => {
  it.each([
    [
      "its own tags first",
      { Team: "a", env: "dev" },
      { team: "b", env: "test" },
      { team: "a", environment: "dev" },
    ],
    ["then its account's", {}, { TEAM: "b", Env: "test" }, { team: "b", environment: "test" }],
    ["keys by preference", { owner: "o", team: "t" }, {}, { team: "t", environment: "prod" }],
    ["an empty tag says nothing", { team: "" }, { owner: "o" }, { team: "o", environment: "prod" }],
    ["then the first rule that fits", {}, {}, { team: "payments", environment: "prod" }],
  ])("%s", (_name, cluster, account, expected) => {
    expect(ownerOf(ref, { cluster, account }, rules)).toEqual(expected);
  });

  it.each([
    ["payments-prod", "payments"],
    ["payments-", "payments"],
    ["my-payments-prod", null],
    ["paymentsXprod", null],
  ])("is told by a pattern that fits the whole name: %s", (name, team) => {
    const only = { teamTags: [], environmentTags: [], mapping: mapping.slice(0, 1) };
    expect(ownerOf({ ...ref, name }, { cluster: {}, account: {} }, only).team).toBe(team);
  });

  it("is told by literal text: a dot is no wildcard", () => {
    const dotted = { ...rules, mapping: parseOwnershipMapping("- {cluster: 'a.c', team: t}", "f") };
    expect(ownerOf({ ...ref, name: "abc" }, { cluster: {}, account: {} }, dotted).team).toBeNull();
  });

  it.each([
    ["- team: [", "owners.yaml is not YAML"],
    ["- {acount: '111111111111', team: a}", "owners.yaml: rule 1: "],
    ["- {team: a}\n- {account: 111111111111, team: b}", "owners.yaml: rule 2 account: "],
    ["- {account: '1111', team: a}", "owners.yaml: rule 1 account: an account is 12 digits, in quotes"],
    ["- {cluster: a}", "owners.yaml: rule 1: names neither a team nor an environment"],
    ["team: a", "owners.yaml: it: "],
  ])("is refused, naming file and rule, as %j", (text, expected) => {
    expect(() => parseOwnershipMapping(text, "owners.yaml")).toThrow(expected);
  });

  it("has no rules in an empty file", () => {
    expect(parseOwnershipMapping("", "owners.yaml")).toEqual([]);
  });
});

describe("a cluster's id", () => {
  it("is its account, Region and name, and back", () => {
    expect(clusterIdOf(ref)).toBe("eks:111111111111/eu-west-1/payments-prod");
    expect(clusterRefOf("eks:111111111111/eu-west-1/payments-prod")).toEqual(ref);
  });

  it.each([
    "",
    "eks:1/eu-west-1/a",
    "eks:111111111111/eu-west-1/",
    "kubeconfig:a",
    "eks:111111111111/eu-west-1/a/b",
  ])("is of no other form: %j", (id) => {
    expect(clusterRefOf(id)).toBeNull();
  });
});
