import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { childCli } from "./child-cli.ts";
import { scanned } from "./run-cli.ts";

const ROOT = "test/fixtures/cases/clusters";

const text = z.string().nullable();
const strings = z.array(z.string());

/** How a truth.json reads: test/fixtures/cases/README.md. A key that is absent is not asserted. */
const truthSchema = z.object({
  expected: z.object({
    proxyMode: z.string(),
    other: z.object({
      acceptable: strings.optional(),
      mustNotReport: strings.optional(),
      effectiveMode: text.optional(),
      willStart: z.boolean().nullable().optional(),
      scheduler: text.optional(),
      strictARP: z.boolean().optional(),
      nodePortAddresses: strings.nullable().optional(),
      featureGates: z.record(z.string(), z.boolean()).optional(),
      replacedBy: z.string().optional(),
      managedBy: z.string().optional(),
      otherIpvsUsers: strings.optional(),
      conflict: z.boolean().optional(),
      ignoredFlags: strings.optional(),
      unused: z.record(z.string(), z.union([z.string(), z.boolean()])).optional(),
      kernelOK: z
        .union([z.boolean(), z.record(z.string(), z.boolean())])
        .nullable()
        .optional(),
      localhostNodePortUse: strings.optional(),
      schedulerValid: z.boolean().optional(),
    }),
  }),
});
type Other = z.infer<typeof truthSchema>["expected"]["other"];

const CASES = readdirSync(ROOT).map((name) => {
  const truth = truthSchema.parse(JSON.parse(readFileSync(join(ROOT, name, "truth.json"), "utf8")));
  return { name, ...truth.expected };
});

const AS_THEY_ARE = [
  "effectiveMode",
  "willStart",
  "scheduler",
  "strictARP",
  "nodePortAddresses",
  "featureGates",
  "replacedBy",
  "managedBy",
  "otherIpvsUsers",
] as const;

async function auditOf(name: string): Promise<ClusterAudit> {
  const { clusters } = await scanned(["--manifests", join(ROOT, name)]);
  const [audit] = clusters;
  if (audit === undefined || clusters.length > 1) throw new Error(`${clusters.length} clusters in ${name}`);
  return audit;
}

/** Findings of one check as people read them. */
function said(audit: ClusterAudit, check: string): string {
  return audit.findings
    .filter((finding) => finding.check === check)
    .map((finding) => `${finding.status}: ${finding.title}. ${finding.detail}`)
    .join("\n");
}

describe("scan --manifests on inputs that people really have", () => {
  it.each(CASES)("answers $name as its truth says", async ({ name, proxyMode, other }) => {
    const audit = await auditOf(name);
    const { dataPlane } = audit;
    expect(other.acceptable ?? [proxyMode]).toContain(dataPlane.mode);
    expect(other.mustNotReport ?? []).not.toContain(dataPlane.mode);
    const asserted = AS_THEY_ARE.filter((key) => other[key] !== undefined);
    expect(Object.fromEntries(asserted.map((key) => [key, dataPlane[key]]))).toEqual(
      Object.fromEntries(asserted.map((key) => [key, other[key]])),
    );
    if (other.ignoredFlags) {
      expect(dataPlane.ignored.map((flag) => flag.split("=")[0]).toSorted()).toEqual(other.ignoredFlags);
    }
  });

  it.each(CASES.filter(({ other }) => other.unused !== undefined))(
    "names the settings of $name that have no effect",
    async ({ name, other }) => {
      const audit = await auditOf(name);
      // The scheduler of the wrong section never reaches kube-proxy: it is not ipvs configuration at all.
      if (audit.dataPlane.mode === "ipvs") {
        expect(said(audit, "ipvs-settings-lost")).not.toContain(String(other.unused?.scheduler));
        return;
      }
      const dead = said(audit, "dead-ipvs-config");
      for (const [setting, value] of Object.entries(other.unused ?? {})) {
        expect(dead).toContain(`ipvs.${setting}: ${value}`);
      }
    },
  );

  it.each(CASES.filter(({ other }) => other.conflict))(
    "warns that in $name both run, kube-proxy and its replacement",
    async ({ name, other }) => {
      expect(said(await auditOf(name), "proxy-replacement")).toContain(
        `warning: ${other.replacedBy} replaces kube-proxy, and kube-proxy still runs`,
      );
    },
  );

  it.each(CASES.filter(({ other }) => other.willStart === false))(
    "says of $name that kube-proxy does not start, and what it refuses",
    async ({ name }) => {
      const audit = await auditOf(name);
      const blockers = audit.findings.filter((finding) => finding.status === "blocker");
      expect(blockers.map((finding) => finding.check)).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^(proxy-mode-invalid|proxy-mode-unset|node-kernel)$/),
        ]),
      );
    },
  );

  it.each(CASES.filter(({ other }) => other.kernelOK !== undefined && other.kernelOK !== null))(
    "counts the nodes of $name that are too old for nftables",
    async ({ name, other }) => {
      const { nodes } = await auditOf(name);
      const tooOld = nodes.pools.flatMap((pool) => (pool.nftables === "no" ? [pool] : []));
      expect(tooOld.length > 0).toBe(anyTooOld(other.kernelOK));
    },
  );

  function anyTooOld(kernelOK: Other["kernelOK"]): boolean {
    return typeof kernelOK === "object" && kernelOK !== null
      ? Object.values(kernelOK).includes(false)
      : kernelOK === false;
  }

  it("reads the same from a process of its own", async () => {
    const names = ["02-kubeadm-ipvs-sed-scheduler", "43-aks-arm-ipvs", "56-k3s-mixed-nodes"];
    const folders = names.flatMap((name) => ["--manifests", join(ROOT, name)]);
    const { exitCode, stdout, stderr } = await childCli([
      "scan",
      "--output",
      "json",
      "--store",
      "none",
      ...folders,
    ]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    const modes = JSON.parse(stdout).clusters.map((audit: ClusterAudit) => [
      audit.name,
      audit.dataPlane.mode,
    ]);
    expect(modes).toEqual([
      ["02-kubeadm-ipvs-sed-scheduler", "ipvs"],
      ["43-aks-arm-ipvs", "ipvs"],
      ["56-k3s-mixed-nodes", "mixed"],
    ]);
  });
});
