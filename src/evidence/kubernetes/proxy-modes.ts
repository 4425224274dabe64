import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import { PROXY_MODES, type ProxyMode } from "#src/model/cluster-audit.ts";
import { notSeen, type Observed, seen } from "#src/model/observed.ts";

/** What one kube-proxy answered at `/proxyMode` of its metrics port. */
export interface AnsweredMode {
  namespace: string;
  pod: string;
  mode: ProxyMode;
}

interface Pod {
  namespace: string;
  name: string;
}

/**
 * The running mode by kube-proxy's own word, through the API server's proxy to a few pods. Only where it was asked
 * for: it needs `get pods/proxy`, which reaches more than this and which the shipped role does not grant, and a
 * kube-proxy that listens on more than loopback.
 */
export async function readProxyModes(
  reader: ClusterReader,
  pods: Observed<Pod[]>,
  atMost: number,
): Promise<Observed<AnsweredMode[]>> {
  if (pods.seen === false) return pods;
  const modes: AnsweredMode[] = [];
  let last: Observed<string> = notSeen("not-requested", "no kube-proxy pod that could be asked", pods.source);
  for (const { namespace, name } of pods.value.slice(0, atMost)) {
    const read = await reader.podProxyMode({ namespace, pod: name });
    const mode = read.seen === true ? modeOf(read.value) : null;
    if (mode !== null) modes.push({ namespace, pod: name, mode });
    last =
      read.seen === true && mode === null ? notSeen("invalid", "the answer is no mode", read.source) : read;
    if (read.seen === false && read.why === "forbidden") break;
  }
  return modes.length === 0 && last.seen === false ? last : seen(modes, last.source);
}

/** The body is the bare word. */
function modeOf(body: string): ProxyMode | null {
  const word = body.trim();
  const running = PROXY_MODES.slice(0, PROXY_MODES.indexOf("unset"));
  return running.find((mode) => mode === word) ?? null;
}
