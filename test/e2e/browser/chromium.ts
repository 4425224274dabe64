import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

const PLACES = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"];

/** Debian's Chromium, where it is installed. */
export const CHROMIUM: string | undefined = PLACES.find((path) => path !== undefined && existsSync(path));

export const WITHOUT_CHROMIUM =
  "no Chromium at /usr/bin/chromium: apt-get install chromium, or set CHROMIUM, to test the console's page";

export async function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error(WITHOUT_CHROMIUM);
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export const LAPTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/**
 * A page in a context of its own. `problems` collects what a person would find in the browser's console: errors,
 * and what the page's policy has stopped.
 */
export async function newPage(
  browser: Browser,
  options: { viewport?: { width: number; height: number }; colorScheme?: "light" | "dark" } = {},
): Promise<{ page: Page; problems: string[] }> {
  const { viewport = LAPTOP, colorScheme = "light" } = options;
  const context = await browser.newContext({ viewport, colorScheme, timezoneId: "UTC", locale: "en-GB" });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  return { page, problems };
}
