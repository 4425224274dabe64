import type { Plugin } from "esbuild";

/**
 * What Bolt imports for things that a function does not do: an HTTP server of its own, the OAuth flow, Socket Mode.
 * With them the bundle has 1.8 MB and takes five times as long to load; `AwsLambdaReceiver` uses none of them.
 */
const LEFT_OUT = ["express", "@slack/oauth", "@slack/socket-mode", "raw-body"] as const;

/** Every name that is asked for is a class that cannot be made: Bolt extends and exports some of them. */
const STUB = `
const stub = (path) => new Proxy(class {}, {
  construct() { throw new Error(path + " is not part of the bundle"); },
  get(target, name) {
    if (name in target || typeof name === "symbol" || name === "__esModule") return target[name];
    return stub(path + "." + name);
  },
});
module.exports = stub(PATH);
`;

/** Bundles of Bolt what runs behind AwsLambdaReceiver. */
export const slackPlugin: Plugin = {
  name: "slack",
  setup(build) {
    const filter = new RegExp(`^(${LEFT_OUT.map((name) => name.replace("/", "\\/")).join("|")})$`);
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: "left-out-of-bolt" }));
    build.onLoad({ filter: /.*/, namespace: "left-out-of-bolt" }, ({ path }) => ({
      contents: STUB.replace("PATH", JSON.stringify(path)),
      loader: "js",
    }));
  },
};
