import { describe, expect, it } from "vitest";
import { scanResultSchema } from "#src/model/cluster-audit.ts";
import { scanJsonSchema } from "#src/report/json-schema.ts";
import { escapeMarkdown } from "#src/report/markdown.ts";
import { OUTPUTS, type Output, renderScan } from "#src/report/render.ts";
import { DARK, EDGE, FLEET, HOSTILE, HOSTILE_NAME, NOW, PAYMENTS, SEARCH, scan, TITLES } from "./example.ts";

const render = (output: Output, result = FLEET) =>
  renderScan(result, { output, now: NOW, columns: 100, colour: false, titles: TITLES });

describe("every output", () => {
  it.each(OUTPUTS)("%s names every cluster, the hostile and the silent one included", (output) => {
    const text = render(output, scan(PAYMENTS, DARK, HOSTILE));
    expect([PAYMENTS.id, DARK.name].filter((name) => !unescapedMarkdown(text).includes(name))).toEqual([]);
    expect(text).toContain("calc");
  });

  it.each(OUTPUTS)("%s of a hostile cluster has nothing that a terminal or an eye would act on", (output) => {
    expect(render(output, scan(HOSTILE))).not.toMatch(/[^\P{C}\n\r]/u);
  });

  it.each(OUTPUTS.filter((output) => output !== "ndjson"))(
    "%s of no clusters ends in a newline",
    (output) => {
      expect(render(output, scan())).toMatch(/\n$/);
    },
  );

  function unescapedMarkdown(text: string): string {
    return text.replaceAll("<!-- -->", "").replace(/\\([_*])/g, "$1");
  }
});

describe("json", () => {
  it("is the scan, and parses back to it whatever the names", () => {
    const result = scan(PAYMENTS, SEARCH, EDGE, DARK, HOSTILE);
    const { facts, ...rest } = scanResultSchema.parse(JSON.parse(render("json", result)));
    expect(rest).toEqual(result);
    expect(Object.keys(facts ?? {})).toEqual(["ipvs-off-1.40"]);
    expect(facts?.["ipvs-off-1.40"]).toEqual({
      claim: expect.stringContaining("1.40"),
      source: expect.stringContaining("KEP-5495"),
      sourceUrl: expect.stringMatching(/^https:/),
      checkedAt: "2026-11-30",
      confidence: "high",
      certainty: "planned",
    });
  });

  it("as ndjson is one cluster per line", () => {
    const lines = render("ndjson", scan(PAYMENTS, HOSTILE)).split("\n");
    expect([...lines.slice(0, -1).map((line) => JSON.parse(line)), lines.at(-1)]).toEqual([
      PAYMENTS,
      HOSTILE,
      "",
    ]);
  });

  it("has a schema that says what is required of a scan and of a cluster", () => {
    const schema = JSON.parse(JSON.stringify(scanJsonSchema()));
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(schema.required).toEqual(["schemaVersion", "startedAt", "finishedAt", "clusters"]);
    expect(schema.properties.schemaVersion).toEqual({ type: "number", const: 1 });
    expect(schema.properties.clusters.items.required).toEqual(
      Object.keys(EDGE).filter((key) => key !== "sources"),
    );
  });
});

describe("sarif", () => {
  const log = (result = FLEET) => JSON.parse(render("sarif", result)).runs[0];

  it("reads as a whole", async () => {
    await expect(render("sarif")).toMatchFileSnapshot("../fixtures/reports/fleet.sarif.json");
  });

  it("has what SARIF 2.1.0 requires, for the oddest names too", () => {
    const text = render("sarif", scan(PAYMENTS, SEARCH, DARK, HOSTILE));
    const { version, runs } = JSON.parse(text);
    expect([version, runs.length, typeof runs[0].tool.driver.name]).toEqual(["2.1.0", 1, "string"]);
    const rules: { id: string }[] = runs[0].tool.driver.rules;
    expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length);
    for (const result of runs[0].results) {
      expect(rules[result.ruleIndex]?.id).toBe(result.ruleId);
      expect(["error", "warning", "note"]).toContain(result.level);
      expect(result.message.text).toMatch(/\S/);
      expect(result.locations).toHaveLength(1);
      for (const location of [...result.locations, ...result.relatedLocations]) {
        expect(location.logicalLocations[0].fullyQualifiedName).toMatch(/\S/);
        const uri = location.physicalLocation?.artifactLocation.uri ?? "";
        expect(uri).toMatch(/^[\w\-.~%!'()*/]*$/);
      }
    }
  });

  it("shows an unknown as loudly as a warning, and no pass", () => {
    const levels = log(scan(SEARCH, EDGE)).results.map((one: { level: string; properties: object }) => [
      one.level,
      one.properties,
    ]);
    expect(levels).toEqual([["warning", { about: "upgrade", status: "unknown", cluster: SEARCH.id }]]);
  });

  it("lets no name make a link", () => {
    const [result] = log(scan({ ...SEARCH, name: "[fix](https://evil.example)" })).results;
    expect(result.message.text).toMatch(/^\[fix\] \(https:\/\/evil\.example\): could not be judged: /);
  });

  it("says that a run with a silent cluster did not succeed", () => {
    const [invocation] = log(scan(EDGE, DARK)).invocations;
    expect([
      invocation.executionSuccessful,
      invocation.toolExecutionNotifications.map((one: { message: { text: string } }) => one.message.text),
    ]).toEqual([
      false,
      [
        "old-lab: the cluster gave no answer.",
        "old-lab: not read: /version: timeout: no answer from 10.0.0.7:6443 within 60 s",
      ],
    ]);
  });
});

describe("prometheus", () => {
  it("reads as a whole", async () => {
    await expect(render("prometheus")).toMatchFileSnapshot("../fixtures/reports/fleet.prom");
  });

  it("has only lines that a scraper accepts, and no series twice", () => {
    const lines = render("prometheus", scan(PAYMENTS, SEARCH, EDGE, DARK, HOSTILE))
      .split("\n")
      .slice(0, -1);
    const label = String.raw`[a-z_]+="(?:[^"\\\n]|\\["\\n])*"`;
    const line = new RegExp(
      `^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+\\{${label}(?:,${label})*\\} \\d+(?:\\.\\d+)?)$`,
    );
    expect(lines.filter((one) => !line.test(one))).toEqual([]);
    const series = lines.filter((one) => !one.startsWith("#")).map((one) => one.replace(/ [\d.]+$/, ""));
    expect(new Set(series).size).toBe(series.length);
  });
});

describe("csv", () => {
  it("reads as a whole", async () => {
    await expect(render("csv")).toMatchFileSnapshot("../fixtures/reports/fleet.csv");
  });

  it("has as many cells in each row as there are headings, and a row for a cluster without findings", () => {
    const rows = parseCsv(render("csv", scan(PAYMENTS, DARK, HOSTILE)));
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([rows[0]?.length]));
    expect(rows.map((row) => row[1])).toEqual([
      "name",
      ...PAYMENTS.findings.map(() => "payments"),
      "old-lab",
      expect.stringMatching(/^'=cmd/),
    ]);
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1", "＠x"])(
    "keeps %j from being taken for a formula",
    (name) => {
      const rows = parseCsv(render("csv", scan({ ...DARK, name })));
      expect(rows[1]?.[1]).toMatch(/^'/);
    },
  );

  it("keeps quotes and commas", () => {
    expect(parseCsv(render("csv", scan({ ...DARK, name: 'a "b", c' })))[1]?.[1]).toBe('a "b", c');
  });

  it("writes versions so that a spreadsheet does not read 1.40 as 1.4", () => {
    const [headings = [], first = []] = parseCsv(
      render("csv", scan({ ...PAYMENTS, kubernetesVersion: "1.40" })),
    );
    expect(first[headings.indexOf("kubernetes")]).toBe("v1.40");
  });

  /** RFC 4180, strictly: CRLF ends a row. */
  function parseCsv(text: string): string[][] {
    const rows: string[][] = [];
    let row: string[] = [];
    for (const [, quoted, bare = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy)) {
      row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
      if (end === ",") continue;
      rows.push(row);
      row = [];
    }
    return rows;
  }
});

describe("markdown", () => {
  it("reads as a whole", async () => {
    await expect(render("markdown")).toMatchFileSnapshot("../fixtures/reports/fleet.md");
  });

  it("lets no name make a cell, markup, a link or a mention", () => {
    const text = render("markdown", scan(HOSTILE, EDGE));
    const row = text.split("\n").find((line) => line.startsWith("| ") && line.includes("calc")) ?? "";
    expect(row.replaceAll("\\|", "").split("|")).toHaveLength(7);
    expect(text).not.toMatch(/<(?!!-- -->)|@\w|[^\\]`/);
    expect(HOSTILE_NAME).toMatch(/<(?!!-- -->)|@\w|[^\\]`/);
  });

  it.each([
    ["[x](https://evil.example)", "\\[x\\](https:<!-- -->//evil.example)"],
    ["![x](//e)", "\\!\\[x\\](//e)"],
    ["see www.evil.example and #12", "see www<!-- -->.evil.example and #<!-- -->12"],
    ["# heading", "\\# heading"],
    ["- item", "\\- item"],
    ["1. item", "1\\. item"],
    ["1.40: blocked", "1.40: blocked"],
    ["a\\|b", "a\\\\\\|b"],
    ["$x$", "\\$x\\$"],
  ])("escapes %s", (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });
});
