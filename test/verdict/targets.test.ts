import { describe, expect, it } from "vitest";
import { alreadyAt, defaultTargets, parseTarget } from "#src/verdict/targets.ts";
import { auditWith } from "./audits.ts";

describe("parseTarget", () => {
  it.each([
    ["1.40", "1.40"],
    ["v1.40", "1.40"],
    ["1.40.2", "1.40"],
    [" 1.43 ", "1.43"],
  ])("takes %j for %s", (text, minor) => {
    expect(parseTarget(text)).toBe(minor);
  });

  it.each(["", "latest", "1", "1.4", "1.19", "1.61", "2.0", "1.40-rc.1", "1.40 or so"])(
    "refuses %j",
    (text) => {
      expect(() => parseTarget(text)).toThrow(
        `"${text}" is not a Kubernetes version to upgrade to. Give one like 1.40.`,
      );
    },
  );
});

describe("defaultTargets", () => {
  it.each([
    ["1.36", ["1.37", "1.40", "1.43"]],
    ["1.39", ["1.40", "1.43"]],
    ["1.40", ["1.41", "1.43"]],
    ["1.42", ["1.43"]],
    ["1.44", ["1.45"]],
    [null, ["1.40", "1.43"]],
  ])("of a cluster at %s", (kubernetesVersion, targets) => {
    expect(defaultTargets(auditWith([], { kubernetesVersion }))).toEqual(targets);
  });
});

describe("alreadyAt", () => {
  it.each([
    ["1.36", "1.36", true],
    ["1.36", "1.35", true],
    ["1.36", "1.37", false],
    [null, "1.20", false],
  ])("a cluster at %s, for %s", (kubernetesVersion, target, already) => {
    expect(alreadyAt(auditWith([], { kubernetesVersion }), target)).toBe(already);
  });
});
