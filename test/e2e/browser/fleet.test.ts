import { expect, it } from "vitest";
import { readDemoFleet } from "#src/demo/fleet-folder.ts";
import { emptyFleet, hostileFleet } from "./fleets.ts";
import { describeInBrowser } from "./with-browser.ts";

const CLUSTERS = readDemoFleet().length;
const HOSTILE = "<img src=x onerror=alert(1)> <!channel> *x* & <http://evil|click>";

describeInBrowser("the fleet in a browser", ({ open }) => {
  it("says how long there is and how much is known, and what is not known stands out", async () => {
    const { page, problems } = await open();
    const headline = page.getByRole("region", { name: "Headline" });
    await headline.getByText(`of ${CLUSTERS} audited`).waitFor();
    const text = (await headline.innerText()).replace(/\s+/g, " ");
    const countdown = "\\d+ releases? about \\d+ months? \\w{3} 20\\d\\d ± \\d weeks \\(estimated\\)";
    expect(text).toMatch(new RegExp(`ipvs off by default in 1\\.40 planned ${countdown}`));
    expect(text).toMatch(new RegExp(`ipvs removed in 1\\.43 planned ${countdown}`));
    expect(text).toContain(`${CLUSTERS - 2} of ${CLUSTERS} audited 1 not reached 1 denied`);
    expect(problems).toEqual([]);
  });

  it("finds, filters and orders clusters, and keeps that in the address", async () => {
    const { page } = await open();
    const names = () => page.getByRole("row").getByRole("link").allInnerTexts();
    await page.getByRole("link", { name: "payments-prod-eu" }).waitFor();
    await page.getByRole("searchbox", { name: "Search" }).fill("eks payments");
    await expect
      .poll(async () => (await names()).toSorted())
      .toEqual(["checkout-staging", "orders-staging", "payments-prod-eu", "payments-prod-us"]);
    await page.getByRole("searchbox", { name: "Search" }).fill("");
    await page.getByRole("button", { name: "1 denied" }).click();
    await expect.poll(names).toEqual(["locked-down"]);
    await page.getByRole("button", { name: "1 denied" }).click();
    await page.getByRole("button", { name: "All Mode" }).click();
    await page.getByRole("option", { name: "mixed" }).click();
    await expect.poll(names).toEqual(["edge-k3s"]);
    expect(new URL(page.url()).search).toBe("?mode=mixed");
    await page.reload();
    await expect.poll(names).toEqual(["edge-k3s"]);
    await page.goto(`${new URL(page.url()).origin}/?q=nothing-like-this`);
    await page.getByRole("button", { name: `Show all ${CLUSTERS}` }).click();
    await page.getByRole("button", { name: "Cluster", exact: true }).click();
    await expect.poll(async () => (await names())[0]).toBe("ack-shanghai");
    await page.getByRole("button", { name: "Cluster", exact: true }).click();
    await expect.poll(async () => (await names())[0]).toBe("web-kubeadm");
    expect(await page.getByRole("columnheader", { name: "Cluster" }).getAttribute("aria-sort")).toBe(
      "descending",
    );
  });

  it("gives verdicts for a version that is typed, and says what is none", async () => {
    const { page } = await open();
    const target = page.getByRole("combobox", { name: "Upgrade to" });
    await target.fill("1.38");
    await target.press("Enter");
    await page.getByRole("columnheader", { name: "To 1.38" }).waitFor();
    await page.getByRole("heading", { name: "Upgrade to 1.38" }).waitFor();
    await target.fill("9.9");
    await target.press("Enter");
    await page.getByRole("alert").getByText('"9.9" is not a Kubernetes version').waitFor();
  });

  it("shows the burn-down, and its numbers to those who cannot see it", async () => {
    const { page } = await open();
    await page.locator(".chart svg").first().waitFor();
    await page.getByText("The numbers").click();
    const rows = page.getByRole("table").filter({ hasText: "unknown or not audited" }).getByRole("row");
    expect(await rows.count()).toBe(13);
    expect((await rows.nth(1).getByRole("cell").allInnerTexts()).map(Number)).toEqual([
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
      CLUSTERS,
    ]);
  });

  it("has a page for each cluster, with evidence and what to do, which can be copied", async () => {
    const { page, problems } = await open();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("link", { name: "payments-prod-eu" }).click();
    await page.getByRole("heading", { name: "payments-prod-eu", level: 1 }).waitFor();
    const finding = page
      .getByRole("group")
      .filter({ hasText: "kube-proxy runs in ipvs mode, which ends with kube-proxy 1.40" });
    expect(await finding.locator(".evidence").innerText()).toMatch(
      /mode: ipvs\s+\/api\/v1\/namespaces\/kube-system\/configmaps\/kube-proxy-config.* · kubernetes, read 20\d\d-/,
    );
    await finding.getByRole("button", { name: "Copy what to do" }).click();
    await page.getByText("Copied", { exact: true }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("aws eks update-addon");
    const pools = page.getByRole("region", { name: /^Nodes/ }).first();
    expect(await pools.innerText()).toMatch(/general-al2\s+4\s+5\.10\.\S+\s+too old/);
    const verdicts = page.getByRole("region", { name: "Verdicts" }).first();
    expect(await verdicts.innerText()).toMatch(/1\.40\s+✕\s+blocked\s+by proxy-mode \(planned\)/);
    expect(problems).toEqual([]);
  });

  it("says of a cluster that denies everything what was not read, and why", async () => {
    const { page } = await open({ path: "/clusters/demo%3Alocked-down" });
    await page.getByRole("heading", { name: "locked-down denied" }).waitFor();
    const unread = page.getByRole("region", { name: /^Not read/ }).first();
    expect(await unread.innerText()).toMatch(/daemonsets\s+forbidden/);
  });

  it("lists every decision, with what has become of it and for which cluster", async () => {
    const { page } = await open({ path: "/decisions" });
    const item = page.getByRole("listitem").filter({ hasText: "PAY-1187" });
    expect((await item.innerText()).replace(/\s+/g, " ")).toMatch(
      /^expiring checkout-staging: proxy-mode-unset waived by mara until 20\d\d-.* UTC \(8 days left\)/,
    );
    await item.getByRole("link", { name: "checkout-staging" }).click();
    await page.getByRole("heading", { name: "checkout-staging", level: 1 }).waitFor();
    await page.getByText("waived", { exact: true }).first().waitFor();
  });

  it("scans one cluster again, and tells when it is done", async () => {
    const { page } = await open({ path: "/clusters/demo%3Aweb-kubeadm" });
    await page.getByRole("button", { name: "Scan again" }).click();
    await page.getByText("Audited just now").waitFor();
  });

  it("scans what was chosen with live progress", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Scan", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Scan clusters" });
    await dialog.getByRole("button", { name: "Select none" }).click();
    for (const name of ["edge-k3s", "unreachable"]) await dialog.getByText(name, { exact: true }).click();
    await dialog.getByRole("button", { name: "Scan 2 clusters" }).click();
    await page.getByRole("status").getByText("1 of 2 audited, 1 not reached.").waitFor();
    expect(await page.getByRole("dialog").innerText()).toMatch(/unreachable: 127\.0\.0\.1:\d+: /);
  });

  it("without any audit offers to scan or to look at the demo, and says why a kubeconfig cannot be read", async () => {
    const { page } = await open({ own: emptyFleet });
    await page.getByRole("heading", { name: "No audits are stored yet" }).waitFor();
    await page.getByRole("button", { name: "Choose what to scan" }).click();
    await page.getByRole("alert").getByText("cannot read ~/.kube/config").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Look at the demo fleet first" }).click();
    await page.getByText(`of ${CLUSTERS} audited`).waitFor({ timeout: 30_000 });
  });

  it("shows names as text, whatever they say", async () => {
    const { page, problems } = await open({ own: () => hostileFleet(HOSTILE) });
    await page.getByRole("link", { name: HOSTILE }).click();
    await page.getByRole("heading", { name: HOSTILE, level: 1 }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: HOSTILE, level: 1 }).waitFor();
    expect([await page.locator("img").count(), problems]).toEqual([0, []]);
  });

  it("sends strangers to the terminal, and says when the console is gone", async () => {
    const { console, page } = await open({ own: emptyFleet });
    await page.getByRole("heading", { name: "No audits are stored yet" }).waitFor();
    await page.evaluate("localStorage.clear()");
    await page.goto(`${console.origin}/`);
    await page.getByRole("heading", { name: "Open the address that the console printed" }).waitFor();
    await page.goto(`${console.origin}/#token=${console.token}`);
    await page.reload();
    await page.getByRole("heading", { name: "No audits are stored yet" }).waitFor();
    expect(page.url()).not.toContain("token");
    await console.close();
    await page.getByRole("button", { name: "Choose what to scan" }).click();
    await page.getByText("The console does not answer").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("link", { name: "Slack" }).click();
    await page.getByRole("alert").getByText("Is the console still running in its terminal?").waitFor();
  });

  it("works by keyboard alone: skip link, filters, a cluster and back", async () => {
    const { page } = await open();
    await page.getByRole("link", { name: "payments-prod-eu" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.getByRole("searchbox", { name: "Search" }).focus();
    await page.keyboard.type("ack");
    await expect
      .poll(() => page.getByRole("row").getByRole("link").allInnerTexts())
      .toEqual(["ack-shanghai"]);
    await page.getByRole("row").getByRole("link").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "ack-shanghai", level: 1 }).waitFor();
    expect(await page.evaluate("[document.activeElement.id, document.title, window.scrollY]")).toEqual([
      "main",
      "ack-shanghai · proxy-audit",
      0,
    ]);
    await page.goBack();
    await expect
      .poll(() => page.getByRole("row").getByRole("link").allInnerTexts())
      .toEqual(["ack-shanghai"]);
  });
});
