import type { ApiServerOptions } from "./options.ts";
import type { Answer } from "./status.ts";

/** GET /version: indented, with the fields that servers have had since 1.33. */
export function versionAnswer(version: ApiServerOptions["version"]): Answer {
  const [, major = "1", minor = "0"] = /^v(\d+)\.(\d+)/.exec(version.gitVersion) ?? [];
  const { gitVersion, ...given } = version;
  const body = {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion,
    gitCommit: "0000000000000000000000000000000000000000",
    gitTreeState: "clean",
    buildDate: "2026-11-11T00:00:00Z",
    goVersion: "go1.26.4",
    compiler: "gc",
    platform: "linux/amd64",
    ...given,
  };
  return { status: 200, contentType: "application/json", body: JSON.stringify(body, null, 2) };
}
