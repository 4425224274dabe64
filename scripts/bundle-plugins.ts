import path from "node:path";
import type { Plugin } from "esbuild";

/**
 * What KubeConfig imports for things that proxy-audit does not do, with the names it takes from there. Bundled
 * whole they are 1.3 MB; left out, what remains of @kubernetes/client-node is below 100 KB.
 */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  // Requests go through src/kubernetes/transport.ts.
  undici: ["Agent", "ProxyAgent"],
  "./gen/index.js": ["createConfiguration", "ServerConfiguration"],
  "./middleware.js": ["setHeaderMiddleware"],
  // Kubeconfig files are read by src/inventory/kubeconfig-file.ts.
  "js-yaml": ["load"],
  // Logins are used as they are and not renewed, see src/inventory/kubeconfig-auth.ts.
  "openid-client": ["refreshTokenGrant", "discovery", "customFetch"],
  "jsonpath-plus": ["JSONPath"],
};

const CLIENT_NODE = `${path.sep}@kubernetes${path.sep}client-node${path.sep}`;

/** Bundles of @kubernetes/client-node what kubeconfig authentication needs. Proxies (hpagent, socks) stay. */
export const clientNodePlugin: Plugin = {
  name: "client-node",
  setup(build) {
    build.onResolve({ filter: /.*/ }, async ({ path: wanted, resolveDir, kind, pluginData }) => {
      if (pluginData === "resolving" || !`${resolveDir}${path.sep}`.includes(CLIENT_NODE)) return undefined;
      if (wanted in LEFT_OUT) return { path: wanted, namespace: "left-out" };
      // The package does not say so itself, but its modules have no side effects: unused ones may go.
      const found = await build.resolve(wanted, { resolveDir, kind, pluginData: "resolving" });
      return { ...found, sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: "left-out" }, ({ path: wanted }) => {
      const message = JSON.stringify(`${wanted} is not part of the bundle`);
      const names = LEFT_OUT[wanted] ?? [];
      return {
        contents: names
          .map((name) => `export function ${name}() { throw new Error(${message}); }`)
          .join("\n"),
      };
    });
  },
};

/** Error messages of zod in forty languages, which its entry takes along: English is imported apart. */
export const zodLocalesPlugin: Plugin = {
  name: "zod-locales",
  setup(build) {
    build.onResolve({ filter: /\/locales\/index\.js$/ }, ({ path: wanted, resolveDir }) =>
      resolveDir.includes(`${path.sep}zod${path.sep}`)
        ? { path: wanted, namespace: "zod-locales" }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "zod-locales" }, () => ({ contents: "export {};" }));
  },
};
