import type { EksAccess } from "#src/aws/eks-access.ts";
import { principalOf } from "#src/aws/principal.ts";
import { collectEks } from "#src/evidence/eks/collect.ts";
import type { EksEvidence } from "#src/evidence/eks/evidence.ts";
import type { InventoryEntry } from "#src/model/inventory-entry.ts";
import type { Observed } from "#src/model/observed.ts";
import type { PermissionRow } from "./doctor.ts";

/** The IAM actions behind each part of what the EKS API says. */
const ACTIONS: Readonly<Record<keyof EksEvidence, readonly string[]>> = {
  cluster: ["eks:DescribeCluster"],
  addon: ["eks:DescribeAddon"],
  addonSchemas: ["eks:DescribeAddonVersions", "eks:DescribeAddonConfiguration"],
  nodegroups: ["eks:ListNodegroups", "eks:DescribeNodegroup"],
  versions: ["eks:DescribeClusterVersions"],
  insights: ["eks:ListInsights"],
};

/** Which IAM permissions on a cluster are missing, found by making the audit's own calls. */
export async function eksPermissionsOf(access: EksAccess): Promise<PermissionRow[]> {
  const evidence = await collectEks(access);
  return Object.entries(ACTIONS).map(([part, actions]) =>
    rowOf(actions, evidence[part as keyof EksEvidence]),
  );
}

function rowOf(actions: readonly string[], read: Observed<unknown>): PermissionRow {
  const permission = actions.join(", ");
  if (read.seen === true || read.why === "absent") {
    return { permission, outcome: "granted", detail: "", add: null };
  }
  return {
    permission,
    outcome: read.why,
    detail: read.detail,
    add: read.why === "forbidden" ? statementFor(deniedAction(read.detail) ?? actions) : null,
  };
}

/** What to add so that a part of the inventory that failed can be read; null where no permission is missing. */
export function remedyOf({ why, reason }: InventoryEntry): string | null {
  if (why !== "forbidden" || reason === null) return null;
  const denied = deniedAction(reason);
  if (denied === null) return null;
  const [, role = ""] = /AssumeRole (arn:\S+:role\/[^\s:]+)/.exec(reason) ?? [];
  if (role === "") return statementFor(denied);
  const [, user = "YOUR-ROLE-ARN"] = /User: (arn:[^\s]+)/.exec(reason) ?? [];
  const caller = principalOf(user);
  return (
    `# trust policy of ${role} (with the external id that it asks for, given by --external-id)\n` +
    `{"Effect":"Allow","Principal":{"AWS":"${caller}"},"Action":"sts:AssumeRole"}\n` +
    `# policy of ${caller}\n{"Effect":"Allow","Action":"sts:AssumeRole","Resource":"${role}"}`
  );
}

/** AWS names the action that it refuses. */
function deniedAction(detail: string): readonly string[] | null {
  const match = /not authorized to perform: ([a-z0-9-]+:[A-Za-z]+)/.exec(detail);
  return match?.[1] === undefined ? null : [match[1]];
}

function statementFor(actions: readonly string[]): string {
  return `# IAM policy of the role that reads the account\n${JSON.stringify({ Effect: "Allow", Action: actions, Resource: "*" })}`;
}

/**
 * The commands that let the auditor in, for a cluster that does not know it: EKS answers 401 to a role without an
 * access entry. The group is bound by infra/kubernetes/rbac.yaml; AWS's own view policies lack nodes, or include
 * Secrets (EKS user guide, access policy permissions).
 */
export function accessEntryFor({ name, region, principal }: EksAccess): string {
  return (
    `aws eks create-access-entry --region ${region} --cluster-name ${name} --principal-arn ${principal} ` +
    "--kubernetes-groups proxy-audit\nkubectl apply -f infra/kubernetes/rbac.yaml"
  );
}
