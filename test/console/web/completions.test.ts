import { describe, expect, it } from "vitest";
import { completionsOf } from "#src/console/web/slack/completions.ts";

const KNOWN = {
  commands: [
    { name: "fleet", usage: "[team=TEAM]", what: "every cluster" },
    { name: "blockers", usage: "CLUSTER VERSION", what: "what stands in the way" },
    { name: "digest", usage: "[TEAM] preview", what: "the digest" },
  ],
  clusters: ["payments-prod-eu", "web", "my cluster"],
  teams: ["payments", "data"],
  checks: ["proxy-mode", "node-kernel"],
};

describe("completionsOf", () => {
  it.each([
    ["", []],
    ["hello", []],
    ["/pro", ["/proxy-audit "]],
    ["/proxy-audit bl", ["/proxy-audit blockers "]],
    [
      "/proxy-audit blockers pay",
      ["/proxy-audit blockers payments-prod-eu ", "/proxy-audit blockers team=payments "],
    ],
    ["/proxy-audit blockers prod", ["/proxy-audit blockers payments-prod-eu "]],
    [
      "/proxy-audit blockers web 1.4",
      ["1.40", "1.41", "1.42", "1.43"].map((version) => `/proxy-audit blockers web ${version}`),
    ],
    ["/proxy-audit waive web node", ["/proxy-audit waive web node-kernel"]],
    ["/proxy-audit cluster my", ['/proxy-audit cluster "my cluster"']],
    ["/proxy-audit digest pay", ["/proxy-audit digest payments "]],
    ["/proxy-audit ask is ipvs", ["/proxy-audit ask is ipvs removed in 1.37?"]],
    ["/proxy-audit constructor x", []],
    ["/proxy-audit blockers web 1.40 ", []],
  ])("completes %j", (text, expected) => {
    expect(completionsOf(text, KNOWN).map((completion) => completion.text)).toEqual(expected);
  });
});
