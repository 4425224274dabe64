import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENTRIES } from "#src/knowledge/entries/index.ts";
import { answerQuestion } from "#src/knowledge/search.ts";
import questions from "./questions.json" with { type: "json" };

const now = new Date("2026-11-30T12:00:00Z");

function answeredBy(question: string): string | null {
  const answer = answerQuestion(question, { now });
  return answer.kind === "answer" ? answer.entry.id : null;
}

describe("answerQuestion", () => {
  it.each(questions.filter(({ id }) => id !== null))("answers $asked with $id", ({ asked, id }) => {
    expect(answeredBy(asked)).toBe(id);
  });

  it.each(questions.filter(({ id }) => id === null))("is unsure about $asked", ({ asked }) => {
    expect(answeredBy(asked)).toBeNull();
  });

  it("has at least eighty phrasings to be tried on, and fifteen that nothing answers", () => {
    expect(questions.filter(({ id }) => id !== null).length).toBeGreaterThanOrEqual(80);
    expect(questions.filter(({ id }) => id === null).length).toBeGreaterThanOrEqual(15);
  });

  it("finds every entry by each of its own wordings", () => {
    const wordings = ENTRIES.flatMap(({ id, question, askedAs }) =>
      [question, ...askedAs].map((asked) => ({ asked, id })),
    );
    expect(wordings.filter(({ asked, id }) => answeredBy(asked) !== id)).toEqual([]);
  });

  it("lists the nearest questions where it is unsure", () => {
    expect(answerQuestion("how do I upgrade postgres without nodeports?", { now })).toEqual({
      kind: "unsure",
      nearest: [
        expect.objectContaining({ id: expect.any(String), question: expect.stringMatching(/\?$/) }),
        expect.anything(),
        expect.anything(),
        expect.anything(),
      ],
    });
  });

  it.each(["", " ", "???", "\u0000\uFFFF", "🍕", "the", "of the and"])(
    "offers where to start for %j",
    (asked) => {
      expect(answerQuestion(asked, { now })).toEqual({
        kind: "unsure",
        nearest: [
          { id: "ipvs-when", question: "When is ipvs removed?" },
          { id: "nftables-or-iptables", question: "Should I move to nftables or to iptables?" },
          { id: "see-mode", question: "How do I see what mode a node runs?" },
          { id: "switch-live", question: "Is it safe to switch the mode on a live cluster?" },
        ],
      });
    },
  );

  it("answers for the version that the question names", () => {
    const at = (minor: string) => {
      const answer = answerQuestion(`does ipvs work in ${minor}?`, { now });
      return answer.kind === "answer" ? answer.text.split(/[:;,]/)[0] : answer.kind;
    };
    expect(["1.36", "1.39", "v1.40.1", "1.42", "1.43", "1.50"].map(at)).toEqual([
      "ipvs works in kube-proxy 1.36",
      "ipvs works in kube-proxy 1.39",
      "Not by default",
      "Not by default",
      "No",
      "No",
    ]);
  });

  it("ends on a very long question, and reads its start", () => {
    const answer = answerQuestion(`does MetalLB need ipvs? ${"ipvs nftables ".repeat(200_000)}`, { now });
    expect(answer.kind === "answer" ? answer.entry.id : answer.kind).toBe("metallb");
  });

  it("never throws and never repeats the question's own words, whatever it is asked", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (asked) => {
        const answer = answerQuestion(`is ipvs removed in 1.37? <script>${asked}`, { now });
        expect(JSON.stringify(answer)).not.toContain("<script>");
      }),
    );
  });

  it.each(["__proto__", "constructor ipvs", "toString", "hasOwnProperty nftables kernel"])(
    "takes %s for words",
    (asked) => {
      expect(["answer", "unsure"]).toContain(answerQuestion(asked, { now }).kind);
    },
  );

  it("gives the whole answer: text, certainty, sources, what it means for the fleet, what else is asked", () => {
    expect(answerQuestion("is ipvs removed in 1.37?", { now })).toEqual({
      kind: "answer",
      entry: { id: "ipvs-removed-1.37", question: "Is ipvs removed in Kubernetes 1.37?", claim: "false" },
      text:
        "No: kube-proxy 1.37 (out since 26 Aug 2026) still runs ipvs. It only adds the feature gate KubeProxyIPVS, which is on by default. " +
        "The plan is to turn the gate off by default in 1.40 (Aug 2027 ± 3 weeks, estimated) and to delete the code in 1.43 (Aug 2028 ± 5 weeks, estimated). " +
        "Texts older than that plan (KEP-5495, changed in enhancements#6120) guessed the version.",
      certainty: "planned",
      sources: expect.arrayContaining([expect.objectContaining({ id: "claim-ipvs-removed-1.37" })]),
      alsoAsked: [
        "When is ipvs removed?",
        "What does the KubeProxyIPVS feature gate buy?",
        "How do I rehearse 1.40?",
      ],
    });
  });
});
