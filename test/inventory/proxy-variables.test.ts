import { describe, expect, it } from "vitest";
import { proxyVariablesFor } from "#src/inventory/proxy-variables.ts";

const PROXY = "http://proxy.example.com:3128";

describe("whether a server is reached through a proxy", () => {
  it.each([
    { server: "https://api.prod.example.com", env: {}, through: undefined },
    { server: "https://api.prod.example.com", env: { HTTPS_PROXY: PROXY }, through: { HTTPS_PROXY: PROXY } },
    { server: "https://api.prod.example.com", env: { https_proxy: PROXY }, through: { HTTPS_PROXY: PROXY } },
    { server: "https://api.prod.example.com", env: { HTTP_PROXY: PROXY }, through: undefined },
    { server: "http://api.prod.example.com", env: { http_proxy: PROXY }, through: { HTTP_PROXY: PROXY } },
    {
      server: "https://api.prod.example.com",
      env: { HTTPS_PROXY: "proxy.example.com:3128" },
      through: { HTTPS_PROXY: PROXY },
    },
    { server: "https://localhost:6443", env: { HTTPS_PROXY: PROXY }, through: undefined },
    { server: "https://127.0.0.1:6443", env: { HTTPS_PROXY: PROXY }, through: undefined },
    { server: "https://[::1]:6443", env: { HTTPS_PROXY: PROXY }, through: undefined },
  ])("$server with $env", ({ server, env, through }) => {
    expect(proxyVariablesFor(server, env)).toEqual(through);
  });

  it.each([
    ["*", "https://api.example.com", false],
    ["example.com", "https://api.example.com", false],
    ["example.com", "https://example.com", false],
    [".example.com", "https://api.example.com", false],
    [".example.com", "https://example.com", true],
    ["*.example.com", "https://api.example.com", false],
    ["example.com", "https://notexample.com", true],
    ["EXAMPLE.com", "https://api.example.com", false],
    ["other.org, example.com ,", "https://api.example.com", false],
    ["example.com:6443", "https://api.example.com:6443", false],
    ["example.com:443", "https://api.example.com", false],
    ["example.com:443", "https://api.example.com:6443", true],
    ["10.0.0.0/8", "https://10.1.2.3:6443", false],
    ["10.0.0.0/8", "https://11.1.2.3:6443", true],
    ["10.0.0.0/99", "https://10.1.2.3:6443", true],
    ["10.1.2.3", "https://10.1.2.3:6443", false],
    ["2.3", "https://10.1.2.3:6443", true],
    ["fd00::/8", "https://[fd00::1]:6443", false],
    ["fd00::1", "https://[fd00::1]:6443", false],
    ["10.0.0.0/8", "https://api.example.com", true],
    ["", "https://api.example.com", true],
  ])("NO_PROXY=%s, %s: through the proxy is %s", (NO_PROXY, server, through) => {
    const env = { HTTPS_PROXY: PROXY, NO_PROXY };
    expect(proxyVariablesFor(server, env) !== undefined).toBe(through);
  });
});
