import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  addMinor,
  compareMinor,
  lowestMinor,
  minorOf,
  minorsBetween,
  parseKubeVersion,
  parseMinor,
  versionOfImage,
} from "#src/kubernetes/version.ts";

interface Row {
  input: string | { major: string; minor: string; gitVersion: string };
  major: number | null;
  minor: number | null;
  patch: number | null;
  distribution: string;
  prerelease: boolean;
}
const { items } = JSON.parse(
  readFileSync(new URL("../fixtures/cases/versions.json", import.meta.url), "utf8"),
) as { items: Row[] };

describe("parseKubeVersion", () => {
  it.each(items)("reads $input as $major.$minor.$patch of $distribution", (row) => {
    const raw = typeof row.input === "string" ? row.input : row.input.gitVersion;
    const { major, minor, patch, distribution, prerelease } = row;
    expect(parseKubeVersion(row.input)).toEqual(
      major === null ? null : { major, minor, patch, distribution, prerelease, raw },
    );
  });

  it.each([
    ["v1.33.0-rc.1+k3s1", "k3s", true],
    ["v1.36.0-minimal-eksbuild.9", "eks", false],
    ["v1.29.8+632b078", "custom", false],
    ["v1.31.0-beta.2", "upstream", true],
    ["v1.28.3_vmware.2", "custom", false],
  ])("takes %s as %s, pre-release %s", (raw, distribution, prerelease) => {
    expect(parseKubeVersion(raw)).toMatchObject({ distribution, prerelease });
  });

  it.each(["", "latest", "v1", "1.x", "<unknown>", "v1.29foo"])("finds no version in %j", (raw) => {
    expect(parseKubeVersion(raw)).toBeNull();
  });

  it("falls back on major and minor when gitVersion is empty", () => {
    expect(parseKubeVersion({ major: "1", minor: "29+", gitVersion: "" })).toMatchObject({
      major: 1,
      minor: 29,
    });
  });
});

describe("versionOfImage", () => {
  it.each([
    ["registry.k8s.io/kube-proxy:v1.35.3", "1.35", 3],
    ["registry:5000/kube-proxy:v1.19.10", "1.19", 10],
    ["registry.example/eks/kube-proxy:v1.36.0-minimal-eksbuild.9", "1.36", 0],
    ["registry.example/kube-proxy-amd64:v1.27.8-gke.1067004", "1.27", 8],
    ["index.docker.io/rancher/hardened-kubernetes:v1.25.11-rke2r1-build20230614", "1.25", 11],
    ["k8s.gcr.io/hyperkube-amd64:v1.9.2", "1.9", 2],
    ["registry.k8s.io/kube-proxy:v1.35.3@sha256:0123abcd", "1.35", 3],
    ["kube-proxy:1.30", "1.30", null],
  ])("reads the tag of %s", (image, minor, patch) => {
    const version = versionOfImage(image);
    expect(version && [minorOf(version), version.patch]).toEqual([minor, patch]);
  });

  it.each([
    "registry.k8s.io/kube-proxy@sha256:0123abcd",
    "registry:5000/kube-proxy",
    "registry.example/openshift/kube-proxy:v4.14",
    "registry.k8s.io/kube-proxy:latest",
    "busybox:1.36",
    "registry.example/kube-rbac-proxy:v1.14.0",
    "",
  ])("tells no Kubernetes version from %j", (image) => {
    expect(versionOfImage(image)).toBeNull();
  });
});

describe("minor versions", () => {
  it("orders by number, not by text", () => {
    expect(["1.10", "1.9", "1.40"].toSorted(compareMinor)).toEqual(["1.9", "1.10", "1.40"]);
    expect(lowestMinor(["1.10", "1.9"])).toBe("1.9");
    expect(lowestMinor([])).toBeNull();
  });

  it("counts", () => {
    expect(addMinor("1.39", 3)).toBe("1.42");
    expect(minorsBetween("1.36", "1.40")).toBe(4);
    expect(minorsBetween("1.40", "1.36")).toBe(-4);
  });

  it.each([
    ["1.40", "1.40"],
    ["v1.40", "1.40"],
    ["1.40.2", "1.40"],
    ["v1.34.1-eks-113cf36", "1.34"],
    ["latest", null],
    ["", null],
  ])("parseMinor(%j) is %j", (text, minor) => {
    expect(parseMinor(text)).toBe(minor);
  });

  it("does not compare what is no version", () => {
    expect(() => compareMinor("1.40", "next")).toThrow(RangeError);
  });
});
