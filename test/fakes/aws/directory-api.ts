import { errorAnswer, escaped, json, pageOf, type WireAnswer, xml } from "./answers.ts";
import type { FakeAccount, FakeCall, FakeFleet } from "./fleet.ts";

/** The assumed role's credentials, by access key: what the session was narrowed to. */
export type Sessions = Map<string, { account: string; allowed: readonly string[]; name: string }>;

/** The services that say who one is, and which accounts and Regions there are. */
export function directoryAnswer(
  fleet: FakeFleet,
  call: FakeCall,
  sessions: Sessions,
  now: Date,
): WireAnswer | null {
  switch (call.operation) {
    case "GetCallerIdentity":
      return callerIdentity(fleet, call);
    case "AssumeRole":
      return assumeRole(fleet, call, sessions, now);
    case "ListAccounts":
      return accountsPage(fleet.accounts, call);
    case "ListAccountsForParent":
      return accountsPage(
        fleet.accounts.filter(({ unit }) => (unit ?? "r-root") === call.input.ParentId),
        call,
      );
    case "ListOrganizationalUnitsForParent": {
      const units = new Set(fleet.accounts.flatMap(({ unit }) => unit ?? []));
      const below = call.input.ParentId === "r-root" ? [...units] : [];
      return json({ OrganizationalUnits: below.map((Id) => ({ Id, Name: Id })) });
    }
    case "ListTagsForResource": {
      const account = fleet.accounts.find(({ id }) => id === call.input.ResourceId);
      return json({ Tags: Object.entries(account?.tags ?? {}).map(([Key, Value]) => ({ Key, Value })) });
    }
    case "ListRegions":
      return json({
        Regions: regionsOf(fleet, call.account).map((RegionName) => ({
          RegionName,
          RegionOptStatus: "ENABLED_BY_DEFAULT",
        })),
      });
    case "DescribeRegions":
      return xml(
        `<DescribeRegionsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r</requestId><regionInfo>${regionsOf(
          fleet,
          call.account,
        )
          .map(
            (name) =>
              `<item><regionName>${name}</regionName><regionEndpoint>ec2.${name}.amazonaws.com</regionEndpoint><optInStatus>opt-in-not-required</optInStatus></item>`,
          )
          .join("")}</regionInfo></DescribeRegionsResponse>`,
      );
    case "SelectAggregateResourceConfig":
      return aggregated(fleet, call);
    default:
      return null;
  }
}

function callerIdentity(fleet: FakeFleet, { account }: FakeCall): WireAnswer {
  const arn = `arn:${fleet.partition ?? "aws"}:iam::${account}:user/hub`;
  return xml(
    `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>${arn}</Arn><UserId>AIDA</UserId><Account>${account}</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></GetCallerIdentityResponse>`,
  );
}

function assumeRole(fleet: FakeFleet, { input }: FakeCall, sessions: Sessions, now: Date): WireAnswer {
  const arn = input.RoleArn ?? "";
  const id = arn.split(":")[4] ?? "";
  const account = fleet.accounts.find((candidate) => candidate.id === id);
  const trusted = account !== undefined && account.trustsHub !== false;
  if (!trusted || (account.externalId ?? "") !== (input.ExternalId ?? "")) {
    const message = `User: arn:aws:iam::${fleet.hub}:user/hub is not authorized to perform: sts:AssumeRole on resource: ${arn}`;
    return errorAnswer("query", "AccessDenied", message);
  }
  const key = `ASIA${id}${String(sessions.size).padStart(4, "0")}`;
  sessions.set(key, { account: id, allowed: allowedBy(input.Policy), name: input.RoleSessionName ?? "" });
  const expiration = new Date(now.getTime() + Number(input.DurationSeconds ?? 3_600) * 1_000);
  return xml(
    `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><AssumedRoleUser><AssumedRoleId>AROA:${input.RoleSessionName}</AssumedRoleId><Arn>${escaped(arn)}</Arn></AssumedRoleUser><Credentials><AccessKeyId>${key}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>session-${key}</SessionToken><Expiration>${expiration.toISOString()}</Expiration></Credentials></AssumeRoleResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></AssumeRoleResponse>`,
  );
}

function allowedBy(policy: string | undefined): readonly string[] {
  if (policy === undefined) return ["*"];
  const parsed = JSON.parse(policy) as { Statement: { Action: string[] }[] };
  return parsed.Statement.flatMap(({ Action }) => Action);
}

/** Two accounts a page, and an empty page after each: Organizations sends such pages. */
function accountsPage(accounts: readonly FakeAccount[], { input }: FakeCall): WireAnswer {
  const empty = input.NextToken?.endsWith("-empty") === true;
  const token = input.NextToken?.replace("-empty", "");
  if (empty) return json({ Accounts: [], NextToken: token });
  const page = pageOf(accounts, token, 2);
  return json({
    Accounts: page.items.map(({ id, name, state }) => ({
      Id: id,
      Name: name ?? id,
      Arn: `arn:aws:organizations::000000000000:account/o-example/${id}`,
      State: state ?? "ACTIVE",
      Status: state === undefined || state === "ACTIVE" ? "ACTIVE" : "SUSPENDED",
    })),
    ...(page.next === undefined ? {} : { NextToken: `${page.next}-empty` }),
  });
}

function regionsOf(fleet: FakeFleet, account: string): string[] {
  return Object.keys(fleet.accounts.find(({ id }) => id === account)?.regions ?? {});
}

function aggregated(fleet: FakeFleet, { input }: FakeCall): WireAnswer {
  const rows = fleet.accounts.flatMap(({ id, regions }) =>
    Object.entries(regions).flatMap(([awsRegion, { clusters }]) =>
      clusters.map(({ name }) => JSON.stringify({ accountId: id, awsRegion, resourceName: name })),
    ),
  );
  const page = pageOf(rows, input.NextToken, 3);
  return json({
    Results: page.items,
    QueryInfo: { SelectFields: [{ Name: "accountId" }] },
    ...(page.next === undefined ? {} : { NextToken: page.next }),
  });
}
