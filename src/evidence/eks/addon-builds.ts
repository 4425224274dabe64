import { compareMinor } from "#src/kubernetes/version.ts";

interface Build {
  name: string;
  minor: string;
  patch: number;
  build: number;
}

/**
 * The newest build of each Kubernetes minor from `from` on, oldest minor first. Numbers are compared as numbers:
 * `v1.36.0-eksbuild.25` is newer than `v1.36.0-eksbuild.9`. Names of another form are left out.
 */
export function newestBuilds(names: readonly string[], from: string): string[] {
  const newest = new Map<string, Build>();
  for (const name of names) {
    const build = parseBuild(name);
    if (build === null || compareMinor(build.minor, from) < 0) continue;
    const known = newest.get(build.minor);
    if (known === undefined || isNewer(build, known)) newest.set(build.minor, build);
  }
  return [...newest.values()].toSorted((a, b) => compareMinor(a.minor, b.minor)).map(({ name }) => name);
}

function isNewer(a: Build, b: Build): boolean {
  return a.patch === b.patch ? a.build > b.build : a.patch > b.patch;
}

function parseBuild(name: string): Build | null {
  const match = /^v(1\.\d+)\.(\d+)(?:-minimal)?-eksbuild\.(\d+)$/.exec(name);
  const [, minor, patch, build] = match ?? [];
  return minor === undefined ? null : { name, minor, patch: Number(patch), build: Number(build) };
}
