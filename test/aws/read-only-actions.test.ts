import { describe, expect, it } from "vitest";
import { createEksPublished } from "#src/aws/eks-published.ts";
import { MEMBER_ACTIONS } from "#src/aws/read-only-actions.ts";
import { collectEks } from "#src/evidence/eks/collect.ts";
import { enumerateAccount } from "#src/inventory/aws/enumerate.ts";
import { resolveCluster } from "#src/inventory/aws/resolve-cluster.ts";
import { PAYMENTS, smallOrganization } from "../fakes/aws/organization.ts";
import { accessTo, REQUEST } from "../inventory/aws/with-aws.ts";

describe("what a session in a member account may do", () => {
  it("is exactly what the audit asks for, Regions by either way", async () => {
    const { access, aws } = await accessTo(smallOrganization(), { externalId: "secret-id" });
    aws.setFaults([{ operation: "ListRegions", kind: "deny" }]);
    const { clusters } = await enumerateAccount(access, PAYMENTS, { regions: [] });
    const published = createEksPublished();
    for (const ref of clusters) {
      const { cluster } = await resolveCluster(access, ref, { ...REQUEST, published, accountTags: {} });
      if (cluster?.eks !== undefined) await collectEks(cluster.eks);
    }
    const asked = aws.calls
      .filter(({ account }) => account === PAYMENTS)
      .map(({ service, operation }) => `${service}:${operation}`);
    expect([...new Set(asked)].toSorted()).toEqual([...MEMBER_ACTIONS]);
  });

  it("is reading, whatever the role could do besides", () => {
    expect(MEMBER_ACTIONS.filter((action) => !/^[a-z0-9]+:(List|Describe)/.test(action))).toEqual([]);
  });
});
