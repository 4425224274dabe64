import { request } from "node:https";

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** One request as a plain HTTPS client sends it: nothing is added, nothing is decoded. */
export function send(
  server: { url: string; ca: string },
  path: string,
  options: { token?: string; accept?: string; method?: string; headers?: Record<string, string> } = {},
): Promise<RawAnswer> {
  const { token, accept = "application/json", method = "GET" } = options;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${server.url}${path}`,
      { method, ca: server.ca, agent: false, headers: { accept, ...authorization, ...options.headers } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () => {
          const headers = Object.fromEntries(Object.entries(answer.headers).map(([k, v]) => [k, String(v)]));
          resolve({ status: answer.statusCode ?? 0, headers, body: Buffer.concat(chunks) });
        });
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}
