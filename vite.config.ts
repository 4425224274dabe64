import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { NONCE_PLACEHOLDER } from "./src/console/server/page-files.ts";

/** The console's page. The command line serves what this builds. */
export default defineConfig({
  root: "src/console/web",
  base: "/",
  plugins: [react()],
  // The server puts a nonce of its own into every page that it serves.
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    outDir: "../../../dist/console",
    emptyOutDir: true,
    target: "es2023",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // Inlined files would be data: addresses, which the page's policy does not let fonts and scripts have.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_200,
  },
});
