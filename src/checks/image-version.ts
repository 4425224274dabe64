import { coerce } from "semver";

/** `1.20.4` of `amazon-k8s-cni:v1.20.4-eksbuild.1`; null without a tag, or for one that holds no version (`latest`). */
export function versionOfTag(image: string): string | null {
  const name = image.replace(/@.*$/, "").split("/").at(-1) ?? "";
  const colon = name.indexOf(":");
  if (colon < 0) return null;
  const tag = name.slice(colon + 1);
  return /^v?\d+\.\d+/.test(tag) ? (coerce(tag)?.version ?? null) : null;
}
