import { describe, expect, it } from "vitest";
import { readProxyModes } from "#src/evidence/kubernetes/proxy-modes.ts";
import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import { createManifestReader } from "#src/kubernetes/manifest-reader.ts";
import { manifestSetOf } from "#src/kubernetes/manifests.ts";
import { notSeen, type Observed, type Source, seen } from "#src/model/observed.ts";

const source: Source = { kind: "kubernetes", ref: "pods", at: "" };
const PODS = seen(
  ["a", "b", "c"].map((name) => ({ namespace: "kube-system", name })),
  source,
);

/** A cluster whose pods answer what is given, in order. */
function answering(...answers: Observed<string>[]): { reader: ClusterReader; asked: string[] } {
  const asked: string[] = [];
  const dump = createManifestReader(manifestSetOf([], 0), "");
  return {
    asked,
    reader: {
      ...dump,
      async podProxyMode({ pod }) {
        asked.push(pod);
        return answers[asked.length - 1] ?? notSeen("absent", "no such pod", source);
      },
    },
  };
}

const ok = (body: string) => seen(body, source);

describe("kube-proxy's own word for its mode", () => {
  it("is the word that each pod answers", async () => {
    const { reader } = answering(ok("ipvs"), ok("nftables\n"), ok("iptables"));
    expect(await readProxyModes(reader, PODS, 2)).toEqual(
      seen(
        [
          { namespace: "kube-system", pod: "a", mode: "ipvs" },
          { namespace: "kube-system", pod: "b", mode: "nftables" },
        ],
        source,
      ),
    );
  });

  it("is not asked for again once it is forbidden", async () => {
    const forbidden = notSeen("forbidden", "pods/proxy is forbidden", source);
    const { reader, asked } = answering(forbidden, ok("ipvs"));
    expect([await readProxyModes(reader, PODS, 3), asked]).toEqual([forbidden, ["a"]]);
  });

  it.each(["unknown", "none", "mixed", "IPVS", "404 page not found", ""])("is not %j", async (body) => {
    const { reader } = answering(ok(body));
    expect(await readProxyModes(reader, PODS, 1)).toEqual(
      notSeen("invalid", "the answer is no mode", source),
    );
  });
});
