import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { nftablesKernel, parseLinuxKernel } from "#src/kubernetes/kernel.ts";

interface Row {
  kernelVersion: string;
  operatingSystem: string;
  atLeast_5_13: boolean | null;
  parsed: [number, number] | null;
}
const { items } = JSON.parse(
  readFileSync(new URL("../fixtures/cases/kernels.json", import.meta.url), "utf8"),
) as { items: Row[] };

function answerOf(row: Row): string {
  if (row.operatingSystem !== "linux") return "not-applicable";
  return row.atLeast_5_13 === null ? "unknown" : row.atLeast_5_13 ? "yes" : "no";
}

describe("nftablesKernel", () => {
  it.each(items)("judges $kernelVersion on $operatingSystem", (row) => {
    expect(nftablesKernel(row.kernelVersion, row.operatingSystem)).toBe(answerOf(row));
  });

  it.each([
    ["5.15.0-101-generic (amd64)", "", "yes"],
    ["5.10.134-16.1.al8.x86_64 (amd64)", "", "no"],
    ["7.0.0-30-generic", "linux", "yes"],
    ["<unknown>", "linux", "unknown"],
    ["<none>", "", "unknown"],
    ["fake", "linux", "unknown"],
    ["kwok-v0.5.2", "linux", "unknown"],
    ["10.0.20348.2322 (amd64)", "", "not-applicable"],
    ["10.0.20348.2322", undefined, "not-applicable"],
    ["5.15.0", "Linux", "yes"],
    [undefined, undefined, "unknown"],
  ])("judges %j on %j as %s", (kernelVersion, operatingSystem, expected) => {
    expect(nftablesKernel(kernelVersion, operatingSystem)).toBe(expected);
  });
});

describe("parseLinuxKernel", () => {
  it.each(items.filter((row) => row.operatingSystem === "linux"))("reads $kernelVersion", (row) => {
    const [major, minor] = row.parsed ?? [];
    expect(parseLinuxKernel(row.kernelVersion, row.operatingSystem)).toEqual(
      row.parsed === null ? null : { major, minor },
    );
  });

  it("reads no Linux kernel from a Windows build number", () => {
    expect(parseLinuxKernel("10.0.20348.2322", "windows")).toBeNull();
  });
});
