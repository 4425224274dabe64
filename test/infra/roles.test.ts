import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MEMBER_ACTIONS } from "#src/aws/read-only-actions.ts";
import { type Statement, statementsOf } from "./packaged.ts";
import { resourcesIn } from "./template-roles.ts";

const rolesIn = (file: string) =>
  Object.entries(resourcesIn(file)).filter(([, { Type }]) => Type === "AWS::IAM::Role");
const actionsOf = (statements: readonly Statement[]) => statements.flatMap(({ Action }) => Action).toSorted();

const ROLE_FILES = [
  "infra/service/roles.yml",
  "infra/service/schedules.yml",
  "infra/member/role.yml",
  "infra/in-cluster/role.yml",
];
const roles = ROLE_FILES.flatMap((file) =>
  rolesIn(file).map(([name, role]) => ({ name: `${name} of ${file}`, role })),
);

/** AWS takes no resource for these; the rest of the member's actions are there for the hub's own account. */
const WITHOUT_RESOURCE: readonly string[] = [
  ...MEMBER_ACTIONS,
  "organizations:ListAccounts",
  "organizations:ListAccountsForParent",
  "organizations:ListOrganizationalUnitsForParent",
  "organizations:ListTagsForResource",
];

describe("the roles", () => {
  it.each(roles)("$name names each action, without a wildcard", ({ role }) => {
    const statements = statementsOf(role);
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.every(({ Effect }) => Effect === "Allow")).toBe(true);
    expect(actionsOf(statements).filter((action) => !/^[a-z0-9-]+:[A-Z][A-Za-z]+$/.test(action))).toEqual([]);
  });

  it.each(roles)("$name names each resource, but where AWS takes none", ({ role }) => {
    const everywhere = statementsOf(role).filter(({ Resource = [] }) => Resource.includes("*"));
    expect(actionsOf(everywhere).filter((action) => !WITHOUT_RESOURCE.includes(action))).toEqual([]);
  });

  it("of member accounts may do exactly what the audit asks for, and nothing that writes", () => {
    const [, role] = rolesIn("infra/member/role.yml")[0] ?? [];
    const actions = role === undefined ? [] : actionsOf(statementsOf(role));
    expect(actions).toEqual([...MEMBER_ACTIONS].toSorted());
    expect(actions.filter((action) => !/:(Describe|List)/.test(action))).toEqual([]);
  });

  it("of member accounts is the same in Terraform", () => {
    const text = readFileSync("infra/member/terraform/main.tf", "utf8");
    const read = text.slice(
      text.indexOf('"aws_iam_policy_document" "read"'),
      text.indexOf('resource "aws_iam_role"'),
    );
    const actions = [...read.matchAll(/"((?:account|ec2|eks):\w+)"/g)].map(([, action]) => action);
    expect(actions.toSorted()).toEqual([...MEMBER_ACTIONS].toSorted());
  });

  it("of functions that enter accounts hold the same for the hub's own", () => {
    for (const name of ["EnumerateRole", "AuditRole"]) {
      const role = resourcesIn("infra/service/roles.yml")[name];
      const own =
        role === undefined ? [] : statementsOf(role).filter(({ Resource = [] }) => Resource.includes("*"));
      expect({ name, actions: actionsOf(own) }).toEqual({ name, actions: [...MEMBER_ACTIONS].toSorted() });
    }
  });

  it("in clusters may post, and read what the EKS API says, no more", () => {
    const [, role] = rolesIn("infra/in-cluster/role.yml")[0] ?? [];
    const others = (role === undefined ? [] : actionsOf(statementsOf(role))).filter(
      (action) => !MEMBER_ACTIONS.some((known) => known === action),
    );
    expect(others).toEqual(["lambda:InvokeFunction", "lambda:InvokeFunctionUrl"]);
  });

  it("that can decide, or delete from the table, are Slack's alone", () => {
    const deleting = roles
      .filter(({ role }) => actionsOf(statementsOf(role)).includes("dynamodb:DeleteItem"))
      .map(({ name }) => name.split(" ")[0]);
    expect(deleting.filter((name) => !/^(Slack|Digest)/.test(name ?? ""))).toEqual([]);
  });
});
