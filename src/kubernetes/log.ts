import type { ProxyMode } from "#src/model/cluster-audit.ts";
import { type LogEntry, logEntries } from "./log-lines.ts";

export interface ParsedProxyLog {
  /** The mode the process runs; null when it never started or the log does not tell. */
  runningMode: ProxyMode | null;
  /** The mode it was asked for, where the log tells: it differs where kube-proxy up to 1.25 fell back to iptables. */
  configuredMode: ProxyMode | null;
  /** True when the log says that no mode was chosen. False proves nothing: the start of the log may be lost. */
  defaulted: boolean;
  started: boolean;
  /** `v1.36.1`, as logged. */
  version: string | null;
  /** Whether it logged that the ipvs proxier is deprecated (1.35 and later). */
  deprecation: boolean;
  /** Messages at error level, without those that every healthy kube-proxy writes; at most twenty. */
  errors: string[];
}

const RUNNING = /^Using (iptables|ipvs|nftables|userspace|kernelspace) Proxier\.?$/i;
/** Small p: no mode was set (options.go, `platformApplyDefaults`). A chosen iptables prints only the other line. */
const DEFAULTED = /^Using (iptables|nftables) proxy$/;
const ASSUMED = /(?:Flag proxy-mode=""|Unknown proxy mode).*assuming iptables proxy/i;
const IPVS_UNUSABLE = /can't use (?:the )?ipvs proxier/i;
const DEPRECATION = /ipvs proxier (?:is now|has been) deprecated/i;
/** It ran until its configuration file changed; the next start is another log of the container. */
const CONFIGURATION_CHANGED = /configuration file was updated/;
const FATAL = /^(?:Error running ProxyServer|command failed|failed (?:complete|validate|to decode))/;
/** Logged at error level by every kube-proxy with an open NodePort range. */
const HINT = /^Kube-proxy configuration may be incomplete or incorrect/;
const ERRORS_KEPT = 20;

interface Run {
  mode: ProxyMode | null;
  configured: ProxyMode | null;
  defaulted: boolean;
  /** A `Proxier` line was seen: another one belongs to the next start. */
  proxier: boolean;
  ended: "failed" | "restarting" | null;
}

const NEW_RUN: Run = { mode: null, configured: null, defaulted: false, proxier: false, ended: null };

/**
 * What a kube-proxy log says. With several starts in one log, the last one counts. `FLAG:` lines are no evidence:
 * kube-proxy writes its default into the flag before it prints them, and ignores the flag beside `--config`.
 */
export function parseKubeProxyLog(text: string): ParsedProxyLog {
  const entries = logEntries(text);
  const run = entries.reduce<Run>(nextRun, NEW_RUN);
  const failed = run.ended === "failed";
  return {
    runningMode: failed ? null : run.mode,
    configuredMode: run.configured,
    defaulted: run.defaulted,
    started: !failed && run.mode !== null,
    version: versionOf(entries),
    deprecation: entries.some(({ message }) => DEPRECATION.test(message)),
    errors: errorsOf(entries),
  };
}

function nextRun(run: Run, { message, rest, severity }: LogEntry): Run {
  const running = modeIn(RUNNING, message);
  if (running !== null) {
    const current = run.ended !== null || run.proxier ? NEW_RUN : run;
    // Only a mode that is no default tells what was configured: iptables through 1.39, nftables after it (KEP-5343).
    const configured =
      current.configured ?? (/ipvs|nftables/.test(running) && !current.defaulted ? running : null);
    return { ...current, mode: running, configured, proxier: true };
  }
  const byDefault = modeIn(DEFAULTED, message) ?? (ASSUMED.test(message) ? "iptables" : null);
  if (byDefault !== null) {
    const current = run.ended !== null || run.proxier ? NEW_RUN : run;
    return { ...current, mode: byDefault, defaulted: true };
  }
  const current = IPVS_UNUSABLE.test(`${message} ${rest}`) ? { ...run, configured: "ipvs" as const } : run;
  if (severity !== "fatal" && !FATAL.test(message)) return current;
  return { ...current, ended: CONFIGURATION_CHANGED.test(`${message} ${rest}`) ? "restarting" : "failed" };
}

function modeIn(pattern: RegExp, message: string): ProxyMode | null {
  return (pattern.exec(message)?.[1]?.toLowerCase() as ProxyMode | undefined) ?? null;
}

function versionOf(entries: readonly LogEntry[]): string | null {
  const versions = entries.map(({ message, rest }) => {
    if (message === "Version info") return /\bversion="([^"]+)"/.exec(rest)?.[1];
    return /^Version: (v\S+)/.exec(message)?.[1];
  });
  return versions.findLast((version) => version !== undefined) ?? null;
}

function errorsOf(entries: readonly LogEntry[]): string[] {
  const errors = entries
    .filter(({ severity }) => severity === "error" || severity === "fatal")
    .filter(({ message }) => !DEPRECATION.test(message) && !HINT.test(message))
    .map(({ message, rest }) => `${message} ${rest}`.trim());
  return [...new Set(errors)].slice(0, ERRORS_KEPT);
}
