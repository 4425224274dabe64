import { describe, expect, it } from "vitest";
import { ignoredWithConfig, parseKubeProxyFlags } from "#src/kubernetes/argv.ts";

describe("parseKubeProxyFlags", () => {
  it("reads every setting that the audit judges", () => {
    const argv = [
      "--config=/var/lib/kube-proxy/config.conf ",
      "--proxy-mode=ipvs",
      "--feature-gates=KubeProxyIPVS=True,AllAlpha=false",
      "--nodeport-addresses=192.0.2.0/24,127.0.0.0/8",
      "--ipvs-scheduler=lc",
      "--ipvs-strict-arp",
      "--ipvs-exclude-cidrs=198.18.0.10/32",
      "--ipvs-tcp-timeout=15m",
      "--ipvs-tcpfin-timeout=2m",
      "--ipvs-udp-timeout=5m",
      "--ipvs-min-sync-period=5s",
      "--ipvs-sync-period=30s",
      "--metrics-bind-address=0.0.0.0:10249",
      "--conntrack-tcp-be-liberal=true",
      "--iptables-localhost-nodeports=false",
      "--masquerade-all",
      "--hostname-override=node-a ",
    ];
    const { values: _, given, ...settings } = parseKubeProxyFlags(argv);
    expect(given).toHaveLength(argv.length);
    expect(settings).toEqual({
      config: "/var/lib/kube-proxy/config.conf",
      proxyMode: "ipvs",
      featureGates: { KubeProxyIPVS: true, AllAlpha: false },
      invalidFeatureGates: [],
      nodePortAddresses: ["192.0.2.0/24", "127.0.0.0/8"],
      ipvs: {
        scheduler: "lc",
        strictARP: true,
        excludeCIDRs: ["198.18.0.10/32"],
        tcpTimeout: "15m",
        tcpFinTimeout: "2m",
        udpTimeout: "5m",
        minSyncPeriod: "5s",
        syncPeriod: "30s",
      },
      metricsBindAddress: "0.0.0.0:10249",
      conntrackTcpBeLiberal: true,
      iptablesLocalhostNodePorts: false,
      masqueradeAll: true,
      hostnameOverride: "node-a",
      cleanup: false,
      notServing: null,
    });
  });

  it.each<[string[], string | null]>([
    [["--proxy-mode", "ipvs"], "ipvs"],
    [["-proxy-mode=ipvs"], "ipvs"],
    [["--proxy_mode=ipvs"], "ipvs"],
    [["--proxy-mode=ipvs", "--proxy-mode=iptables"], "iptables"],
    [["--proxy-mode="], ""],
    [["--proxy-mode=ipvs "], "ipvs "],
    [["--proxy-mode=IPVS"], "IPVS"],
    [["--ipvs-scheduler=lc"], null],
    [["--masquerade-all", "ipvs"], null],
    [["--", "--proxy-mode=ipvs"], null],
    [["--cleanup", "--proxy-mode=ipvs"], "ipvs"],
    [["-v", "2", "--proxy-mode=nftables"], "nftables"],
    [[], null],
  ])("%j: mode %j", (argv, mode) => {
    expect(parseKubeProxyFlags(argv).proxyMode).toBe(mode);
  });

  it("takes an empty --config for none, as kube-proxy does", () => {
    expect(parseKubeProxyFlags(["--config="]).config).toBeNull();
  });

  it("adds up lists and gates given more than once, and keeps gates it cannot parse apart", () => {
    const flags = parseKubeProxyFlags([
      "--feature-gates=A=true, B=0",
      "--feature-gates=C=T,D=yes,E",
      "--nodeport-addresses=192.0.2.0/24",
      "--nodeport-addresses=198.51.100.0/24",
    ]);
    expect([flags.featureGates, flags.invalidFeatureGates, flags.nodePortAddresses]).toEqual([
      { A: true, B: false, C: true },
      ["D=yes", "E"],
      ["192.0.2.0/24", "198.51.100.0/24"],
    ]);
  });
});

describe("ignoredWithConfig", () => {
  it("lists what kube-proxy drops without a warning beside --config", () => {
    const flags = parseKubeProxyFlags([
      "--config=/c",
      "--hostname-override=n",
      "--ipvs-scheduler=lc",
      "--proxy-mode=ipvs",
      "--feature-gates=KubeProxyIPVS=true",
      "--kubeconfig=/k",
      "--master=https://192.0.2.1",
      "--v=2",
    ]);
    expect(ignoredWithConfig(flags)).toEqual([
      "--ipvs-scheduler=lc",
      "--proxy-mode=ipvs",
      "--feature-gates=KubeProxyIPVS=true",
      "--kubeconfig=/k",
    ]);
  });

  it("is empty without --config", () => {
    expect(ignoredWithConfig(parseKubeProxyFlags(["--proxy-mode=ipvs"]))).toEqual([]);
  });
});
