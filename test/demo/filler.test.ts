import { describe, expect, it } from "vitest";
import { textAt } from "#src/demo/api-server/kubernetes-object.ts";
import { fillerObjects } from "#src/demo/filler.ts";

const FILLER = { namespaces: 300, prefix: "pr-", services: ["web", "db"], serviceCidr: "10.100.0.0/16" };

describe("filler objects", () => {
  it("are a Service with its EndpointSlice for each namespace and name", () => {
    const objects = fillerObjects(FILLER);
    expect(objects.length).toBe(1_200);
    expect(
      objects
        .slice(-4)
        .map((object) => [
          object.kind,
          `${object.metadata.namespace}/${object.metadata.name}`,
          textAt(object, "spec.clusterIP"),
          object.metadata.labels?.["kubernetes.io/service-name"],
        ]),
    ).toEqual([
      ["Service", "pr-0300/web", "10.100.2.87", undefined],
      ["EndpointSlice", "pr-0300/web-slice", undefined, "web"],
      ["Service", "pr-0300/db", "10.100.2.88", undefined],
      ["EndpointSlice", "pr-0300/db-slice", undefined, "db"],
    ]);
  });

  it("have an address each, and are refused where those do not suffice", () => {
    const addresses = fillerObjects(FILLER).flatMap((object) => textAt(object, "spec.clusterIP") ?? []);
    expect(new Set(addresses).size).toBe(600);
    expect(() => fillerObjects({ ...FILLER, namespaces: 40_000 })).toThrow(RangeError);
  });
});
