declare module "dynalite" {
  import type { Server } from "node:http";

  /** Not listening yet; in memory unless `path` names a folder. Times in milliseconds. */
  function dynalite(options?: { path?: string; createTableMs?: number }): Server;
  export = dynalite;
}
