import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { LAPTOP, PHONE } from "./chromium.ts";
import { emptyFleet } from "./fleets.ts";
import { describeInBrowser } from "./with-browser.ts";

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe-core calls serious or critical, each with where it is. */
async function seriousProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: Violation[];
  };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary}`),
    );
}

const LOOKS = [
  { name: "light, laptop", colorScheme: "light", viewport: LAPTOP },
  { name: "dark, laptop", colorScheme: "dark", viewport: LAPTOP },
  { name: "light, phone", colorScheme: "light", viewport: PHONE },
] as const;

describeInBrowser("everybody can use the console", ({ open }) => {
  it.each(LOOKS)("the fleet, a cluster and the dialog of a scan, $name", async (look) => {
    const { page, console } = await open(look);
    await page.locator(".chart svg").first().waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.goto(`${console.origin}/clusters/demo%3Apayments-prod-eu`);
    await page.getByRole("heading", { name: "Findings" }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Scan", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it.each(LOOKS)("messages, a dialog, the home page and a digest, $name", async (look) => {
    const { page, console } = await open({ ...look, path: "/slack/team-data" });
    const box = page.getByRole("combobox", { name: /^Message to/ });
    for (const text of ["help", "fleet team=data", "blockers locked-down 1.40"]) {
      await box.fill(`/proxy-audit ${text}`);
      await box.press("Escape");
      await box.press("Enter");
      await page
        .getByRole("article", { name: /^Command of/ })
        .filter({ hasText: text })
        .last()
        .waitFor();
    }
    await box.fill("/proxy-audit ");
    await page.getByRole("option").first().waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole("button", { name: /You are$/ }).click();
    await page.getByRole("option", { name: "Eve" }).click();
    await box.fill("/proxy-audit waive edge-k3s proxy-mode");
    await box.press("Escape");
    await box.press("Enter");
    await page.getByRole("dialog", { name: "Waive a check" }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    for (const [path, heading] of [
      ["/slack/home", "Leaving ipvs"],
      ["/slack/digest", "In its thread"],
    ] as const) {
      await page.goto(`${console.origin}${path}`);
      await page.getByRole("heading", { name: heading }).waitFor();
      expect(await seriousProblems(page)).toEqual([]);
    }
  });

  it.each(LOOKS)("nothing to show, and a page for strangers, $name", async (look) => {
    const { page, console } = await open({ ...look, own: emptyFleet });
    await page.getByRole("heading", { name: "No audits are stored yet" }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.evaluate("localStorage.clear()");
    await page.goto(`${console.origin}/`);
    await page.getByRole("heading", { name: /^Open the address/ }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });
});
