import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseDocument } from "yaml";
import { printable } from "#src/kubernetes/printable.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import {
  type Kubeconfig,
  type KubeconfigClusterEntry,
  type KubeconfigUserEntry,
  kubeconfigSchema,
} from "./kubeconfig-schema.ts";

/** One kubeconfig made of one or more files, by name; the paths in it are absolute. */
export interface MergedKubeconfig {
  /** The files it was read from, for messages. */
  files: readonly string[];
  currentContext: string | undefined;
  clusters: ReadonlyMap<string, KubeconfigClusterEntry>;
  users: ReadonlyMap<string, KubeconfigUserEntry>;
  contexts: ReadonlyMap<string, { cluster?: string | undefined; user?: string | undefined }>;
}

/**
 * Reads kubeconfig files the way kubectl merges them: the first file that names a thing wins, and a file of the
 * list that does not exist is passed over (kubernetes.io, "Organizing Cluster Access Using kubeconfig Files").
 *
 * @throws ProxyAuditError `invalid-kubeconfig` when no file is there or one cannot be read.
 */
export async function readKubeconfig(files: readonly string[]): Promise<MergedKubeconfig> {
  const found: { file: string; content: Kubeconfig }[] = [];
  for (const file of files) {
    const content = await readOne(file);
    if (content !== undefined) found.push({ file, content });
  }
  if (found.length === 0) {
    throw invalid(
      `no kubeconfig at ${files.join(", ")}: name one with --kubeconfig or KUBECONFIG, or audit dumped manifests with --manifests`,
    );
  }
  const contents = found.map(({ content }) => content);
  return {
    files: found.map(({ file }) => file),
    currentContext: contents.map((content) => content["current-context"]).find(Boolean),
    clusters: firstByName(contents.flatMap(({ clusters }) => clusters.map((c) => [c.name, c.cluster]))),
    users: firstByName(contents.flatMap(({ users }) => users.map((u) => [u.name, u.user]))),
    contexts: firstByName(contents.flatMap(({ contexts }) => contexts.map((c) => [c.name, c.context]))),
  };
}

/** Where the kubeconfig is: what was named, else KUBECONFIG, else `~/.kube/config`. Lists are split as PATH is. */
export function kubeconfigFiles(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const named = (file || env.KUBECONFIG || "").split(path.delimiter).filter((part) => part !== "");
  if (named.length > 0) return named;
  const home = env.HOME || env.USERPROFILE;
  if (!home) throw invalid("no kubeconfig: neither --kubeconfig, KUBECONFIG nor a home folder is set");
  return [path.join(home, ".kube", "config")];
}

async function readOne(file: string): Promise<Kubeconfig | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "no code";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    const reason = { EISDIR: "it is a folder", EACCES: "permission denied" }[code] ?? code;
    throw invalid(`kubeconfig ${file} cannot be read: ${reason}`, error);
  }
  // YAML 1.1, as kubectl's decoder: `yes` is true.
  const document = parseDocument(text, { version: "1.1", prettyErrors: true });
  const [broken] = document.errors;
  if (broken !== undefined) {
    const line = broken.linePos?.[0].line ?? 1;
    // No more of the message than that: the rest quotes the file, which holds credentials.
    const what = broken.message.replace(/(?: at line \d+|: ["']|\n)[\s\S]*$/, "");
    throw invalid(`kubeconfig ${file} is not YAML, line ${line}: ${printable(what)}`);
  }
  const parsed = kubeconfigSchema.safeParse(document.toJS() ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(
      `kubeconfig ${file} is not as kubectl reads it: ${issue?.path.join(".") || "the file"}: ${issue?.message ?? ""}`,
    );
  }
  return withAbsolutePaths(parsed.data, path.dirname(path.resolve(file)));
}

/** Paths in a kubeconfig are relative to its folder, and so is an exec command with a slash in it. */
function withAbsolutePaths(content: Kubeconfig, folder: string): Kubeconfig {
  for (const { cluster } of content.clusters) {
    cluster["certificate-authority"] = absolute(folder, cluster["certificate-authority"]);
  }
  for (const { user } of content.users) {
    user["client-certificate"] = absolute(folder, user["client-certificate"]);
    user["client-key"] = absolute(folder, user["client-key"]);
    user.tokenFile = absolute(folder, user.tokenFile);
    if (user.exec !== undefined && /[\\/]/.test(user.exec.command)) {
      user.exec.command = path.resolve(folder, user.exec.command);
    }
  }
  return content;
}

function absolute(folder: string, file: string | undefined): string | undefined {
  return file === undefined ? undefined : path.resolve(folder, file);
}

function firstByName<T>(entries: readonly (readonly [string, T])[]): Map<string, T> {
  const named = new Map<string, T>();
  for (const [name, entry] of entries) {
    if (!named.has(name)) named.set(name, entry);
  }
  return named;
}

function invalid(message: string, cause?: unknown): ProxyAuditError {
  return new ProxyAuditError("invalid-kubeconfig", message, { cause });
}
