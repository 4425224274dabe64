/** What bench/scan.ts compares with: all nodes in one plain list. `node bench/full-list.ts URL CA-FILE`. */
import { readFile } from "node:fs/promises";
import { get } from "node:https";

const [url = "", caFile = ""] = process.argv.slice(2);
const ca = await readFile(caFile, "utf8");
const text = await new Promise<string>((resolve, reject) => {
  const headers = { authorization: "Bearer bench", accept: "application/json" };
  get(`${url}/api/v1/nodes`, { ca, headers, agent: false }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("end", () => resolve(Buffer.concat(chunks).toString()));
    answer.on("error", reject);
  }).on("error", reject);
});
const { items } = JSON.parse(text) as { items: { status: { nodeInfo: { kernelVersion: string } } }[] };
console.log(new Set(items.map((item) => item.status.nodeInfo.kernelVersion)).size);
