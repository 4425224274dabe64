import { describe, expect, it } from "vitest";
import { type AwsPage, readPages } from "#src/aws/pages.ts";

const source = { kind: "eks", ref: "ListClusters", at: "2026-11-30T00:00:00Z" } as const;

/** Answers with the pages in turn; an error is thrown. */
function pages(...answers: (AwsPage<string> | Error)[]) {
  const asked: (string | undefined)[] = [];
  return {
    asked,
    ask: async (token: string | undefined) => {
      asked.push(token);
      const answer = answers[asked.length - 1];
      if (answer === undefined) throw new Error("asked too often");
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

const denied = Object.assign(new Error("no"), { name: "AccessDeniedException" });

describe("a list that AWS gives page by page", () => {
  it("is read to its end, through pages without items", async () => {
    const { ask, asked } = pages(
      { items: [], nextToken: "1" },
      { items: ["a"], nextToken: "2" },
      { items: [], nextToken: "3" },
      { items: ["b"], nextToken: undefined },
    );
    expect(await readPages(ask, source)).toEqual({ seen: true, value: ["a", "b"], source });
    expect(asked).toEqual([undefined, "1", "2", "3"]);
  });

  it("is not seen where the first page fails, and not empty", async () => {
    const { ask } = pages(denied);
    expect(await readPages(ask, source)).toEqual({
      seen: false,
      why: "forbidden",
      detail: "ListClusters: AccessDeniedException: no",
      source,
    });
  });

  it("is seen in part where a later page fails", async () => {
    const { ask } = pages({ items: ["a"], nextToken: "1" }, denied);
    expect(await readPages(ask, source)).toMatchObject({ seen: "partial", value: ["a"], why: "forbidden" });
  });

  it("that goes round in circles ends, in part", async () => {
    const { ask } = pages(
      { items: ["a"], nextToken: "1" },
      { items: ["b"], nextToken: "2" },
      { items: ["c"], nextToken: "1" },
    );
    expect(await readPages(ask, source)).toMatchObject({
      seen: "partial",
      value: ["a", "b", "c"],
      why: "invalid",
    });
  });

  it("ends at an empty token", async () => {
    const { ask } = pages({ items: ["a"], nextToken: "" });
    expect(await readPages(ask, source)).toEqual({ seen: true, value: ["a"], source });
  });
});
