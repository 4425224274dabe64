import { describe, expect, it } from "vitest";
import { newestBuilds } from "#src/evidence/eks/addon-builds.ts";

describe("the newest kube-proxy builds", () => {
  it.each([
    ["by build number", ["v1.36.0-eksbuild.9", "v1.36.0-eksbuild.25"], ["v1.36.0-eksbuild.25"]],
    ["by patch first", ["v1.36.2-eksbuild.1", "v1.36.0-eksbuild.25"], ["v1.36.2-eksbuild.1"]],
    [
      "one a minor, in order",
      ["v1.40.0-eksbuild.1", "v1.9.0-eksbuild.1", "v1.36.0-eksbuild.1"],
      ["v1.36.0-eksbuild.1", "v1.40.0-eksbuild.1"],
    ],
    [
      "minimal images too",
      ["v1.36.0-minimal-eksbuild.3", "v1.36.0-eksbuild.2"],
      ["v1.36.0-minimal-eksbuild.3"],
    ],
    ["none of another form", ["v1.36", "latest", "", "v1.36.0-eksbuild.x", "v2.0.0"], []],
    ["none older", ["v1.34.6-eksbuild.2"], []],
  ])("are chosen %s", (_name, names, expected) => {
    expect(newestBuilds(names, "1.35")).toEqual(expected);
  });
});
