import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ENTRIES, entryById } from "#src/knowledge/entries/index.ts";
import { FACTS_OF_ANSWERS, sourceById } from "#src/knowledge/sources.ts";
import { dated } from "#src/knowledge/versions.ts";
import type { Fact, JudgedClaim } from "#src/timeline/fact.ts";
import { CLAIMS } from "#src/timeline/facts/claims.ts";
import { FACTS } from "#src/timeline/facts.ts";

const now = new Date("2026-11-30T12:00:00Z");
const FOLDER = join(import.meta.dirname, "../../src/knowledge/entries");
const timeline: readonly Fact[] = FACTS;
const byId = ENTRIES.map((entry) => [entry.id, entry] as const);

describe("entries", () => {
  it("are at least fifty, with identifiers and questions of their own", () => {
    expect(ENTRIES.length).toBeGreaterThanOrEqual(50);
    expect(new Set(ENTRIES.map(({ id }) => id)).size).toBe(ENTRIES.length);
    expect(new Set(ENTRIES.map(({ question }) => question)).size).toBe(ENTRIES.length);
  });

  it.each(byId)("%s rests on facts that all have a source", (_id, { facts }) => {
    const sources = facts.map((fact) => sourceById(fact)?.source ?? `${fact}: no such fact`);
    expect(sources).not.toEqual([]);
    expect(sources.filter((source) => source.trim() === "" || source.endsWith("no such fact"))).toEqual([]);
  });

  it.each(byId)("%s answers in two to six plain sentences", (_id, entry) => {
    const { text } = entry.answer({ now, versions: [] });
    const sentences = text.split(/(?<=[.?])\s+(?=[A-Z"A-Za-z-])/).filter((part) => /[.?]$/.test(part));
    expect(sentences.length).toBeGreaterThanOrEqual(2);
    expect(sentences.length).toBeLessThanOrEqual(7);
    expect(text).not.toMatch(/undefined|NaN|\{mode\}|\*\*|<|\s{2}/);
    expect(text.length).toBeLessThanOrEqual(1_000);
  });

  it.each(byId)("%s leads on to other entries only", (id, { related }) => {
    expect(related.filter((other) => other === id || entryById(other) === undefined)).toEqual([]);
  });

  it.each(readdirSync(FOLDER))("%s types no date and no planned version into an answer", (file) => {
    const written = readFileSync(join(FOLDER, file), "utf8")
      .replace(/(?:askedAs|facts): \[.*?\],$/gms, "")
      .replace(/^const MINORS = .*;$|^ +question: .*$/gm, "")
      .replaceAll("Amazon Linux 2023", "");
    const planned = /\b1\.(?:3[89]|[4-9]\d)\b/;
    expect(written).not.toMatch(/\b20\d\d\b/);
    expect(written).not.toMatch(planned);
  });

  it("move with the clock, and do not take a scheduled day for a release once it has passed", () => {
    const gate = (day: string) => dated("1.37", new Date(day));
    expect(["2026-08-25", "2026-08-26"].map(gate)).toEqual([
      "1.37 (26 Aug 2026)",
      "1.37 (out since 26 Aug 2026)",
    ]);
    expect(dated("1.38", new Date("2027-01-10"))).toBe("1.38 (16 Dec 2026, planned)");
    const left = (day: string) => entryById("ipvs-when")?.answer({ now: new Date(day), versions: [] }).text;
    expect(left("2026-11-30")).toContain("1.40 is 3 releases away, about 9 months");
    expect(left("2027-05-30")).toContain("1.40 is 1 release away, about 3 months");
  });

  it("judge claims as the timeline does", () => {
    const asVerdict = { true: "true", false: "false", half: "half true" } as const;
    const judged = ENTRIES.flatMap(({ id, claim, facts }) => {
      const claims: readonly JudgedClaim[] = CLAIMS;
      const first = claims.find((one) => facts.some((fact) => fact === one.id));
      return claim === undefined ? [] : [{ id, says: asVerdict[claim], timeline: first?.verdict }];
    });
    expect(judged.length).toBeGreaterThanOrEqual(10);
    expect(judged.filter(({ says, timeline }) => timeline !== says)).toEqual([]);
  });

  it("between them use every claim that the timeline judges", () => {
    const used = new Set<string>(ENTRIES.flatMap(({ facts }) => facts));
    expect(CLAIMS.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([]);
  });
});

describe("facts of answers", () => {
  it.each(FACTS_OF_ANSWERS.map((fact) => [fact.id, fact] as const))(
    "%s has one sentence, a source and the day it was read",
    (id, fact) => {
      expect(fact.claim).toMatch(/^[A-Za-z/"].*\.$/);
      expect(fact.source).not.toBe("");
      expect(fact.sourceUrl ?? "https://").toMatch(/^https:\/\//);
      expect(fact.checkedAt).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(timeline.filter((other) => other.id === id)).toEqual([]);
    },
  );

  it("are all used, and a provider's fact comes from the provider", () => {
    const used = new Set<string>(ENTRIES.flatMap(({ facts }) => facts));
    expect(FACTS_OF_ANSWERS.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([]);
    expect(sourceById("provider-k3s")).toMatchObject({
      id: "provider-k3s",
      sourceUrl: "https://docs.k3s.io/cli/server",
    });
    expect(sourceById("provider-nobody")).toBeUndefined();
  });
});
