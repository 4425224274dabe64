import { spawn } from "node:child_process";
import { z } from "zod";
import { printable } from "#src/kubernetes/printable.ts";
import type { ExecConfig } from "./kubeconfig-schema.ts";

/** What a plugin hands out (client.authentication.k8s.io, ExecCredential). */
export interface ExecCredential {
  token: string | undefined;
  /** PEM. */
  clientCertificateData: string | undefined;
  clientKeyData: string | undefined;
}

export interface ExecPluginRun {
  exec: ExecConfig;
  /** Told to the plugin when the kubeconfig says `provideClusterInfo`. */
  cluster: Readonly<Record<string, unknown>>;
  /** The plugin's environment; its own variables come on top. */
  env: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
}

export type ExecPluginOutcome = { ok: true; credential: ExecCredential } | { ok: false; detail: string };

const OUTPUT_BYTES = 1024 * 1024;
const DEFAULT_VERSION = "client.authentication.k8s.io/v1";

const credentialSchema = z.object({
  kind: z.literal("ExecCredential"),
  status: z.object({
    token: z.string().min(1).optional(),
    clientCertificateData: z.string().min(1).optional(),
    clientKeyData: z.string().min(1).optional(),
  }),
});

/**
 * Runs a kubeconfig's exec plugin as client-go does, without a terminal. @kubernetes/client-node can run plugins,
 * but waits for one that hangs forever, does not set KUBERNETES_EXEC_INFO and mixes up users of the same name
 * (its README, issue 592).
 */
export async function runExecPlugin(run: ExecPluginRun): Promise<ExecPluginOutcome> {
  const { exec } = run;
  if (exec.interactiveMode === "Always") {
    return failed("it must ask somebody on a terminal (interactiveMode: Always)");
  }
  const ended = await outputOf(run);
  if (!ended.ok) return ended;
  let output: unknown;
  try {
    output = JSON.parse(ended.output);
  } catch {
    return failed("it printed something else than JSON");
  }
  const parsed = credentialSchema.safeParse(output);
  if (!parsed.success) return failed("it printed no ExecCredential");
  const { token, clientCertificateData, clientKeyData } = parsed.data.status;
  if (token === undefined && (clientCertificateData === undefined || clientKeyData === undefined)) {
    return failed("it gave neither a token nor a certificate with its key");
  }
  return { ok: true, credential: { token, clientCertificateData, clientKeyData } };
}

function outputOf(run: ExecPluginRun): Promise<{ ok: true; output: string } | { ok: false; detail: string }> {
  const { exec, timeoutMs } = run;
  return new Promise((resolve) => {
    const child = spawn(exec.command, exec.args, {
      env: environmentOf(run),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    let output = "";
    let complaint = "";

    /** Also for a plugin whose own children hold its pipes open. */
    function giveUp(detail: string): void {
      child.kill("SIGKILL");
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      resolve(failed(detail));
    }
    const timer = setTimeout(() => giveUp(`it did not end within ${timeoutMs / 1_000} s`), timeoutMs);

    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > OUTPUT_BYTES) giveUp("it printed more than 1 MiB");
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-OUTPUT_BYTES);
    });
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve(failed(notStarted(error, exec)));
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve({ ok: true, output });
      else resolve(failed(`it ended with ${signal ?? `code ${code}`}${lastLineOf(complaint)}`));
    });
  });
}

/** KUBERNETES_EXEC_INFO is what a plugin learns the wanted version from (KEP-541). */
function environmentOf({ exec, cluster, env }: ExecPluginRun): Record<string, string | undefined> {
  const info = {
    apiVersion: exec.apiVersion ?? DEFAULT_VERSION,
    kind: "ExecCredential",
    spec: { interactive: false, ...(exec.provideClusterInfo ? { cluster } : {}) },
  };
  const own = Object.fromEntries(exec.env.map(({ name, value }) => [name, value]));
  return { ...env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
}

function notStarted(error: Error, exec: ExecConfig): string {
  const code = "code" in error ? String(error.code) : "no code";
  if (code !== "ENOENT") return `it could not be started (${code})`;
  const hint = exec.installHint === undefined ? "" : `: ${printable(exec.installHint)}`;
  return `it is not installed or not on the PATH${hint}`;
}

/** Plugins explain themselves on stderr, the cause last ("The SSO session has expired"). */
function lastLineOf(complaint: string): string {
  const line = printable(complaint.trim().split("\n").at(-1) ?? "");
  return line === "" ? "" : `: ${line}`;
}

function failed(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}
