#!/usr/bin/env node
import process from "node:process";
import { setFlagsFromString } from "node:v8";

/** `node:sqlite` needs no flag from 22.13 on; client-node's HTTP client asks for 22.19. */
const OLDEST = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `proxy-audit: Node.js ${process.versions.node} is too old: ${OLDEST.join(".")} or newer is needed. Node.js 24 works.\n`,
  );
  process.exitCode = 1;
} else {
  // Loading modules lets V8's young generation grow to 16 MB and more, which reading page by page has no use for:
  // 25 MB less at the same speed (npm run bench).
  setFlagsFromString("--semi-space-growth-factor=1");
  const { runCli } = await import("./run.ts");
  const { processIo } = await import("./io.ts");
  process.exitCode = await runCli(process.argv.slice(2), processIo());
}
