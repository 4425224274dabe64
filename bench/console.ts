/**
 * How fluent the console stays with 1,000 clusters, beside 18: what a key in the search costs, and the longest frame
 * of a scroll to the end. `node bench/console.ts`; needs chromium.
 */
import type { Page } from "playwright-core";
import { launchChromium, newPage } from "../test/e2e/browser/chromium.ts";
import { builtPage, consoleOn } from "../test/e2e/browser/console.ts";
import { largeFleet } from "../test/e2e/browser/fleets.ts";

const WORD = "web-kubeadm";
const FRAMES = 60;

const [browser, built] = await Promise.all([launchChromium(), builtPage()]);
const few = await measured(18);
const many = await measured(1_000);
await browser.close();
await built.remove();
console.log("clusters   ms a key   longest frame, ms");
for (const { clusters, key, frame } of [few, many]) {
  console.log(
    `${String(clusters).padStart(8)}${key.toFixed(0).padStart(11)}${frame.toFixed(0).padStart(20)}`,
  );
}
console.log(
  `   ratio${(many.key / few.key).toFixed(1).padStart(10)}x${(many.frame / few.frame).toFixed(1).padStart(19)}x`,
);

async function measured(clusters: number): Promise<{ clusters: number; key: number; frame: number }> {
  const served = await consoleOn(built.folder, "own", () => largeFleet(clusters));
  const { page } = await newPage(browser, {});
  await page.goto(`${served.origin}/#token=${served.token}`);
  await page.getByText(`${clusters} clusters`, { exact: true }).waitFor();
  const before = performance.now();
  await page.getByRole("searchbox", { name: "Search" }).pressSequentially(WORD);
  await page.getByText(new RegExp(`^\\d+ of ${clusters} clusters$`)).waitFor();
  const key = (performance.now() - before) / WORD.length;
  await page.getByRole("button", { name: "Clear the search" }).click();
  await page.getByText(`${clusters} clusters`, { exact: true }).waitFor();
  const frame = await longestFrame(page);
  await page.context().close();
  await served.close();
  return { clusters, key, frame };
}

function longestFrame(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    let last = performance.now(), longest = 0, step = 0;
    const frame = (now) => {
      longest = Math.max(longest, now - last);
      last = now;
      window.scrollTo(0, document.body.scrollHeight * (step / ${FRAMES}));
      step += 1;
      if (step <= ${FRAMES}) requestAnimationFrame(frame);
      else resolve(longest);
    };
    requestAnimationFrame(frame);
  })`);
}
