import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { manifestSetOf, parseManifestText } from "#src/kubernetes/manifests.ts";
import { yamlParts } from "#src/kubernetes/yaml-parts.ts";

const item = (name: string, note = "") => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "kube-system" },
  data: { "config.conf": `mode: ipvs\n- not: an item\nitems:\n- nor this\n${note}` },
});
/** Large enough to be read in parts. */
const filler = "x".repeat(40_000);
const items = Array.from({ length: 30 }, (_, index) => item(`map-${index}`, filler));
const list = { apiVersion: "v1", kind: "List", items, metadata: { resourceVersion: "" } };

describe("a large List in YAML", () => {
  const text = stringify(list, { indentSeq: false });

  it("is read item by item", () => {
    expect(yamlParts(text)).toHaveLength(items.length + 1);
  });

  it("holds what it holds when it is read whole", () => {
    const { objects, lists } = manifestSetOf(parseManifestText(text, "dump.yaml"), 1);
    expect(objects.map(({ raw }) => raw)).toEqual(items);
    expect(lists).toEqual(new Set());
  });

  it("of one kind still says that the kind was read whole", () => {
    const typed = stringify({ ...list, kind: "ConfigMapList" }, { indentSeq: false });
    const { lists, objects } = manifestSetOf(parseManifestText(typed, "dump.yaml"), 1);
    expect([lists, objects.length]).toEqual([new Set(["v1/ConfigMap"]), 30]);
  });

  it("may stand between other documents", () => {
    const documents = `${stringify(item("before"))}---\n${text}---\n${stringify(item("after"))}`;
    const { objects } = manifestSetOf(parseManifestText(documents, "dump.yaml"), 1);
    expect(objects.map(({ metadata }) => metadata.name)).toEqual([
      ...items.map(({ metadata }) => metadata.name).toSpliced(0, 0, "before"),
      "after",
    ]);
  });

  it("is broken at the line at which it is broken", () => {
    const lines = text.split("\n");
    const at = lines.findLastIndex((line) => line.startsWith("    name:"));
    lines[at] = "    name: [map";
    expect(() => parseManifestText(lines.join("\n"), "dump.yaml")).toThrow(
      new RegExp(`^dump.yaml:(${at + 1}|${at + 2}): `),
    );
  });

  it("is one piece where it uses anchors", () => {
    const anchored = `${text}more: &all\n  a: b\nother: *all\n`;
    expect(yamlParts(anchored)).toHaveLength(1);
  });
});

describe("JSON", () => {
  it("is read as JSON, tabs and all", () => {
    const text = JSON.stringify(list, null, "\t");
    expect(manifestSetOf(parseManifestText(text, "dump.json"), 1).objects).toHaveLength(30);
  });

  it("that is broken is named by file and line", () => {
    expect(() => parseManifestText('{\n  "kind": "List",\n  "items": [ { ]\n}\n', "dump.json")).toThrow(
      /^dump.json:[34]: /,
    );
  });
});
