import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { readDemoFleet } from "#src/demo/fleet-folder.ts";
import { HOSTILE_ID, hostileFleet } from "./fleets.ts";
import { describeInBrowser } from "./with-browser.ts";

const HOSTILE = "<!channel> *x* & <http://evil|click>";

async function say(page: Page, text: string): Promise<void> {
  const box = page.getByRole("combobox", { name: /^Message to/ });
  await box.fill(`/proxy-audit ${text}`);
  await box.press("Escape");
  await box.press("Enter");
  await page
    .getByRole("article", { name: /^Command of/ })
    .filter({ hasText: text })
    .last()
    .waitFor();
}

const answer = (page: Page) => page.getByRole("article", { name: "Message of proxy-audit" }).last();

async function become(page: Page, person: string): Promise<void> {
  await page.getByRole("button", { name: /You are$/ }).click();
  await page.getByRole("option", { name: person }).click();
}

describeInBrowser("the Slack side in a browser", ({ open }) => {
  it("answers a question with what it is worth, its sources and the fleet's own numbers", async () => {
    const { page, problems } = await open({ path: "/slack/team-data" });
    await say(page, "ask is ipvs removed in 1.37?");
    await answer(page).getByText("A popular claim, and it is wrong.").waitFor();
    const text = await answer(page).innerText();
    expect(text).toMatch(/No: kube-proxy 1\.37 .* still runs ipvs/);
    expect(text).toMatch(/\d+ of your \d+ clusters run ipvs/);
    expect(await answer(page).getByRole("link").first().getAttribute("href")).toMatch(/^https:/);
    await answer(page).getByRole("button", { name: "How do I rehearse 1.40?" }).click();
    await page.getByRole("heading", { name: /rehears/i }).waitFor();
    expect(problems).toEqual([]);
  });

  it("completes commands, clusters and versions by keyboard, and sends what was meant", async () => {
    const { page } = await open({ path: "/slack/team-platform" });
    const box = page.getByRole("combobox", { name: "Message to #team-platform" });
    await box.pressSequentially("/pro");
    await box.press("Tab");
    await box.pressSequentially("blo");
    await box.press("Tab");
    await box.pressSequentially("prod-eu");
    await box.press("ArrowDown");
    await box.press("Enter");
    await box.pressSequentially("1.4");
    await page.getByRole("option", { name: "1.40" }).click();
    expect(await box.inputValue()).toBe("/proxy-audit blockers payments-prod-eu 1.40");
    await box.press("Enter");
    await answer(page)
      .getByRole("heading", { name: /payments-prod-eu 1\.35 → 1\.40.*blocked/ })
      .waitFor();
    expect(await answer(page).innerText()).toMatch(/only visible to you/i);
  });

  it("shows the fleet as a table, and its JSON with the validator's word on it", async () => {
    const { page } = await open({ path: "/slack/fleet-operations" });
    await say(page, "fleet");
    const table = answer(page).getByRole("table");
    await table.waitFor();
    expect(await table.getByRole("row").count()).toBe(readDemoFleet().length + 1);
    await answer(page).getByRole("button", { name: "JSON of this message" }).click();
    await page.getByText("The validator finds nothing that Slack would refuse.").waitFor();
    expect(await page.locator("pre.json").innerText()).toContain('"type": "table"');
  });

  it("lets one ask for an upgrade and another approve it, and nobody their own", async () => {
    const { page } = await open({ path: "/slack/upgrade-approvals" });
    await say(page, "approve web-kubeadm 1.40");
    const request = page
      .getByRole("article")
      .filter({ hasText: "asks for approval to upgrade web-kubeadm to 1.40" });
    await request.getByRole("button", { name: "Approve" }).click();
    await confirmed(page);
    await page
      .getByText(/cannot approve it|not among|only approvers/i)
      .first()
      .waitFor();
    await become(page, "Ravi");
    await request.getByRole("button", { name: "Approve" }).click();
    await confirmed(page);
    await request
      .getByText(/approved/i)
      .first()
      .waitFor();
    expect(await request.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await request.getByRole("button", { name: /repl/ }).click();
    await page
      .getByRole("complementary", { name: "Thread" })
      .getByText(/approved/i)
      .last()
      .waitFor();
    await page.goto(`${new URL(page.url()).origin}/clusters/demo%3Aweb-kubeadm`);
    await page.getByText("Upgrade to 1.40 approved").waitFor();
  });

  it("asks for a waiver's reason in a dialog, says what is missing, and shows what was waived", async () => {
    const { page } = await open({ path: "/slack/team-payments" });
    await say(page, "waive payments-prod-us proxy-mode");
    await answer(page).getByText("Your role does not allow you to waive").waitFor();
    await become(page, "Eve");
    await say(page, "waive payments-prod-us proxy-mode");
    const dialog = page.getByRole("dialog", { name: "Waive a check" });
    await dialog.getByRole("button", { name: "Waive" }).click();
    await dialog.getByRole("alert").first().waitFor();
    await dialog.getByRole("textbox", { name: "Reason" }).fill("the migration is planned for March");
    await dialog.getByRole("textbox", { name: /^Ticket/ }).fill("PAY-7");
    await dialog.getByRole("button", { name: "Waive" }).click();
    await page
      .getByRole("dialog", { name: "Done" })
      .getByText("the migration is planned for March")
      .waitFor();
    await page.getByRole("dialog", { name: "Done" }).getByRole("button", { name: "Close" }).click();
    await page.goto(`${new URL(page.url()).origin}/clusters/demo%3Apayments-prod-us`);
    await page.getByText("the migration is planned for March (PAY-7)").waitFor();
  });

  it("audits a cluster again and puts the answer where the promise stood", async () => {
    const { page } = await open({ path: "/slack/team-data" });
    await say(page, "scan data-nftables");
    await answer(page).getByText("(edited)").waitFor();
    await answer(page)
      .getByText(/audited just now/i)
      .first()
      .waitFor();
  });

  it("previews a team's digest, and publishes a person's home page", async () => {
    const { page } = await open({ path: "/slack/digest" });
    await page.getByRole("heading", { name: "Leaving ipvs: the week of team payments" }).waitFor();
    await page.getByText("Coverage:").first().waitFor();
    await page.getByRole("button", { name: /Team$/ }).click();
    await page.getByRole("option", { name: "data" }).click();
    await page.getByRole("heading", { name: "Leaving ipvs: the week of team data" }).waitFor();
    await page.getByRole("link", { name: "App Home" }).click();
    await page.getByRole("heading", { name: "Team payments" }).waitFor();
    await page.getByRole("button", { name: /Show a team/ }).click();
    await page.getByRole("option", { name: "platform" }).click();
    await page.getByRole("heading", { name: "Team platform" }).waitFor();
  });

  it("shows a hostile name literally, as Slack does", async () => {
    const { page, problems } = await open({ path: "/slack/team-data", own: () => hostileFleet(HOSTILE) });
    await say(page, "fleet");
    await answer(page).getByRole("cell", { name: HOSTILE }).first().waitFor();
    await say(page, `cluster ${HOSTILE_ID}`);
    await answer(page).getByText("<!channel>").first().waitFor();
    expect([
      await page.locator(".mention-all").count(),
      await page.locator('a[href*="evil"]').count(),
      problems,
    ]).toEqual([0, 0, []]);
  });

  it("shows two people what each may see", async () => {
    const { page, console } = await open({ path: "/slack/not-invited" });
    const other = await open({ path: "/slack/not-invited", console });
    await become(other.page, "Mia");
    await say(page, "countdown");
    await answer(page).getByText(/1\.40/).first().waitFor();
    expect(await other.page.getByRole("article").count()).toBe(0);
    await say(page, "approve web-kubeadm 1.43");
    await answer(page)
      .getByText(/invite/i)
      .first()
      .waitFor();
  });
});

/** Slack asks before it sends what cannot be taken back. */
async function confirmed(page: Page): Promise<void> {
  const dialog = page.getByRole("alertdialog");
  await dialog.waitFor({ timeout: 1_000 }).catch(() => undefined);
  if ((await dialog.count()) > 0) await dialog.getByRole("button").first().click();
}
