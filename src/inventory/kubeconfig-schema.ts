import { z } from "zod";

/** kubectl takes `token: 12345` for text: its decoder knows which fields are strings. */
const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const optionalText = text.nullish().transform((value) => (value ? value : undefined));
/** Go reads an absent list and `null` alike. */
function listOf<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
}

const clusterSchema = z.object({
  server: text,
  "certificate-authority": optionalText,
  "certificate-authority-data": optionalText,
  "insecure-skip-tls-verify": z.boolean().nullish(),
  "tls-server-name": optionalText,
  "proxy-url": optionalText,
});

const execSchema = z.object({
  apiVersion: optionalText,
  command: text,
  args: listOf(text),
  env: listOf(z.object({ name: text, value: optionalText.transform((value) => value ?? "") })),
  installHint: optionalText,
  interactiveMode: optionalText,
  provideClusterInfo: z.boolean().nullish(),
});
export type ExecConfig = z.output<typeof execSchema>;

const userSchema = z.object({
  "client-certificate": optionalText,
  "client-certificate-data": optionalText,
  "client-key": optionalText,
  "client-key-data": optionalText,
  token: optionalText,
  tokenFile: optionalText,
  username: optionalText,
  password: optionalText,
  as: optionalText,
  "as-uid": optionalText,
  "as-groups": listOf(text),
  exec: execSchema.nullish().transform((exec) => exec ?? undefined),
  "auth-provider": z
    .object({ name: text, config: z.record(z.string(), text).nullish() })
    .nullish()
    .transform((provider) => provider ?? undefined),
});

const contextSchema = z.object({
  cluster: optionalText,
  user: optionalText,
});

/** What of a kubeconfig matters here (client-go, tools/clientcmd/api/v1). Unknown fields are left alone. */
export const kubeconfigSchema = z.object({
  "current-context": optionalText,
  clusters: listOf(z.object({ name: text, cluster: clusterSchema })),
  users: listOf(z.object({ name: text, user: userSchema.nullish().transform((user) => user ?? noUser()) })),
  contexts: listOf(
    z.object({ name: text, context: contextSchema.nullish().transform((context) => context ?? {}) }),
  ),
});

export type Kubeconfig = z.output<typeof kubeconfigSchema>;
export type KubeconfigClusterEntry = z.output<typeof clusterSchema>;
export type KubeconfigUserEntry = z.output<typeof userSchema>;

/** Whoever asks without credentials: `kubectl proxy` needs none. */
export function noUser(): KubeconfigUserEntry {
  return userSchema.parse({});
}
