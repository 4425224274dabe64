import { describe, expect, it } from "vitest";
import { createEksPublished } from "#src/aws/eks-published.ts";
import { accessEntryFor, remedyOf } from "#src/commands/doctor-aws.ts";
import { resolveCluster } from "#src/inventory/aws/resolve-cluster.ts";
import { PAYMENTS, smallOrganization } from "../fakes/aws/organization.ts";
import { accessTo, REQUEST } from "../inventory/aws/with-aws.ts";

const role = "arn:aws:iam::222222222222:role/audit/proxy-audit-read";
const denied = (user: string) =>
  `AssumeRole ${role}: AccessDenied: User: ${user} is not authorized to perform: sts:AssumeRole on resource: ${role}`;

describe("what to add so that AWS can be read", () => {
  it.each([
    ["arn:aws:iam::000000000001:user/hub", "arn:aws:iam::000000000001:user/hub"],
    ["arn:aws:sts::000000000001:assumed-role/Admin/me@example.com", "arn:aws:iam::000000000001:role/Admin"],
    ["arn:aws-cn:sts::000000000001:assumed-role/Admin/me", "arn:aws-cn:iam::000000000001:role/Admin"],
  ])("is, for a role that %s may not assume, its trust and the caller's permission", (user, principal) => {
    const entry = { kind: "account", id: "222222222222", status: "failed", why: "forbidden" } as const;
    expect(remedyOf({ ...entry, reason: denied(user) })).toBe(
      [
        `# trust policy of ${role} (with the external id that it asks for, given by --external-id)`,
        `{"Effect":"Allow","Principal":{"AWS":"${principal}"},"Action":"sts:AssumeRole"}`,
        `# policy of ${principal}`,
        `{"Effect":"Allow","Action":"sts:AssumeRole","Resource":"${role}"}`,
      ].join("\n"),
    );
  });

  it("is, for a role that lacks a permission, the statement", () => {
    const reason =
      "ListClusters (222222222222/eu-west-1): AccessDeniedException: User: arn:aws:sts::222222222222:assumed-role/r/s " +
      "is not authorized to perform: eks:ListClusters because no identity-based policy allows the action";
    expect(remedyOf({ kind: "region", id: "r", status: "failed", why: "forbidden", reason })).toBe(
      '# IAM policy of the role that reads the account\n{"Effect":"Allow","Action":["eks:ListClusters"],"Resource":"*"}',
    );
  });

  it.each([
    ["throttled", "ListClusters: ThrottlingException: Rate exceeded"],
    ["forbidden", "something else"],
    ["forbidden", null],
  ] as const)("is nothing where no permission is missing: %s %s", (why, reason) => {
    expect(remedyOf({ kind: "region", id: "r", status: "failed", why, reason })).toBeNull();
  });
});

describe("what lets the auditor into a cluster that does not know it", () => {
  it.each([
    ["member", `arn:aws:iam::${PAYMENTS}:role/proxy-audit-read`],
    ["caller", "arn:aws:iam::000000000001:user/hub"],
  ] as const)(
    "is an access entry for whom its token is signed: %s",
    async (kubernetesIdentity, principal) => {
      const { access } = await accessTo(smallOrganization(), { externalId: "secret-id" });
      const ref = { account: PAYMENTS, region: "eu-west-1", name: "shop" };
      const options = { ...REQUEST, kubernetesIdentity, published: createEksPublished(), accountTags: {} };
      const { cluster } = await resolveCluster(access, ref, options);
      expect(cluster?.eks && accessEntryFor(cluster.eks).split("\n")).toEqual([
        `aws eks create-access-entry --region eu-west-1 --cluster-name shop --principal-arn ${principal} --kubernetes-groups proxy-audit`,
        "kubectl apply -f infra/kubernetes/rbac.yaml",
      ]);
    },
  );
});
