import { describe, expect, it } from "vitest";
import { readConfigMap } from "#src/evidence/kubernetes/config-maps.ts";
import { readReferencedConfigMaps } from "#src/evidence/kubernetes/referenced-config-maps.ts";
import { type Workload, workloadOf } from "#src/evidence/kubernetes/workloads.ts";
import { createManifestReader } from "#src/kubernetes/manifest-reader.ts";
import { manifestSetOf, parseManifestText } from "#src/kubernetes/manifests.ts";

const AT = "2026-11-30T09:00:00Z";

function readerOf(yaml: string) {
  return createManifestReader(manifestSetOf(parseManifestText(yaml, "dump.yaml"), 1), AT);
}

function daemonSet(namespace: string, configMaps: readonly string[]): Workload {
  const workload = workloadOf(
    {
      metadata: { name: "agent", namespace },
      spec: {
        template: {
          spec: {
            containers: [{ name: "agent" }],
            volumes: configMaps.map((name) => ({ name, configMap: { name } })),
          },
        },
      },
    },
    "DaemonSet",
  );
  if (workload === null) throw new Error("not a workload");
  return workload;
}

const SCRIPTS = `
apiVersion: v1
kind: ConfigMap
metadata: { name: scripts, namespace: kube-system }
data:
  check.sh: |
    PASSWORD=hunter2 ipvsadm -Ln
  notes: nothing here
`;

describe("ConfigMaps that workloads refer to", () => {
  it("are reduced to the words that matched: their data is not kept", async () => {
    const read = await readReferencedConfigMaps(
      readerOf(SCRIPTS),
      [daemonSet("kube-system", ["scripts", "kube-root-ca.crt"])],
      new Map(),
    );
    expect([...read]).toEqual([
      [
        "kube-system/scripts",
        {
          seen: true,
          value: [{ key: "check.sh", mentions: [{ kind: "ipvs", text: "ipvsadm" }] }],
          source: { kind: "manifest", ref: "dump.yaml: ConfigMap kube-system/scripts", at: AT },
        },
      ],
    ]);
  });

  it("are not asked for in namespaces that the role does not grant", async () => {
    const read = await readReferencedConfigMaps(
      readerOf(SCRIPTS),
      [daemonSet("shop", ["scripts"])],
      new Map(),
    );
    expect([...read]).toEqual([]);
  });

  it("are not read twice", async () => {
    const reader = readerOf(SCRIPTS);
    const known = new Map([["kube-system/scripts", await readConfigMap(reader, "kube-system", "scripts")]]);
    const nothing = readerOf("apiVersion: v1\nkind: ConfigMapList\nitems: []\n");
    const read = await readReferencedConfigMaps(nothing, [daemonSet("kube-system", ["scripts"])], known);
    expect(read.get("kube-system/scripts")?.seen).toBe(true);
  });

  it("past a hundred are left, and say so", async () => {
    const names = Array.from({ length: 103 }, (_, index) => `scripts-${index}`);
    const read = await readReferencedConfigMaps(
      readerOf("apiVersion: v1\nkind: ConfigMapList\nitems: []\n"),
      [daemonSet("kube-system", names)],
      new Map(),
    );
    const reasons = [...read.values()].map((one) => (one.seen === false ? one.why : "seen"));
    expect(reasons).toEqual([
      ...Array.from({ length: 100 }, () => "absent"),
      ...Array.from({ length: 3 }, () => "not-requested"),
    ]);
  });
});
