import { describe, expect, it } from "vitest";
import { CLAIMS } from "#src/timeline/facts/claims.ts";
import { FACTS, factById } from "#src/timeline/facts.ts";
import { PROVIDER_STAGES, UPSTREAM_STAGES } from "#src/timeline/stages.ts";

describe("facts", () => {
  it.each(FACTS.map((fact) => [fact.id, fact] as const))(
    "%s has a source, the day it was read, and one sentence",
    (_id, fact) => {
      expect(fact.source.trim()).not.toBe("");
      expect(fact.sourceUrl ?? "https://").toMatch(/^https:\/\//);
      expect(fact.checkedAt).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(new Date(fact.checkedAt).toISOString().slice(0, 10)).toBe(fact.checkedAt);
      expect(fact.claim).toMatch(/^[A-Za-z0-9].*\.$/);
    },
  );

  it("have identifiers of their own", () => {
    const ids = FACTS.map((fact) => fact.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("are found by identifier, and an unknown identifier is undefined", () => {
    expect(factById("ipvs-off-1.40")?.certainty).toBe("planned");
    expect(factById("ipvs-off-1.41")).toBeUndefined();
  });

  it.each(
    [...UPSTREAM_STAGES, ...PROVIDER_STAGES].map((stage) => [stage.version, stage.what, stage] as const),
  )("stage %s, %s: rests on a fact that is at least as uncertain", (_version, _what, stage) => {
    const fact = factById(stage.fact);
    expect(fact).toBeDefined();
    if (stage.certainty !== "released") expect(fact?.certainty).toBe(stage.certainty);
  });

  it("judge the popular claims", () => {
    expect(CLAIMS.map(({ popular, verdict }) => `${verdict}: ${popular}`)).toContain(
      "false: ipvs is removed in Kubernetes 1.37.",
    );
  });
});
