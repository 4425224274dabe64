import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const run = promisify(execFile);

/** Prints every file that is loaded, from before the program's own first import. */
const TRACE = `
import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) { process.stderr.write("loaded " + url + "\\n"); return next(url, context); } });
`;

async function loadedBy(...argv: string[]): Promise<string> {
  const { stderr } = await run(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(TRACE)}`, "src/cli/main.ts", ...argv],
    { env: { PATH: process.env.PATH ?? "" }, maxBuffer: 64 * 1024 * 1024 },
  );
  return stderr;
}

const MANIFESTS = ["scan", "--manifests", "test/fixtures/cases/clusters/02-kubeadm-ipvs-sed-scheduler"];

describe("the command line", () => {
  it.each([
    ["--help", ["--help"]],
    ["--version", ["--version"]],
    ["scan --help", ["scan", "--help"]],
    ["a scan of manifests", [...MANIFESTS, "--store", "none"]],
  ])("loads for %s neither client-node nor the AWS SDK nor Bolt", async (_, argv) => {
    const loaded = await loadedBy(...argv);
    expect(loaded).toContain("src/cli/run.ts");
    expect(
      loaded.match(/node_modules\/(?:@kubernetes|@aws-sdk|@smithy|@slack|selfsigned)[^\n]*/)?.[0],
    ).toBeUndefined();
  });

  it("loads for one command no other", async () => {
    expect(
      (await loadedBy("timeline")).match(/src\/(?:checks|evidence|store|knowledge)\/[^\n]*/)?.[0],
    ).toBeUndefined();
  });
});
