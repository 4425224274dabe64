import { describe, expect, it } from "vitest";
import { renderTable } from "#src/report/table.ts";
import { displayWidth } from "#src/report/text.ts";
import { DARK, EDGE, FLEET, HOSTILE, NOW, PAYMENTS, scan, TITLES } from "./example.ts";

const OPTIONS = { now: NOW, columns: 100, colour: false, titles: TITLES };

describe("the table", () => {
  it("shows a fleet first as a whole, then cluster by cluster", async () => {
    await expect(renderTable(FLEET, OPTIONS)).toMatchFileSnapshot("../fixtures/reports/fleet.txt");
  });

  it("shows one cluster in full, with what the verdicts cover", async () => {
    await expect(renderTable(scan(PAYMENTS), OPTIONS)).toMatchFileSnapshot(
      "../fixtures/reports/payments.txt",
    );
  });

  it("says that a cluster without an answer is neither fine nor broken, and has no verdict", () => {
    expect(renderTable(scan(DARK), OPTIONS)).toMatchInlineSnapshot(`
      "old-lab (kubeconfig:old-lab)
        Kubernetes version unknown, unknown
        kube-proxy version unknown, mode: unknown
        no nodes were read
        audited 2027-03-01 09:00 UTC, 2 hours ago
        This cluster gave no answer: nothing here says that it is fine, or that it is not.

      Upgrade to
        no verdict, as too little was read

      Not read
        - /version: timeout (no answer from 10.0.0.7:6443 within 60 s)

      Next: Make the cluster reachable and audit it again (timeout: no answer from 10.0.0.7:6443 within 60
      s)
      "
    `);
  });

  it("says so when there is nothing to show", () => {
    expect(renderTable(scan(), OPTIONS)).toBe("No clusters were audited.\n");
  });

  it.each([40, 60, 80, 120, 200])("keeps to %i columns, and no name loses a character", (columns) => {
    const text = renderTable(scan(PAYMENTS, EDGE, { ...DARK, name: "東京の本番クラスタ".repeat(3) }), {
      ...OPTIONS,
      columns,
    });
    expect(text.split("\n").filter((line) => displayWidth(line) > columns)).toEqual([]);
    expect(text.replace(/\s/g, "")).toContain(PAYMENTS.id);
    expect(text).not.toContain("…");
  });

  it("colours only when asked, and every colour ends on its line", () => {
    const ansi = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g");
    const coloured = renderTable(FLEET, { ...OPTIONS, colour: true });
    expect(coloured.replace(ansi, "")).toBe(renderTable(FLEET, OPTIONS));
    const unbalanced = coloured.split("\n").filter((line) => (line.match(ansi) ?? []).length % 2 === 1);
    expect([coloured === coloured.replace(ansi, ""), unbalanced]).toEqual([false, []]);
  });

  it("lets no name steer the terminal", () => {
    expect(renderTable(scan(HOSTILE, EDGE), OPTIONS)).not.toMatch(/[^\P{C}\n]/u);
  });
});
