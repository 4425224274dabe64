import { parseKubeProxyFlags } from "./proxy-flags.ts";
import { type Environment, type SimpleCommand, shellCommands, type Word } from "./shell-words.ts";

export { type K3sNodeArgs, k3sNodeArgs } from "./k3s-args.ts";
export { ignoredWithConfig, type KubeProxyFlags, parseKubeProxyFlags } from "./proxy-flags.ts";

export interface KubeProxyArgv {
  /** kube-proxy's arguments, without its own name. */
  argv: string[];
  /** Names in `argv` whose value is not known: the text keeps them as `$(NAME)`. */
  unresolved: string[];
  /** True when it is kube-proxy but a script hides its arguments: `argv` is empty and proves nothing. */
  opaque: boolean;
  /** A `--cleanup` run: removes rules and exits. */
  cleanup: boolean;
  /** The flag that makes it exit without ever proxying (`--init-only`, `--write-config-to`, ...); null for a proxy. */
  notServing: string | null;
}

export interface ContainerCommand {
  image?: string | undefined;
  command?: readonly string[] | undefined;
  args?: readonly string[] | undefined;
}

const SHELLS = new Set(["sh", "bash", "ash", "dash", "ksh", "zsh"]);
/** Programs that run the rest of their arguments: kOps' and GKE's log runner, init processes, and the like. */
const WRAPPERS = new Set([
  ..."go-runner kube-log-runner tini dumb-init catatonit env nice ionice nohup exec command sudo chroot".split(
    " ",
  ),
  ..."nsenter setpriv su-exec gosu timeout stdbuf setsid taskset busybox flock chrt".split(" "),
]);
const ARCHITECTURES = "amd64|arm64|arm|ppc64le|s390x|riscv64";
/** `kube-proxy`, `kube-proxy-amd64`, `kube-proxy-worker`; not `kube-proxy-bootstrap` or `kube-proxy-exporter`. */
const KUBE_PROXY_IMAGE = new RegExp(
  `(?:^|[-_.])kube-proxy(?:-(?:${ARCHITECTURES}|worker|master|windows|linux|base))*$`,
);
const HYPERKUBE_IMAGE = new RegExp(`^hyperkube(?:-(?:${ARCHITECTURES}))?$`);
const HELPER_SCRIPT = /clean|init|bootstrap|migrat|wait|check|probe|load-?modules?/i;

/**
 * What a container gives kube-proxy as arguments; null when the container does not run kube-proxy. References
 * `$(VAR)` are expanded as the kubelet does it, `${VAR}` only where a shell sees it (kubeadm#857).
 */
export function kubeProxyArgv(container: ContainerCommand, env: Environment): KubeProxyArgv | null {
  const expand = (arg: string) => expandReferences(arg, env);
  const command = (container.command ?? []).map(expand);
  const args = (container.args ?? []).map(expand);
  const image = imageName(container.image ?? "");
  if (isWindowsScript([...command, ...args])) {
    const named = [...command, ...args].some(({ text }) => /kube-?proxy/i.test(text));
    return named || KUBE_PROXY_IMAGE.test(image) ? hidden() : null;
  }
  if (command.length > 0) return fromCommand([...command, ...args], env, image);
  if (args.length > 0 && isProgram(args[0]?.text ?? "")) return fromCommand(args, env, image);
  if (KUBE_PROXY_IMAGE.test(image)) return served(args);
  const proxySubcommand = /^(?:kube-)?proxy$/.test(args[0]?.text ?? "");
  return HYPERKUBE_IMAGE.test(image) && proxySubcommand ? served(args.slice(1)) : null;
}

/** Whether a value still holds a reference that could not be resolved. */
export function hasUnresolved(value: string, argv: KubeProxyArgv): boolean {
  return argv.unresolved.some((name) => value.includes(`$(${name})`));
}

/** `kube-proxy` of `registry:5000/mirror/kube-proxy:v1.30.0@sha256:...`. */
function imageName(image: string): string {
  return (image.replace(/@.*$/, "").split("/").at(-1) ?? "").replace(/:.*$/, "");
}

/**
 * As the kubelet expands command and args (k8s.io/kubernetes third_party/forked/golang/expansion): `$(VAR)` of a
 * declared variable, `$$` is a literal `$`, and what is not declared stays as it is written.
 */
function expandReferences(arg: string, env: Environment): Word {
  const unresolved: string[] = [];
  const text = arg.replace(/\$\$|\$\(([^()\s]+)\)/g, (match, name: string | undefined) => {
    if (name === undefined) return "$";
    const value = env[name];
    if (typeof value === "string") return value;
    unresolved.push(name);
    return match;
  });
  return { text, unresolved };
}

function fromCommand(words: SimpleCommand, env: Environment, image: string): KubeProxyArgv | null {
  const program = baseName(words[0]?.text ?? "");
  if (isKubeProxy(program)) return served(words.slice(1));
  if (program === "hyperkube") {
    return /^(?:kube-)?proxy$/.test(words[1]?.text ?? "") ? served(words.slice(2)) : null;
  }
  if (SHELLS.has(program)) return fromShell(words, env, image);
  if (!WRAPPERS.has(program)) return null;
  const next = words.findIndex(({ text }, index) => index > 0 && isProgram(text));
  return next < 0 ? null : fromCommand(words.slice(next), env, image);
}

function fromShell(words: SimpleCommand, env: Environment, image: string): KubeProxyArgv | null {
  const option = words.findIndex(({ text }, index) => index > 0 && /^-[a-z]*c[a-z]*$/.test(text));
  const script = option < 0 ? undefined : words[option + 1];
  if (script === undefined) {
    // `sh /scripts/start.sh`: the script is in the image or in a volume.
    const file = words.slice(1).find(({ text }) => !/^[-+]/.test(text))?.text ?? "";
    return KUBE_PROXY_IMAGE.test(image) && file !== "" && !HELPER_SCRIPT.test(file) ? hidden() : null;
  }
  const commands = shellCommands(script.text, env, words.slice(option + 2));
  const found = commands.map((command) => fromCommand(command, env, image)).filter((run) => run !== null);
  const proxies = found.filter((run) => !run.cleanup && run.notServing === null);
  // Branches that start kube-proxy in different ways: which one runs is decided on the node.
  if (new Set(proxies.map((run) => JSON.stringify(run.argv))).size > 1) return hidden();
  const startScript = commands
    .map((command) => command.find(({ text }) => !WRAPPERS.has(baseName(text)))?.text ?? "")
    .find((program) => program.endsWith(".sh"));
  if (found.length === 0 && KUBE_PROXY_IMAGE.test(image) && startScript !== undefined) {
    return HELPER_SCRIPT.test(startScript) ? null : hidden();
  }
  return proxies[0] ?? found[0] ?? null;
}

function baseName(program: string): string {
  return program.split(/[/\\]/).at(-1) ?? "";
}

function isKubeProxy(program: string): boolean {
  return /^kube-proxy(?:\.exe)?$/.test(program);
}

function isProgram(text: string): boolean {
  const program = baseName(text);
  return (
    !text.startsWith("-") &&
    (isKubeProxy(program) || program === "hyperkube" || SHELLS.has(program) || WRAPPERS.has(program))
  );
}

/** PowerShell and cmd entry points of Windows pods hide the flags (sig-windows-tools' `start.ps1`). */
function isWindowsScript(words: readonly Word[]): boolean {
  const program = baseName(words[0]?.text ?? "");
  return (
    /^(?:powershell|pwsh|cmd)(?:\.exe)?$/i.test(program) ||
    words.some(({ text }) => /\.(?:ps1|cmd|bat)\b/i.test(text))
  );
}

function hidden(): KubeProxyArgv {
  return { argv: [], unresolved: [], opaque: true, cleanup: false, notServing: null };
}

function served(words: SimpleCommand): KubeProxyArgv {
  const argv = words.map(({ text }) => text);
  const flags = parseKubeProxyFlags(argv);
  return {
    argv,
    unresolved: [...new Set(words.flatMap((word) => word.unresolved))],
    opaque: false,
    cleanup: flags.cleanup,
    notServing: flags.notServing,
  };
}
