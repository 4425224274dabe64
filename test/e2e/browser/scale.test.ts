import { expect, it } from "vitest";
import { largeFleet } from "./fleets.ts";
import { describeInBrowser } from "./with-browser.ts";

const CLUSTERS = 1_000;

describeInBrowser("a fleet of 1,000 clusters in a browser", ({ open }) => {
  it("keeps little in the document, whatever is filtered, ordered and scrolled to", async () => {
    const { page, problems } = await open({ own: () => largeFleet(CLUSTERS) });
    await page.getByText(`${CLUSTERS} clusters`, { exact: true }).waitFor();
    const rows = page.locator(".table-body [role=row]");
    expect(await rows.count()).toBeLessThan(60);
    expect(await page.getByRole("table", { name: "Clusters" }).getAttribute("aria-rowcount")).toBe("1001");

    await page.getByRole("searchbox", { name: "Search" }).pressSequentially("web-kubeadm");
    await page.getByText(/^\d+ of 1000 clusters$/).waitFor();
    await page.getByRole("button", { name: "Clear the search" }).click();
    await page.getByText(`${CLUSTERS} clusters`, { exact: true }).waitFor();

    await page.getByRole("button", { name: "Cluster", exact: true }).click();
    await rows
      .first()
      .getByRole("link", { name: /^ack-shanghai/ })
      .waitFor();
    expect(await rows.count()).toBeLessThan(60);

    await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
    await page.getByRole("row").filter({ hasText: "web-kubeadm-" }).last().waitFor();
    expect(await rows.count()).toBeLessThan(60);
    expect(problems).toEqual([]);
  });
});
