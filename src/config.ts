import { z } from "zod";
import { closestName } from "#src/inventory/closest-name.ts";
import { printable } from "#src/kubernetes/printable.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import {
  accountId,
  accounts,
  list,
  listOf,
  named,
  optional,
  positive,
  queueUrl,
  word,
  yesOrNo,
} from "./config-values.ts";

interface Setting {
  variable: string;
  /** A noun phrase: what the value is. */
  what: string;
  /** Which functions read it. */
  group: "Everywhere" | "Finding clusters" | "Reading clusters" | "Slack";
  /** How a value is written. */
  form: string;
  /** The value where the variable is not set, as it would be written; null: it must be set; "": nothing. */
  unset: string | null;
  /** Never shown in an error. */
  secret?: boolean;
  schema: z.ZodType<unknown, string>;
}

const NAMED_FORM = "`ssm:NAME`, `secretsmanager:NAME`, or the value itself (for local runs)";
const LIST_FORM = "list, by commas";

/** Every setting of the functions. The command line takes options instead. */
export const SETTINGS = {
  region: setting(
    "AWS_REGION",
    "Everywhere",
    "the functions' own Region, which Lambda sets",
    "Region",
    null,
    word,
  ),
  table: setting("PROXY_AUDIT_TABLE", "Everywhere", "the DynamoDB table of audits", "name", null, word),
  maxAuditAgeHours: setting(
    "PROXY_AUDIT_MAX_AUDIT_AGE_HOURS",
    "Everywhere",
    "how old an audit may be before verdicts from it are incomplete",
    "hours",
    "36",
    positive,
  ),
  accountsQueueUrl: setting(
    "PROXY_AUDIT_ACCOUNTS_QUEUE_URL",
    "Finding clusters",
    "the queue with one message an account",
    "URL",
    null,
    queueUrl,
  ),
  clustersQueueUrl: setting(
    "PROXY_AUDIT_CLUSTERS_QUEUE_URL",
    "Finding clusters",
    "the queue with one message a cluster",
    "URL",
    null,
    queueUrl,
  ),
  deadLetterQueueUrl: setting(
    "PROXY_AUDIT_DEAD_LETTER_QUEUE_URL",
    "Finding clusters",
    "the queue where messages end that cannot be worked on",
    "URL",
    null,
    queueUrl,
  ),
  runHours: setting(
    "PROXY_AUDIT_RUN_HOURS",
    "Finding clusters",
    "after how long a run is closed as partial, with what is still missing",
    "hours",
    "6",
    positive,
  ),
  accounts: setting(
    "PROXY_AUDIT_ACCOUNTS",
    "Finding clusters",
    "the accounts to look into",
    "`organization`, `caller` (the functions' own), or account ids by commas",
    null,
    accounts,
  ),
  organizationalUnits: setting(
    "PROXY_AUDIT_ORGANIZATIONAL_UNITS",
    "Finding clusters",
    "with `organization`: the units to look into, with all below them; none: all",
    LIST_FORM,
    "",
    listOf(z.string().regex(/^(ou|r)-[a-z0-9-]+$/, "an organizational unit's id begins with ou- or r-")),
  ),
  excludedAccounts: setting(
    "PROXY_AUDIT_EXCLUDED_ACCOUNTS",
    "Finding clusters",
    "accounts that are left out",
    LIST_FORM,
    "",
    listOf(accountId),
  ),
  aggregator: setting(
    "PROXY_AUDIT_CONFIG_AGGREGATOR",
    "Finding clusters",
    "an AWS Config aggregator to find clusters by, instead of asking every account and Region",
    "name",
    "",
    optional(word),
  ),
  regions: setting(
    "PROXY_AUDIT_REGIONS",
    "Finding clusters",
    "the only Regions to look into; none: every one that is enabled",
    LIST_FORM,
    "",
    listOf(z.string().regex(/^[a-z]+(-[a-z]+)+-\d+$/, "not the name of a Region")),
  ),
  teamTags: setting(
    "PROXY_AUDIT_TEAM_TAGS",
    "Finding clusters",
    "tag keys that name a cluster's team, by preference; on the cluster first, then on its account",
    LIST_FORM,
    "team,owner,squad",
    list,
  ),
  environmentTags: setting(
    "PROXY_AUDIT_ENVIRONMENT_TAGS",
    "Finding clusters",
    "tag keys that name a cluster's environment",
    LIST_FORM,
    "environment,env,stage",
    list,
  ),
  accountTags: setting(
    "PROXY_AUDIT_ACCOUNT_TAGS",
    "Finding clusters",
    "whether accounts' tags are read too: one call an account",
    "`true` or `false`",
    "true",
    yesOrNo,
  ),
  owners: setting(
    "PROXY_AUDIT_OWNERS",
    "Finding clusters",
    "a YAML list of `{account, region, cluster, team, environment}` for clusters without tags",
    NAMED_FORM,
    "",
    optional(named),
  ),
  memberRole: setting(
    "PROXY_AUDIT_MEMBER_ROLE",
    "Reading clusters",
    "the role that is assumed in every account",
    "name, with its path",
    "proxy-audit-read",
    word,
  ),
  externalId: setting(
    "PROXY_AUDIT_EXTERNAL_ID",
    "Reading clusters",
    "the external id that the role's trust policy asks for",
    NAMED_FORM,
    "",
    optional(named),
    "secret",
  ),
  kubernetesIdentity: setting(
    "PROXY_AUDIT_KUBERNETES_IDENTITY",
    "Reading clusters",
    "whose access entry opens a cluster: the role in the cluster's account, or the functions' own role",
    "`member` or `caller`",
    "member",
    z.enum(["member", "caller"]),
  ),
  privateEndpoints: setting(
    "PROXY_AUDIT_PRIVATE_ENDPOINTS",
    "Reading clusters",
    "whether private endpoints are tried: where the audit function runs in a VPC that reaches them",
    "`true` or `false`",
    "false",
    yesOrNo,
  ),
  extraEndpointHosts: setting(
    "PROXY_AUDIT_EXTRA_ENDPOINT_HOSTS",
    "Reading clusters",
    "hosts that may be sent a token besides EKS's own names, e.g. a front in your network",
    "list of `host:port`, by commas",
    "",
    listOf(z.string().regex(/^[^\s/@:]+:\d{1,5}$/, "not host:port")),
  ),
  postingRole: setting(
    "PROXY_AUDIT_POSTING_ROLE",
    "Reading clusters",
    "the role whose sessions may post audits made inside clusters, for clusters of the role's own account",
    "name",
    "proxy-audit-post",
    word,
  ),
  slackQueueUrl: setting(
    "PROXY_AUDIT_SLACK_QUEUE_URL",
    "Slack",
    "the queue of Slack requests that take longer than Slack waits",
    "URL",
    null,
    queueUrl,
  ),
  slackSigningSecret: setting(
    "PROXY_AUDIT_SLACK_SIGNING_SECRET",
    "Slack",
    "the app's signing secret",
    NAMED_FORM,
    null,
    named,
    "secret",
  ),
  slackPreviousSigningSecret: setting(
    "PROXY_AUDIT_SLACK_PREVIOUS_SIGNING_SECRET",
    "Slack",
    "the signing secret before it was changed, taken too while the change is under way",
    NAMED_FORM,
    "",
    optional(named),
    "secret",
  ),
  slackSettings: setting(
    "PROXY_AUDIT_SLACK_SETTINGS",
    "Slack",
    "JSON with the app's id, its workspaces with their bot tokens, and who may do what (docs/deploy.md)",
    NAMED_FORM,
    null,
    named,
    "secret",
  ),
  slackApiUrl: setting(
    "PROXY_AUDIT_SLACK_API_URL",
    "Slack",
    "another address than Slack's own, for local runs",
    "URL",
    "",
    optional(z.url("not a URL")),
  ),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export type Config = { [Name in SettingName]: z.output<(typeof SETTINGS)[Name]["schema"]> };

/**
 * The settings that a function needs, read from the environment once, at start.
 *
 * @throws ProxyAuditError `invalid-configuration` that names every variable that is missing or wrong.
 */
export function readConfig<const Name extends SettingName>(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly Name[],
): Pick<Config, Name> {
  const problems: string[] = [];
  const entries = names.map((name) => {
    const { variable, what, form, unset, schema, secret }: Setting = SETTINGS[name];
    // A variable that is set to nothing is one that a template left empty.
    const text = env[variable] || unset;
    if (text === null) {
      problems.push(`${variable} is missing: ${what} (${form})${similar(variable, env)}`);
      return [name, undefined];
    }
    const parsed = schema.safeParse(text);
    if (!parsed.success) {
      const value = secret ? "" : ` is ${JSON.stringify(printable(text, 60))}`;
      problems.push(`${variable}${value}: ${parsed.error.issues[0]?.message ?? "wrong"} (${form})`);
    }
    return [name, parsed.data];
  });
  if (problems.length > 0) throw new ProxyAuditError("invalid-configuration", problems.join("; "));
  return Object.fromEntries(entries) as Pick<Config, Name>;
}

/** A variable of ours that is set and that nothing reads is a misspelt one. */
function similar(variable: string, env: Readonly<Record<string, string | undefined>>): string {
  const known = new Set<string>(Object.values(SETTINGS).map((one) => one.variable));
  const unread = Object.keys(env).filter((key) => key.startsWith("PROXY_AUDIT_") && !known.has(key));
  const near = closestName(variable, unread);
  return near === undefined ? "" : `. ${near} is set: is that the one?`;
}

function setting<S extends z.ZodType<unknown, string>>(
  variable: string,
  group: Setting["group"],
  what: string,
  form: string,
  unset: string | null,
  schema: S,
  secret?: "secret",
) {
  return { variable, group, what, form, unset, schema, secret: secret !== undefined } satisfies Setting;
}
