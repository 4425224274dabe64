import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ContainerRuntime, parseContainerRuntime } from "#src/kubernetes/runtime.ts";

const { items } = JSON.parse(
  readFileSync(new URL("../fixtures/cases/runtimes.json", import.meta.url), "utf8"),
) as { items: (ContainerRuntime & { containerRuntimeVersion: string })[] };

describe("parseContainerRuntime", () => {
  it.each(items)("reads $containerRuntimeVersion", (row) => {
    const { runtime, version, major, containerd1x } = row;
    expect(parseContainerRuntime(row.containerRuntimeVersion)).toEqual({
      runtime,
      version,
      major,
      containerd1x,
    });
  });

  it.each(["", "<unknown>", "1.7.28", "://1.7.28", undefined])("cannot tell the runtime from %j", (text) => {
    expect(parseContainerRuntime(text)).toEqual({
      runtime: "unknown",
      version: null,
      major: null,
      containerd1x: null,
    });
  });
});
