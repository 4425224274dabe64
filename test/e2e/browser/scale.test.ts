import { expect, it } from "vitest";
import { largeFleet } from "./fleets.ts";
import { describeInBrowser } from "./with-browser.ts";

const CLUSTERS = 1_000;

describeInBrowser("a fleet of 1,000 clusters in a browser", ({ open }) => {
  it("stays fluent: little in the document, quick to filter, order and scroll to its end", async () => {
    const { page, problems } = await open({ own: () => largeFleet(CLUSTERS) });
    await page.getByText(`${CLUSTERS} clusters`, { exact: true }).waitFor();
    const rows = page.locator(".table-body [role=row]");
    expect(await rows.count()).toBeLessThan(60);
    expect(await page.getByRole("table", { name: "Clusters" }).getAttribute("aria-rowcount")).toBe("1001");

    const typed = await timed(() =>
      page.getByRole("searchbox", { name: "Search" }).pressSequentially("web-kubeadm"),
    );
    await page.getByText(/^\d+ of 1000 clusters$/).waitFor();
    // Eleven keys, about 50 ms each on an idle machine; all rows in the document take seconds a key.
    expect(typed / 11).toBeLessThan(400);
    await page.getByRole("button", { name: "Clear the search" }).click();
    await page.getByText(`${CLUSTERS} clusters`, { exact: true }).waitFor();

    const ordered = await timed(async () => {
      await page.getByRole("button", { name: "Cluster", exact: true }).click();
      await rows
        .first()
        .getByRole("link", { name: /^ack-shanghai/ })
        .waitFor();
    });
    expect(ordered).toBeLessThan(3_000);

    const longest = await page.evaluate(`new Promise((resolve) => {
      let last = performance.now();
      let longest = 0;
      let step = 0;
      const frame = (now) => {
        longest = Math.max(longest, now - last);
        last = now;
        window.scrollTo(0, document.body.scrollHeight * (step / 60));
        step += 1;
        if (step <= 60) requestAnimationFrame(frame);
        else resolve(longest);
      };
      requestAnimationFrame(frame);
    })`);
    // The longest of 60 frames, about 80 ms on an idle machine.
    expect(longest).toBeLessThan(1_500);
    await page.getByRole("row").filter({ hasText: "web-kubeadm-" }).last().waitFor();
    expect(await rows.count()).toBeLessThan(60);
    expect(problems).toEqual([]);
  });
});

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}
