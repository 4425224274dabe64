import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import type { FleetOpeners } from "#src/console/server/console-fleet.ts";
import type { Console } from "#src/console/server/start-console.ts";
import { CHROMIUM, launchChromium, newPage, WITHOUT_CHROMIUM } from "./chromium.ts";
import { builtPage, consoleOn, scanned } from "./console.ts";

export interface Workbench {
  /** A console and a page at `path` of it, both ended with the test. */
  open(options?: Opening): Promise<{ console: Console; page: Page; problems: string[] }>;
}

interface Opening {
  path?: string;
  own?: FleetOpeners["own"];
  viewport?: { width: number; height: number };
  colorScheme?: "light" | "dark";
  /** Another page of the same console, as another person's. */
  console?: Console;
}

/** Tests of the page as it is now, in a real browser; skipped, saying so, where there is none. */
export function describeInBrowser(name: string, tests: (workbench: Workbench) => void): void {
  if (CHROMIUM === undefined) process.stderr.write(`skipped: ${name}: ${WITHOUT_CHROMIUM}\n`);
  describe.skipIf(CHROMIUM === undefined)(name, { timeout: 60_000 }, () => {
    let browser: Browser;
    let built: Awaited<ReturnType<typeof builtPage>>;
    let demo: Console;
    beforeAll(async () => {
      [browser, built] = await Promise.all([launchChromium(), builtPage()]);
      demo = await consoleOn(built.folder);
      await scanned(demo);
    }, 90_000);
    afterAll(async () => {
      await demo?.close();
      await browser?.close();
      await built?.remove();
    });
    tests({
      async open({ path = "/", own, console: given, ...look } = {}) {
        const console = given ?? (own === undefined ? demo : await consoleOn(built.folder, "own", own));
        const { page, problems } = await newPage(browser, look);
        onTestFinished(async () => {
          await page.context().close();
          if (own !== undefined) await console.close();
        });
        await page.goto(`${console.origin}${path}#token=${console.token}`);
        return { console, page, problems };
      },
    });
  });
}
