import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { listOf } from "../objects.ts";
import { scanned } from "../run-cli.ts";

type DataPlane = ClusterAudit["dataPlane"];
type Dump = [what: string, documents: object[], expected: Partial<DataPlane>];

/** The data plane of the one cluster in a dump, read from the standard input. */
export async function dataPlaneOf(stdin: string): Promise<DataPlane> {
  const { clusters } = await scanned(["--manifests", "-"], { stdin });
  const [audit] = clusters;
  if (audit === undefined || clusters.length > 1) throw new Error(`${clusters.length} clusters`);
  return audit.dataPlane;
}

/** A dump as YAML documents and as one List in JSON, as `kubectl get -o json` prints it. */
export function spellings(documents: object[]): string[] {
  return [
    documents.map((document) => stringify(document)).join("---\n"),
    JSON.stringify(listOf(...(documents as Record<string, unknown>[])), null, 4),
  ];
}

/** One test for each dump: it is answered the same in every spelling. */
export function describeDumps(name: string, dumps: Dump[]): void {
  describe(name, () => {
    it.each(dumps)("%s", async (_, documents, expected) => {
      for (const text of spellings(documents)) expect(await dataPlaneOf(text)).toMatchObject(expected);
    });
  });
}
