import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { loopbackCertificate } from "#src/demo/api-server/certificate.ts";
import { type RawAnswer, send } from "../../demo/client.ts";

export interface ControlPlane {
  url: string;
  /** PEM. */
  ca: string;
  /** In group system:masters. */
  admin: string;
  /** In group proxy-audit, which the shipped role is bound to. */
  auditor: string;
  stop(): Promise<void>;
}

const TOKENS = { admin: "admin-token", auditor: "auditor-token" };
const START_MS = 90_000;

/**
 * A real etcd and kube-apiserver on loopback, started as controller-runtime's envtest starts them: `assets` is the
 * folder that KUBEBUILDER_ASSETS names. `serviceRange` must hold the cluster IPs that will be created.
 */
export async function startControlPlane(assets: string, serviceRange: string): Promise<ControlPlane> {
  const folder = await mkdtemp(join(tmpdir(), "proxy-audit-envtest-"));
  const [clientPort, peerPort, apiPort] = [await freePort(), await freePort(), await freePort()];
  const client = `http://127.0.0.1:${clientPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const etcd = start(join(assets, "etcd"), [
    `--data-dir=${join(folder, "etcd")}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    "--unsafe-no-fsync",
  ]);
  const { certificate, privateKey } = await loopbackCertificate();
  const serviceAccounts = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const files: Record<string, string> = {
    "server.crt": certificate,
    "server.key": privateKey,
    "service-accounts.key": serviceAccounts.privateKey,
    "tokens.csv": `${TOKENS.admin},admin,1,system:masters\n${TOKENS.auditor},auditor,2,proxy-audit\n`,
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, name), text, { mode: 0o600 });
  const apiServer = start(join(assets, "kube-apiserver"), [
    `--etcd-servers=${client}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    `--secure-port=${apiPort}`,
    `--tls-cert-file=${join(folder, "server.crt")}`,
    `--tls-private-key-file=${join(folder, "server.key")}`,
    `--cert-dir=${folder}`,
    `--service-cluster-ip-range=${serviceRange}`,
    `--service-account-issuer=https://127.0.0.1:${apiPort}`,
    `--service-account-key-file=${join(folder, "service-accounts.key")}`,
    `--service-account-signing-key-file=${join(folder, "service-accounts.key")}`,
    `--token-auth-file=${join(folder, "tokens.csv")}`,
    "--authorization-mode=RBAC",
    // No controller makes the ServiceAccounts that it would ask for.
    "--disable-admission-plugins=ServiceAccount",
    "--allow-privileged=true",
  ]);
  const url = `https://127.0.0.1:${apiPort}`;
  const stop = async () => {
    await end(apiServer.child);
    await end(etcd.child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady({ url, ca: certificate }, [etcd, apiServer]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, ca: certificate, ...TOKENS, stop };
}

interface Started {
  child: ChildProcess;
  /** The end of what it printed. */
  output(): string;
}

function start(program: string, args: string[]): Started {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  child.on("error", (error) => keep(Buffer.from(String(error))));
  return { child, output: () => output };
}

async function untilReady(server: { url: string; ca: string }, started: readonly Started[]): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const ended = started.find(({ child }) => child.exitCode !== null || child.pid === undefined);
    if (ended) throw new Error(`${ended.child.spawnfile} ended: ${ended.output()}`);
    const ready = await send(server, "/readyz", { token: TOKENS.admin }).catch((): RawAnswer | null => null);
    if (ready?.status === 200) return;
    await pause(250);
  }
  throw new Error(`kube-apiserver was not ready in ${START_MS} ms: ${started.at(-1)?.output()}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const killed = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await ended;
  clearTimeout(killed);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
