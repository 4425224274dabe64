import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCAL_SECRET } from "#src/console/local-slack.ts";
import { commandForm } from "#src/console/slack-api/interactions.ts";
import { signedRequest } from "#src/console/slack-api/signed-request.ts";
import { memoryReplays } from "#src/slack/ingress/replays.ts";
import { slackPlugin } from "../../scripts/slack-bundle-plugin.ts";
import { NOW, slackUnderTest } from "./demo.ts";

const COMMON_JS = `import { createRequire } from "node:module";
const require = createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proxy-audit-bundle-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function bundle(name: string, contents: string, plugins = [slackPlugin]): Promise<number> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: join(import.meta.dirname, "../.."), loader: "ts" },
    outfile: join(folder, `${name}.mjs`),
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node24",
    banner: { js: COMMON_JS },
    metafile: true,
    plugins,
    logLevel: "silent",
  });
  return Math.round(Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0) / 1024);
}

describe("Bolt in a function's bundle", () => {
  it("is a tenth of what it is whole", async () => {
    const bolt = `export { App, AwsLambdaReceiver } from "@slack/bolt";`;
    const [slim, whole] = [await bundle("slim", bolt), await bundle("whole", bolt, [])];
    expect(slim).toBeLessThan(165);
    expect(whole / slim).toBeGreaterThan(8);
  });

  it("answers a signed command from the bundle", async () => {
    await bundle(
      "app",
      `export { createLambdaApp } from "#src/slack/app.ts"; export { createIngress } from "#src/slack/ingress/handler.ts";`,
    );
    const app: {
      createLambdaApp: typeof import("#src/slack/app.ts").createLambdaApp;
      createIngress: typeof import("#src/slack/ingress/handler.ts").createIngress;
    } = await import(pathToFileURL(join(folder, "app.mjs")).href);
    const { slack, services, store } = await slackUnderTest([]);
    const ingress = app.createIngress({
      settings: services.settings,
      secrets: [LOCAL_SECRET],
      replays: memoryReplays(),
      store,
      now: () => NOW,
      log: () => undefined,
      bolt: app.createLambdaApp({ services, slackApiUrl: slack.apiUrl }),
    });
    const form = commandForm(slack, {
      token: "xoxb-local-one",
      userId: "U0ANN",
      channel: "C0PAY",
      command: "/proxy-audit",
      text: "help",
    });
    const { body, headers } = signedRequest(form, LOCAL_SECRET, Math.floor(NOW.getTime() / 1000));
    const answer = await ingress({ body, headers: { ...headers } });
    expect([answer.statusCode, JSON.parse(answer.body).text]).toEqual([200, "What /proxy-audit can do"]);
  });
});
