import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHECKS, checkById } from "#src/checks/index.ts";
import { CHECKS_DOC, checksDocument } from "../../scripts/checks-docs.ts";

const ROOM = "src/checks";
const folders = readdirSync(ROOM, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe("the registry of checks", () => {
  it("holds every folder of the room once", () => {
    expect(CHECKS.map(({ id }) => id).toSorted()).toEqual(folders.toSorted());
  });

  it("finds a check by its identifier only", () => {
    expect([checkById("proxy-mode")?.title, checkById("Proxy-Mode")]).toEqual([
      "kube-proxy in ipvs mode",
      undefined,
    ]);
  });

  it("lists the same in the documentation", () => {
    // Out of date? npx node scripts/checks-docs.ts
    expect(readFileSync(CHECKS_DOC, "utf8")).toBe(checksDocument());
  });
});

describe.each(CHECKS)("$id", ({ id, title, canBlock, evidence, permissions }) => {
  it("says what it judges, what it needs and how it blocks", () => {
    expect(title).toMatch(/^\S.{5,}[^.]$/);
    expect(evidence.length).toBeGreaterThan(0);
    for (const text of [...evidence, ...permissions]) expect(text.trim()).toBe(text);
    if (canBlock !== null) expect(canBlock).toMatch(/\d\.\d|any version/);
  });

  it("is explained under the headings that all readmes have", () => {
    const text = readFileSync(join(ROOM, id, "readme.md"), "utf8");
    const headings = text.split("\n").filter((line) => line.startsWith("#"));
    expect(headings.map((line) => line.replace(/^# .+/, "# title"))).toEqual([
      "# title",
      "## What it looks at",
      "## Why it matters",
      "## What to do",
      "## How it can be wrong",
      "## Sources",
    ]);
    for (const section of text.split(/^## .*$/m).slice(1)) expect(section.trim()).not.toBe("");
    expect(text.split("## Sources").at(-1)).toMatch(/https:\/\//);
  });

  it("links to files that exist", () => {
    const text = readFileSync(join(ROOM, id, "readme.md"), "utf8");
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !existsSync(join(ROOM, id, link)))).toEqual([]);
  });
});
