/**
 * Serves a large cluster for bench/scan.ts, in a process of its own: `node bench/scan-server.ts NODES`. Prints
 * where it listens, as JSON, and ends with its standard input.
 */
import { startApiServer } from "#src/demo/api-server/start-api-server.ts";
import { largeCluster } from "./large-cluster.ts";

const server = await startApiServer({
  objects: largeCluster(Number(process.argv[2])),
  version: { gitVersion: "v1.35.2-eks-99d6cc0" },
  users: { bench: { name: "bench", rules: "all" } },
});
console.log(JSON.stringify({ port: server.port, ca: server.ca }));
process.stdin.on("end", () => server.close()).resume();
