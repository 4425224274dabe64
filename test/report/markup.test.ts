import { describe, expect, it } from "vitest";
import { type Output, renderScan } from "#src/report/render.ts";
import { DARK, EDGE, FLEET, HOSTILE, HOSTILE_NAME, NOW, PAYMENTS, SEARCH, scan, TITLES } from "./example.ts";
import { elements, parseMarkup, textOf } from "./xml.ts";

const render = (output: Output, result = FLEET) =>
  renderScan(result, { output, now: NOW, columns: 100, colour: false, titles: TITLES });

describe("junit", () => {
  it("reads as a whole", async () => {
    await expect(render("junit")).toMatchFileSnapshot("../fixtures/reports/fleet.junit.xml");
  });

  it("is well formed for the oddest names, and counts what it holds", () => {
    const root = parseMarkup(render("junit", scan(PAYMENTS, SEARCH, EDGE, DARK, HOSTILE)));
    const suites = [...elements(root, "testsuites"), ...elements(root, "testsuite")];
    for (const suite of suites) {
      expect(suite.attributes).toMatchObject({
        tests: String(elements(suite, "testcase").length),
        failures: String(elements(suite, "failure").length),
        errors: String(elements(suite, "error").length),
        skipped: "0",
      });
    }
    expect(suites.map((suite) => suite.attributes.name).at(-1)).toContain(
      '<script>alert(1)</script>"><img src=x>]]>',
    );
  });

  it("turns what could not be judged red, and a silent cluster too", () => {
    const root = parseMarkup(render("junit", scan(SEARCH, DARK)));
    const red = elements(root, "testcase").filter((one) => elements(one, "error").length > 0);
    expect(red.map((one) => `${one.attributes.classname}: ${one.attributes.name}`)).toEqual([
      `${SEARCH.id}.verdict: upgrade to 1.40`,
      `${SEARCH.id}.check: proxy-mode`,
      `${DARK.id}.reach: the cluster answers`,
    ]);
  });
});

describe("html", () => {
  it("reads as a whole", async () => {
    await expect(render("html")).toMatchFileSnapshot("../fixtures/reports/fleet.html");
  });

  it("is well formed for the oddest names, which stay text", () => {
    const root = parseMarkup(render("html", scan(PAYMENTS, DARK, HOSTILE)));
    const foreign = ["script", "img", "iframe", "link", "a"].flatMap((name) => elements(root, name));
    expect(foreign.map((one) => one.attributes)).toEqual([
      { href: "#cluster-1" },
      { href: "#cluster-2" },
      { href: "#cluster-3" },
    ]);
    expect(textOf(root)).toContain('<script>alert(1)</script>"><img src=x>]]>|`x` @here');
    expect(HOSTILE_NAME).toContain("<script>alert(1)</script>");
  });

  it("loads nothing from anywhere", () => {
    expect(render("html", scan(PAYMENTS, HOSTILE))).not.toMatch(/(?:src|href)="(?!#)|url\(|@import/);
  });

  it("has an anchor for each row of the fleet", () => {
    const root = parseMarkup(render("html"));
    const targets = elements(root, "a").map((one) => one.attributes.href?.slice(1));
    expect(elements(root, "section").map((one) => one.attributes.id)).toEqual(targets);
  });
});
