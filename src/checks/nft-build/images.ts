import { coerce, gte, lt } from "semver";
import type { ProxyInstance } from "#src/evidence/data-plane/instance.ts";
import { compareMinor, minorOf } from "#src/kubernetes/version.ts";
import { CRASHING_BUILDS, type ImageRow, NEW_NFT_FIXED_IN } from "./tables.ts";

/** Whether an `osImage` is one of a row: its family and, where the row names one, its version. */
export function isOfRow(osImage: string, { osImage: pattern, from, before }: ImageRow): boolean {
  if (!pattern.test(osImage)) return false;
  if (from === undefined && before === undefined) return true;
  const version = coerce(osImage);
  if (version === null) return false;
  return (from === undefined || gte(version, from)) && (before === undefined || lt(version, before));
}

/** Whether this kube-proxy's nft copes with sets that a newer nft made; null where its version does not tell. */
export function copesWithNewNft({ version }: ProxyInstance): boolean | null {
  if (version === null) return null;
  const minor = minorOf(version);
  const fix = NEW_NFT_FIXED_IN.find((row) => row.minor === minor);
  if (fix) return version.patch === null ? (fix.patch === 0 ? true : null) : version.patch >= fix.patch;
  return compareMinor(minor, NEW_NFT_FIXED_IN.at(-1)?.minor ?? minor) > 0;
}

/** The row of the crashing builds that this kube-proxy is of. */
export function crashingBuildOf({ version, image }: ProxyInstance) {
  const build = /-eksbuild\.(\d+)/.exec(image ?? "")?.[1];
  if (version === null || build === undefined) return undefined;
  return CRASHING_BUILDS.find(
    (row) => row.minor === minorOf(version) && row.patch === version.patch && Number(build) <= row.upToBuild,
  );
}
