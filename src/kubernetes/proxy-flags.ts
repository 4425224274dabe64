/** The flags of kube-proxy that matter here, as given; null where a flag was not given. */
export interface KubeProxyFlags {
  /** Path of the configuration file; null also for `--config=""`, which kube-proxy takes for none. */
  config: string | null;
  /** As written: kube-proxy compares it exactly, so `IPVS` and `"ipvs "` are refused. */
  proxyMode: string | null;
  featureGates: Record<string, boolean>;
  /** Items of `--feature-gates` that kube-proxy cannot parse: it exits. */
  invalidFeatureGates: string[];
  nodePortAddresses: string[] | null;
  ipvs: {
    scheduler: string | null;
    strictARP: boolean | null;
    excludeCIDRs: string[] | null;
    tcpTimeout: string | null;
    tcpFinTimeout: string | null;
    udpTimeout: string | null;
    minSyncPeriod: string | null;
    syncPeriod: string | null;
  };
  metricsBindAddress: string | null;
  conntrackTcpBeLiberal: boolean | null;
  iptablesLocalhostNodePorts: boolean | null;
  masqueradeAll: boolean | null;
  hostnameOverride: string | null;
  cleanup: boolean;
  /** The flag that makes kube-proxy exit without proxying, such as `--init-only`. */
  notServing: string | null;
  /** Names of all flags given, without dashes, in order. */
  given: string[];
  /** The last value of each flag given. */
  values: Record<string, string>;
}

/** Flags that need no value: a word after them is not theirs. */
const BOOLEAN_FLAGS = new Set([
  ..."bind-address-hard-fail cleanup cleanup-iptables cleanup-ipvs conntrack-tcp-be-liberal enable-dsr".split(
    " ",
  ),
  ..."forward-healthcheck-vip h help init-only iptables-localhost-nodeports ipvs-strict-arp masquerade-all".split(
    " ",
  ),
  ..."profiling version windows-service add-dir-header alsologtostderr logtostderr one-output".split(" "),
  ..."skip-headers skip-log-headers log-json-split-stream log-text-split-stream iptables-snat-node-internal-ip".split(
    " ",
  ),
]);

/**
 * Flags that still count beside `--config` (options.go, 1.32 to 1.36: `Complete` replaces everything else by the
 * file without a warning; the help text marks only some flags as ignored).
 */
const HONOURED_WITH_CONFIG = new Set([
  ..."config write-config-to cleanup cleanup-iptables cleanup-ipvs init-only version h help master".split(
    " ",
  ),
  ..."hostname-override windows-service v vmodule logging-format log-flush-frequency log-json-split-stream".split(
    " ",
  ),
  ..."log-json-info-buffer-size log-text-split-stream log-text-info-buffer-size".split(" "),
  ..."logtostderr alsologtostderr log-dir log-file log-file-max-size stderrthreshold add-dir-header".split(
    " ",
  ),
  ..."log-backtrace-at one-output skip-headers skip-log-headers".split(" "),
]);

const EXITS: readonly string[] = ["write-config-to", "init-only", "version", "help", "h"];

/**
 * Reads kube-proxy's arguments as it does: `--flag value` and `--flag=value`, the last one wins, lists and
 * feature gates add up, `_` in a name counts as `-`.
 */
export function parseKubeProxyFlags(argv: readonly string[]): KubeProxyFlags {
  const given = flagsOf(argv);
  const last = (name: string): string | null => given.findLast((flag) => flag.name === name)?.value ?? null;
  const bool = (name: string): boolean | null => parseBool(last(name));
  const list = (name: string): string[] | null => {
    const all = given.filter((flag) => flag.name === name).flatMap((flag) => flag.value.split(","));
    if (last(name) === null) return null;
    return all.map((item) => item.trim().replace(/^"(.*)"$/, "$1")).filter((item) => item !== "");
  };
  const gates = featureGatesOf(
    given.filter(({ name }) => name === "feature-gates").map(({ value }) => value),
  );
  return {
    config: last("config")?.trim() || null,
    proxyMode: last("proxy-mode"),
    featureGates: gates.gates,
    invalidFeatureGates: gates.invalid,
    nodePortAddresses: list("nodeport-addresses"),
    ipvs: {
      scheduler: last("ipvs-scheduler"),
      strictARP: bool("ipvs-strict-arp"),
      excludeCIDRs: list("ipvs-exclude-cidrs"),
      tcpTimeout: last("ipvs-tcp-timeout"),
      tcpFinTimeout: last("ipvs-tcpfin-timeout"),
      udpTimeout: last("ipvs-udp-timeout"),
      minSyncPeriod: last("ipvs-min-sync-period"),
      syncPeriod: last("ipvs-sync-period"),
    },
    metricsBindAddress: last("metrics-bind-address"),
    conntrackTcpBeLiberal: bool("conntrack-tcp-be-liberal"),
    iptablesLocalhostNodePorts: bool("iptables-localhost-nodeports"),
    masqueradeAll: bool("masquerade-all"),
    hostnameOverride: last("hostname-override")?.trim() || null,
    // `--cleanup-ipvs` (removed in 1.21) is neither a mode nor a clean-up run.
    cleanup: bool("cleanup") === true || bool("cleanup-iptables") === true,
    notServing: exitFlagOf(last),
    given: [...new Set(given.map((flag) => flag.name))],
    values: Object.fromEntries(given.map(({ name, value }) => [name, value])),
  };
}

/** The flags, `--name=value`, that have no effect because `--config` is given; none without it. */
export function ignoredWithConfig(flags: KubeProxyFlags): string[] {
  if (flags.config === null) return [];
  return flags.given
    .filter((name) => !HONOURED_WITH_CONFIG.has(name))
    .map((name) => `--${name}=${flags.values[name] ?? ""}`);
}

interface Flag {
  name: string;
  value: string;
}

function flagsOf(argv: readonly string[]): Flag[] {
  const flags: Flag[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const arg = argv[index] ?? "";
    if (arg === "--") break;
    const match = /^--?([A-Za-z][\w.-]*)(?:=([\s\S]*))?$/.exec(arg.trimStart());
    if (match === null) continue;
    const name = (match[1] ?? "").trimEnd().replaceAll("_", "-");
    const next = argv[index + 1];
    if (match[2] !== undefined) flags.push({ name, value: match[2] });
    else if (BOOLEAN_FLAGS.has(name)) flags.push({ name, value: "true" });
    else if (next !== undefined && !next.startsWith("--")) {
      flags.push({ name, value: next });
      index += 1;
    } else flags.push({ name, value: "" });
  }
  return flags;
}

function exitFlagOf(last: (name: string) => string | null): string | null {
  const flag = EXITS.find((name) => {
    const value = last(name);
    return value !== null && value !== "" && parseBool(value) !== false;
  });
  return flag === undefined ? null : `--${flag}`;
}

/** Go's strconv.ParseBool; null for anything else. */
export function parseBool(value: string | null): boolean | null {
  if (value === null) return null;
  if (/^(?:1|t|T|TRUE|true|True)$/.test(value)) return true;
  return /^(?:0|f|F|FALSE|false|False)$/.test(value) ? false : null;
}

function featureGatesOf(values: readonly string[]): { gates: Record<string, boolean>; invalid: string[] } {
  const gates: Record<string, boolean> = {};
  const invalid: string[] = [];
  for (const item of values.flatMap((value) => value.split(","))) {
    const [name = "", value] = item.split("=", 2).map((part) => part.trim());
    const on = parseBool(value ?? null);
    if (name === "" && value === undefined) continue;
    if (on === null || name === "") invalid.push(item.trim());
    else gates[name] = on;
  }
  return { gates, invalid };
}
