/**
 * `npm run screenshots`: what a person sees, as pictures to look at, in screenshots/ (not kept). Those that the
 * README shows go to docs/images.
 */
import { mkdir } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import type { Console } from "#src/console/server/start-console.ts";
import { LAPTOP, launchChromium, newPage, PHONE } from "../test/e2e/browser/chromium.ts";
import { builtPage, consoleOn, scanned } from "../test/e2e/browser/console.ts";
import { emptyFleet } from "../test/e2e/browser/fleets.ts";

const FOLDER = "screenshots";
const IMAGES = "docs/images";

const built = await builtPage();
const browser = await launchChromium();
await mkdir(FOLDER, { recursive: true });
try {
  await pictures(browser);
} finally {
  await browser.close();
  await built.remove();
}

async function pictures(browser: Browser): Promise<void> {
  const console = await consoleOn(built.folder, "demo", emptyFleet);
  await scanned(console);
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [size, viewport] of [
      ["laptop", LAPTOP],
      ["phone", PHONE],
    ] as const) {
      const { page, problems } = await newPage(browser, { viewport, colorScheme });
      await page.goto(console.url);
      const shot = (name: string, fullPage = true) =>
        picture(page, `${name}-${colorScheme}-${size}`, fullPage);
      await page.getByRole("link", { name: "payments-prod-eu" }).waitFor();
      await page.locator(".chart svg").first().waitFor();
      // Only what is in sight is in the document: a window as high as the page has it all.
      await page.setViewportSize({ ...viewport, height: size === "phone" ? 3_600 : 1_900 });
      await shot("fleet", false);
      await page.setViewportSize(viewport);
      await page.getByRole("link", { name: "payments-prod-eu" }).click();
      await page.getByRole("heading", { name: "Findings" }).waitFor();
      await shot("cluster");
      await page.goto(`${console.origin}/clusters/demo:locked-down`);
      await page.getByRole("heading", { name: "Findings" }).waitFor();
      await shot("cluster-denied");
      await page.goto(`${console.origin}/decisions`);
      await page.getByText("PAY-1187").waitFor();
      await shot("decisions", false);
      await page.goto(`${console.origin}/?q=nothing-like-this`);
      await page.getByText("No cluster fits").waitFor();
      await shot("no-match");
      await page.goto(`${console.origin}/?target=9.9`);
      await page.getByRole("alert").first().waitFor();
      await page.getByRole("link", { name: "ack-shanghai" }).waitFor();
      await shot("bad-version", false);
      await page.goto(`${console.origin}/`);
      await page.getByRole("button", { name: "Scan", exact: true }).click();
      await page.getByRole("dialog").waitFor();
      await shot("scan-dialog", false);
      await slackPictures(page, console.origin, shot);
      for (const problem of problems) process.stderr.write(`${colorScheme} ${size}: ${problem}\n`);
      await page.context().close();
    }
  }
  await forReadme(browser, console);
  await console.close();
  await withoutFleet(browser);
}

/** Two small ones. */
async function forReadme(browser: Browser, console: Console): Promise<void> {
  await mkdir(IMAGES, { recursive: true });
  const { page } = await newPage(browser, { viewport: { width: 1200, height: 700 } });
  await page.goto(console.url);
  await page.locator(".chart svg").first().waitFor();
  await page.setViewportSize({ width: 1200, height: 940 });
  await page.screenshot({ path: `${IMAGES}/console-fleet.png` });
  await page.setViewportSize({ width: 1200, height: 700 });
  await page.goto(`${console.origin}/slack/team-platform`);
  await page.getByRole("combobox", { name: /^Message to/ }).fill("/proxy-audit blockers edge-k3s 1.40");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.getByRole("article").nth(1).waitFor();
  await page.screenshot({ path: `${IMAGES}/console-slack.png` });
  await page.context().close();
}

async function slackPictures(
  page: Page,
  origin: string,
  shot: (name: string, fullPage?: boolean) => Promise<void>,
): Promise<void> {
  const say = async (text: string) => {
    const box = page.getByRole("combobox", { name: /^Message to/ });
    await box.fill(`/proxy-audit ${text}`);
    const before = await page.getByRole("article").count();
    await page.keyboard.press("Escape");
    await box.press("Enter");
    await page
      .getByRole("article")
      .nth(before + 1)
      .waitFor();
  };
  await page.goto(`${origin}/slack/not-invited`);
  await page.getByText("Nothing was said here yet").waitFor();
  await shot("slack-empty", false);
  await page.getByRole("combobox", { name: /^Message to/ }).fill("/proxy-audit blockers pay");
  await page.getByRole("option").first().waitFor();
  await shot("slack-completion", false);
  for (const text of [
    "help",
    "fleet",
    "blockers payments-prod-eu 1.40",
    "ask is ipvs removed in 1.37?",
    "cluster locked-down",
    "nonsense",
  ]) {
    await page.goto(`${origin}/slack/team-data`);
    await say(text);
    await shot(`slack-${text.split(" ")[0]}`, false);
  }
  await page.getByRole("button", { name: "JSON of this message" }).last().click();
  await page.getByText("The validator finds nothing").waitFor();
  await shot("slack-json", false);
  await page.goto(`${origin}/slack/upgrade-approvals`);
  await say("approve web-kubeadm 1.40");
  await shot("slack-approve", false);
  await say("waive payments-prod-eu proxy-mode");
  await shot("slack-waive-refused", false);
  await page.getByRole("button", { name: /You are$/ }).click();
  await page.getByRole("option", { name: "Eve" }).click();
  await page.getByRole("combobox", { name: /^Message to/ }).fill("/proxy-audit waive edge-k3s proxy-mode");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Waive a check" });
  await dialog.waitFor();
  await shot("slack-modal", false);
  await dialog.getByRole("button", { name: "Waive" }).click();
  await dialog.getByRole("alert").first().waitFor();
  await shot("slack-modal-error", false);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const request = page.getByRole("article").filter({ hasText: "asks for approval" }).last();
  await request.getByRole("button", { name: "Approve" }).click();
  await page.waitForTimeout(300);
  await shot("slack-confirm", false);
  const confirm = page.getByRole("alertdialog");
  if ((await confirm.count()) > 0) await confirm.getByRole("button").first().click();
  await request.getByRole("button", { name: /repl/ }).click();
  await page.getByRole("complementary", { name: "Thread" }).waitFor();
  await shot("slack-approved", false);
  await page.goto(`${origin}/slack/home`);
  await page.getByRole("heading", { name: "Leaving ipvs" }).waitFor();
  await shot("slack-home", false);
  await page.goto(`${origin}/slack/digest`);
  await page.getByRole("heading", { name: "In its thread" }).waitFor();
  await shot("slack-digest");
}

async function withoutFleet(browser: Browser): Promise<void> {
  const console = await consoleOn(built.folder, "own", emptyFleet);
  const { page } = await newPage(browser);
  await page.goto(console.url);
  await page.getByText("No audits are stored yet").waitFor();
  await picture(page, "empty", false);
  await page.getByRole("button", { name: "Choose what to scan" }).click();
  await page.getByRole("alert").waitFor();
  await picture(page, "scan-without-kubeconfig", false);
  await page.goto(`${console.origin}/clusters/kubeconfig:gone`);
  await page.getByText("has not been audited").waitFor();
  await picture(page, "cluster-unknown", false);
  await page.goto(console.origin);
  await page.getByText("No audits are stored yet").waitFor();
  await console.close();
  await page.getByRole("link", { name: "Slack" }).click();
  await page.getByRole("alert").waitFor();
  await picture(page, "console-gone", false);
  const stranger = await newPage(browser);
  const again = await consoleOn(built.folder, "own", emptyFleet);
  await stranger.page.goto(again.origin);
  await stranger.page.getByText("Open the address").waitFor();
  await picture(stranger.page, "without-token", false);
  await again.close();
}

async function picture(page: Page, name: string, fullPage: boolean): Promise<void> {
  await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage });
}
