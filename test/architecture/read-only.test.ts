import { describe, expect, it } from "vitest";
import { sourceFiles } from "./sources.ts";

const reading = sourceFiles().filter(({ room }) => ["kubernetes", "inventory", "evidence"].includes(room));

const OPENS_CONNECTIONS = ["src/inventory/exec-plugin.ts", "src/kubernetes/transport.ts"];

describe("what reads clusters", () => {
  it("sends one method, from one place, and it is GET", () => {
    const methods = reading.flatMap(({ path, code }) =>
      [...code.matchAll(/\bmethod\s*:\s*([^,}\n]+)/g)].map(([, method = ""]) => `${path} ${method.trim()}`),
    );
    expect(methods).toEqual(["src/kubernetes/transport.ts METHOD"]);
    const transport = reading.find(({ path }) => path === "src/kubernetes/transport.ts");
    expect(transport?.code.match(/\bMETHOD\b[^\n]*/g)).toEqual(['METHOD = "GET";', "METHOD,"]);
  });

  it("names no method that writes", () => {
    const writing = reading.flatMap(({ path, code }) =>
      [...code.matchAll(/["'`](POST|PUT|PATCH|DELETE|CONNECT)["'`]/gi)].map(
        ([method]) => `${path} ${method}`,
      ),
    );
    expect(writing).toEqual([]);
  });

  it("opens connections in the transport, runs exec plugins, and does neither anywhere else", () => {
    const io = /^import (?!type\b)[^;]*from "(?:node:(?:https?|http2|tls|child_process)|undici)"/m;
    const opening = reading.filter(({ code }) => io.test(code) || /\bfetch\(/.test(code));
    expect(opening.map(({ path }) => path).toSorted()).toEqual(OPENS_CONNECTIONS);
  });
});
