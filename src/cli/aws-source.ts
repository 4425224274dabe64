import { readFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import type { MemberRole } from "#src/aws/assume-role.ts";
import type { AccountSource } from "#src/inventory/aws/accounts.ts";
import type { AwsInventory } from "#src/inventory/aws/from-aws.ts";
import {
  DEFAULT_ENVIRONMENT_TAGS,
  DEFAULT_TEAM_TAGS,
  parseOwnershipMapping,
} from "#src/inventory/aws/ownership.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { CliIo } from "./io.ts";

/** EKS clusters of AWS accounts, as options of a command. */
export interface AwsOptions {
  aws?: boolean;
  profile?: string;
  roleArn?: string[];
  organizationRole?: string;
  ou?: string[];
  externalId?: string;
  region?: string[];
  owners?: string;
  privateEndpoints?: boolean;
}

const GROUP = "EKS clusters of AWS accounts:";

export function addAwsOptions(
  command: Command,
  collect: (value: string, earlier?: string[]) => string[],
): void {
  const options = [
    new Option("--aws", "the EKS clusters of the account that your AWS credentials are for"),
    new Option("--profile <name>", "a profile of your AWS configuration"),
    new Option("--role-arn <arn>", "a role to assume, for the clusters of its account; repeatable").argParser(
      collect,
    ),
    new Option("--organization-role <name>", "the role to assume in every account of your organization"),
    new Option("--ou <id>", "with it: only this organizational unit, and all below; repeatable").argParser(
      collect,
    ),
    new Option("--external-id <id>", "what the roles' trust policies ask for"),
    new Option("--region <name>", "only this Region; repeatable (default: all that are enabled)").argParser(
      collect,
    ),
    new Option("--owners <file>", "who owns clusters without tags: a YAML list of account, cluster, team"),
    new Option("--private-endpoints", "try private endpoints too, where a VPN leads to them"),
  ];
  for (const option of options) command.addOption(option.helpGroup(GROUP));
}

const ONLY_WITH_AWS = {
  profile: "--profile",
  roleArn: "--role-arn",
  organizationRole: "--organization-role",
  ou: "--ou",
  externalId: "--external-id",
  region: "--region",
  owners: "--owners",
  privateEndpoints: "--private-endpoints",
} as const satisfies Partial<Record<keyof AwsOptions, string>>;

/** An option that says how to read AWS, where AWS is not to be read. */
export function awsOptionWithout(options: AwsOptions): string | undefined {
  if (options.aws === true) return undefined;
  const given = Object.entries(ONLY_WITH_AWS).find(([name]) => name in options);
  return given?.[1];
}

export interface OpenedAws extends AwsInventory {
  close(): Promise<void>;
}

/**
 * The clusters that the options lead to.
 *
 * @throws ProxyAuditError `aws` where the credentials are no good, `usage` for a role that is none, `no-clusters`
 * where there is nothing to audit.
 */
export async function openAws(options: AwsOptions, io: CliIo): Promise<OpenedAws> {
  const [{ openAwsAccess }, { clustersFromAws }, { fromNodeProviderChain }] = await Promise.all([
    import("#src/aws/access.ts"),
    import("#src/inventory/aws/from-aws.ts"),
    import("#src/aws/sign-in.ts"),
  ]);
  const roles = rolesOf(options);
  const region = await regionOf(options, io);
  const profile = options.profile === undefined ? {} : { profile: options.profile };
  const opened = await openAwsAccess({
    credentials: fromNodeProviderChain({ ...profile, clientConfig: { region } }),
    region,
    roleIn: roles.roleIn,
    clients: { proxyEnv: io.env },
    now: () => io.now(),
  });
  if (!opened.ok) {
    throw new ProxyAuditError(
      "aws",
      `your AWS credentials cannot be used: ${opened.detail}. Log in, or give --profile.`,
    );
  }
  const access = opened.value;
  const found = await clustersFromAws(access, {
    accounts: roles.accounts,
    regions: options.region ?? [],
    aggregator: null,
    ownership: {
      teamTags: DEFAULT_TEAM_TAGS,
      environmentTags: DEFAULT_ENVIRONMENT_TAGS,
      mapping:
        options.owners === undefined
          ? []
          : parseOwnershipMapping(await ownersIn(options.owners), options.owners),
    },
    privateEndpoints: options.privateEndpoints === true,
    extraHosts: [],
    kubernetesIdentity: "member",
    proxyEnv: io.env,
  });
  const opening = { ...found, close: async () => access.close() };
  if (found.clusters.length > 0) return opening;
  access.close();
  const failed = found.entries.filter(({ status }) => status === "failed");
  const [first] = failed;
  throw new ProxyAuditError(
    first === undefined ? "no-clusters" : "aws",
    first === undefined
      ? `no EKS clusters in account ${access.caller.account}${options.region ? ` (${options.region.join(", ")})` : ""}: is this the right profile?`
      : `no EKS clusters were found, and ${failed.length} of what was asked failed: ${first.kind} ${first.id}: ${first.reason}`,
  );
}

/** Where STS is asked: in the right partition, any Region will do. */
async function regionOf({ region, profile }: AwsOptions, io: CliIo): Promise<string> {
  const given = region?.[0] ?? io.env.AWS_REGION ?? io.env.AWS_DEFAULT_REGION;
  if (given !== undefined) return given;
  const { STSClient } = await import("#src/aws/sign-in.ts");
  try {
    return await new STSClient(profile === undefined ? {} : { profile }).config.region();
  } catch {
    // Neither the environment nor the profile names one.
    return "us-east-1";
  }
}

interface Roles {
  accounts: AccountSource;
  roleIn(account: string): MemberRole | null;
}

function rolesOf(options: AwsOptions): Roles {
  const { roleArn, organizationRole, ou } = options;
  const common = { externalId: options.externalId ?? null, sessionName: "proxy-audit" };
  if (roleArn !== undefined && organizationRole !== undefined) {
    throw new ProxyAuditError("usage", "--role-arn and --organization-role do not go together: give one.");
  }
  if (organizationRole !== undefined) {
    const accounts = { kind: "organization", units: ou ?? [], exclude: [], tags: true } as const;
    return { accounts, roleIn: () => ({ ...common, name: organizationRole }) };
  }
  if (ou !== undefined) throw new ProxyAuditError("usage", "--ou needs --organization-role.");
  if (roleArn === undefined) return { accounts: { kind: "caller" }, roleIn: () => null };
  const roles = new Map(roleArn.map(roleOfArn));
  return {
    accounts: { kind: "static", accounts: [...roles.keys()] },
    roleIn: (account) => {
      const name = roles.get(account);
      return name === undefined ? null : { ...common, name };
    },
  };
}

function roleOfArn(arn: string): [string, string] {
  const [, account, name] = /^arn:aws[a-z-]*:iam::(\d{12}):role\/(.+)$/.exec(arn) ?? [];
  if (account !== undefined && name !== undefined) return [account, name];
  throw new ProxyAuditError(
    "usage",
    `--role-arn ${arn} is not the ARN of a role. Give one like arn:aws:iam::111122223333:role/proxy-audit-read.`,
  );
}

async function ownersIn(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new ProxyAuditError("not-found", `cannot read ${file}: ${(cause as Error).message}`, { cause });
  }
}
