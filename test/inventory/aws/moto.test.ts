import { CreateClusterCommand, EKSClient } from "@aws-sdk/client-eks";
import {
  CreateAccountCommand,
  CreateOrganizationCommand,
  OrganizationsClient,
  TagResourceCommand,
} from "@aws-sdk/client-organizations";
import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openAwsAccess } from "#src/aws/access.ts";
import { collectEks } from "#src/evidence/eks/collect.ts";
import { clustersFromAws } from "#src/inventory/aws/from-aws.ts";
import { type Moto, motoMissing, startMoto } from "../../fakes/moto.ts";
import { REQUEST } from "./with-aws.ts";

const missing = motoMissing();
if (missing !== null) process.stderr.write(`skipped: ${missing}\n`);

const REGION = "eu-west-1";
const credentials = { accessKeyId: "AKIAHUB", secretAccessKey: "secret" };

describe.skipIf(missing !== null)("an organization in moto", () => {
  let moto: Moto;

  beforeAll(async () => {
    moto = await startMoto();
    vi.stubEnv("AWS_ENDPOINT_URL", moto.url);
  }, 60_000);
  beforeEach(() => moto.reset());
  afterAll(async () => {
    vi.unstubAllEnvs();
    await moto.close();
  });

  async function createAccount(name: string, tags: Record<string, string>): Promise<string> {
    const organizations = new OrganizationsClient({ region: "us-east-1", credentials });
    const { CreateAccountStatus } = await organizations.send(
      new CreateAccountCommand({ AccountName: name, Email: `${name}@example.com` }),
    );
    const id = CreateAccountStatus?.AccountId ?? "";
    const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    await organizations.send(new TagResourceCommand({ ResourceId: id, Tags }));
    return id;
  }

  async function createCluster(account: string, region: string, name: string): Promise<void> {
    const sts = new STSClient({ region: REGION, credentials });
    const { Credentials } = await sts.send(
      new AssumeRoleCommand({ RoleArn: `arn:aws:iam::${account}:role/admin`, RoleSessionName: "setup" }),
    );
    const eks = new EKSClient({
      region,
      credentials: {
        accessKeyId: Credentials?.AccessKeyId ?? "",
        secretAccessKey: Credentials?.SecretAccessKey ?? "",
        sessionToken: Credentials?.SessionToken ?? "",
      },
    });
    await eks.send(
      new CreateClusterCommand({
        name,
        version: "1.35",
        roleArn: `arn:aws:iam::${account}:role/eks`,
        resourcesVpcConfig: { subnetIds: ["subnet-1", "subnet-2"] },
        tags: { environment: "prod" },
      }),
    );
  }

  it("is read to its end: accounts, the Regions by EC2, and their clusters", async () => {
    const organizations = new OrganizationsClient({ region: "us-east-1", credentials });
    await organizations.send(new CreateOrganizationCommand({ FeatureSet: "ALL" }));
    const accounts: string[] = [];
    for (let index = 0; index < 21; index += 1) {
      accounts.push(await createAccount(`member-${index}`, { team: `team-${index}` }));
    }
    const [first = "", second = ""] = accounts;
    await createCluster(first, "eu-west-1", "shop");
    await createCluster(first, "us-west-2", "edge");
    await createCluster(second, "eu-west-1", "search");

    const opened = await openAwsAccess({
      credentials: async () => credentials,
      region: REGION,
      roleIn: () => ({ name: "proxy-audit-read", externalId: "id", sessionName: "proxy-audit" }),
      clients: { maxAttempts: 1 },
      now: () => new Date(),
    });
    if (!opened.ok) throw new Error(opened.detail);
    const { clusters, entries } = await clustersFromAws(opened.value, {
      ...REQUEST,
      regions: ["eu-west-1", "us-west-2"],
    });
    expect(
      clusters
        .map(({ id, team, environment }) => ({ id, team, environment }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    ).toEqual(
      [
        { id: `eks:${first}/eu-west-1/shop`, team: "team-0", environment: "prod" },
        { id: `eks:${first}/us-west-2/edge`, team: "team-0", environment: "prod" },
        { id: `eks:${second}/eu-west-1/search`, team: "team-1", environment: "prod" },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    // The management account is a member too.
    expect(entries.filter(({ kind, status }) => kind === "account" && status === "ok")).toHaveLength(22);
    expect(entries.filter(({ status }) => status === "failed")).toEqual([]);

    // moto does not know add-ons: its web page is not taken for an answer.
    const [shop] = clusters;
    const evidence = shop?.eks === undefined ? undefined : await collectEks(shop.eks);
    expect(evidence?.cluster).toMatchObject({ seen: true, value: { version: "1.35" } });
    expect(evidence?.nodegroups).toMatchObject({ seen: true, value: [] });
    for (const part of [evidence?.addon, evidence?.versions, evidence?.insights]) {
      expect(part).toMatchObject({ seen: false, why: "invalid" });
    }
    // Its endpoint and authority are made up, and nothing is sent there.
    expect(await shop?.open()).toMatchObject({ seen: false, why: "invalid" });
    opened.value.close();
  }, 120_000);
});
