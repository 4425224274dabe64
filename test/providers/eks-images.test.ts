import { describe, expect, it } from "vitest";
import { eksImageOf } from "#src/providers/eks-images.ts";

describe("the image of an EKS node group", () => {
  it.each([
    ["AL2_x86_64", "1.32.9-20251120", "1.32", "5.10", 1, "no"],
    ["AL2_ARM_64", "1.29.15-20250801", "1.29", "5.10", 1, "no"],
    ["AL2_x86_64_GPU", "1.31.13-20251007", null, "5.10", 1, "no"],
    ["AL2023_x86_64_STANDARD", "1.32.8-20250829", "1.32", "6.1", 1, "yes"],
    ["AL2023_x86_64_STANDARD", "1.32.9-20251015", "1.32", "6.1", null, "yes"],
    ["AL2023_x86_64_STANDARD", "1.32.11-20260114", "1.32", "6.1", 2, "yes"],
    ["AL2023_x86_64_STANDARD", "1.30.14-20251215", "1.30", "6.1", 1, "yes"],
    ["AL2023_x86_64_STANDARD", "1.28.15-20260114", "1.28", "6.1", null, "yes"],
    ["AL2023_x86_64_NEURON", null, "1.31", "6.1", null, "yes"],
    ["AL2023_ARM_64_NVIDIA", "1.32.11-20260114", "1.32", "6.12", 2, "yes"],
    ["AL2023_x86_64_NVIDIA", "1.32.11-20260114", "1.32", "6.1", 2, "yes"],
    ["AL2023_ARM_64_STANDARD", "1.35.6-20260714", "1.35", "6.12", 2, "yes"],
    ["AL2023_x86_64_STANDARD", "1.36.2-20260714", "1.36", "6.18", 2, "yes"],
    ["BOTTLEROCKET_x86_64", "1.19.0-aaaaaaaa", "1.23", "5.10", 1, "no"],
    ["BOTTLEROCKET_ARM_64", "1.19.0-aaaaaaaa", "1.27", "5.15", 1, "yes"],
    ["BOTTLEROCKET_x86_64", "1.57.0-cafebabe", "1.32", "6.1", 1, "yes"],
    ["BOTTLEROCKET_x86_64_FIPS", "1.57.0-cafebabe", "1.33", "6.1", 2, "yes"],
    ["BOTTLEROCKET_x86_64_NVIDIA", "1.57.0-cafebabe", "1.33", "6.12", 2, "yes"],
    ["WINDOWS_CORE_2022_x86_64", "1.35-2026.07.14", "1.35", null, null, "not-applicable"],
  ])("%s %s (%s): kernel %s, containerd %s", (amiType, release, version, kernel, containerd, nftables) => {
    expect(eksImageOf(amiType, release, version)).toEqual({
      kernel,
      containerd,
      nftables,
      source: expect.stringMatching(/^https:\/\//),
    });
  });

  it.each([
    ["CUSTOM", "ami-0123456789abcdef0", "1.32"],
    ["AL2_x86_64", "1.33.1-20250601", "1.33"],
    ["AL2023_x86_64_STANDARD", "1.38.0-20270301", "1.38"],
    ["AL2023_x86_64_STANDARD", null, null],
    ["BOTTLEROCKET_x86_64", "1.57.0-cafebabe", null],
    ["AL2023_x86_64_STANDARD", "latest", "not a version"],
    ["AL2030_x86_64_STANDARD", "1.36.0-20260714", "1.36"],
  ])("is not assumed where the table does not know it: %s %s (%s)", (amiType, release, version) => {
    expect(eksImageOf(amiType, release, version)).toBeNull();
  });
});
