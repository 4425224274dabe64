import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseKubeProxyLog } from "#src/kubernetes/log.ts";

const FIXTURES = new URL("../fixtures/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, FIXTURES), "utf8");
const recording = (name: string) => parseKubeProxyLog(read(`recordings/kube-proxy-1.36/${name}.log`));

interface Row {
  file: string;
  proxyMode: string;
  configuredMode: string | null;
  explicitlyConfigured: boolean;
  started: boolean;
}
const { items } = JSON.parse(read("cases/logs.json")) as { items: Row[] };

describe("parseKubeProxyLog on real logs", () => {
  it.each(items)("$file: runs $proxyMode, asked for $configuredMode", (row) => {
    const { runningMode, configuredMode, defaulted, started } = parseKubeProxyLog(read(`cases/${row.file}`));
    expect({ runningMode, defaulted, started }).toEqual({
      runningMode: row.proxyMode === "unknown" ? null : row.proxyMode,
      defaulted: !row.explicitlyConfigured,
      started: row.started,
    });
    // Where the truth is silent, ipvs and nftables in use say what was asked for: neither is a default.
    expect(configuredMode).toBe(
      row.configuredMode ?? (/ipvs|nftables/.test(row.proxyMode) ? row.proxyMode : null),
    );
  });

  it("reads version, deprecation and no errors from a healthy ipvs start", () => {
    expect(parseKubeProxyLog(read("cases/logs/15-v1.36-ipvs-deprecated.txt"))).toEqual({
      runningMode: "ipvs",
      configuredMode: "ipvs",
      defaulted: false,
      started: true,
      version: "v1.36.1",
      deprecation: true,
      errors: [],
    });
  });
});

describe("parseKubeProxyLog on recordings of kube-proxy 1.36.3", () => {
  const healthy = { started: true, version: "v1.36.3", deprecation: false };

  it.each([
    ["iptables", { ...healthy, runningMode: "iptables", configuredMode: null, defaulted: false }],
    ["unset", { ...healthy, runningMode: "iptables", configuredMode: null, defaulted: true }],
    ["nftables", { ...healthy, runningMode: "nftables", configuredMode: "nftables", defaulted: false }],
    ["duplicate", { ...healthy, runningMode: "nftables", configuredMode: "nftables", defaulted: false }],
  ])("%s", (name, expected) => {
    expect(recording(name)).toMatchObject(expected);
  });

  it("ipvs on a kernel without it never started", () => {
    expect(recording("ipvs")).toEqual({
      runningMode: null,
      configuredMode: "ipvs",
      defaulted: false,
      started: false,
      version: null,
      deprecation: false,
      errors: [
        'Error running ProxyServer err="can\'t use the IPVS proxier: ipvs not supported"',
        'command failed err="can\'t use the IPVS proxier: ipvs not supported"',
      ],
    });
  });

  it("a refused mode never started", () => {
    const { errors, ...rest } = recording("uppercase");
    expect(rest).toEqual({
      runningMode: null,
      configuredMode: null,
      defaulted: false,
      started: false,
      version: null,
      deprecation: false,
    });
    expect(errors).toEqual([expect.stringContaining("Mode.ProxyMode: Invalid value")]);
  });

  it("keeps an error of several lines together", () => {
    expect(recording("nftables").errors[0]).toBe(
      'Failed to list existing nftables objects err=< failed to run nft: Error: No such file or directory list table ip kube-proxy ^^^^^^^^^^ > ipFamily="IPv4"',
    );
  });
});

describe("parseKubeProxyLog", () => {
  const proxier = 'I1130 16:34:58.416564       1 server_linux.go:254] "Using nftables Proxier"';

  it.each([
    ["kubectl logs --timestamps", `2026-11-30T16:34:58.4Z ${proxier}`],
    ["the CRI format", `2026-11-30T16:34:58.4Z stderr F ${proxier}`],
    ["kubectl logs --prefix", `[pod/kube-proxy-a/kube-proxy] ${proxier}`],
    ["CRLF", `${proxier}\r\n`],
    [
      "Docker around JSON",
      JSON.stringify({ log: '{"ts":1.5,"msg":"Using nftables Proxier","v":0}\n', stream: "stderr" }),
    ],
  ])("reads through %s", (_, text) => {
    expect(parseKubeProxyLog(text).runningMode).toBe("nftables");
  });

  it("does not take a proxier that could not be made for running", () => {
    const error =
      'E1130 16:34:59.1       1 server.go:136] "Error running ProxyServer" err="unable to create proxier: kube-proxy in nftables mode requires kernel 5.13 or later"';
    expect(parseKubeProxyLog(`${proxier}\n${error}`)).toMatchObject({
      runningMode: null,
      started: false,
      configuredMode: "nftables",
    });
  });

  it("keeps the mode of a run that ended because its configuration file changed", () => {
    const exit =
      'E1130 17:00:00.1       1 run.go:72] "command failed" err="content of the proxy server\'s configuration file was updated"';
    expect(parseKubeProxyLog(`${proxier}\n${exit}`)).toMatchObject({
      runningMode: "nftables",
      started: true,
    });
  });

  it("says nothing about a mode when the start of the log is lost", () => {
    expect(parseKubeProxyLog("I1130 16:34:58.4       1 trace.go:1] hello\nnoise\n")).toEqual({
      runningMode: null,
      configuredMode: null,
      defaulted: false,
      started: false,
      version: null,
      deprecation: false,
      errors: [],
    });
  });
});
