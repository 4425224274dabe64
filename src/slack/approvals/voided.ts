import { auditHashOf } from "#src/verdict/audit-hash.ts";
import { md, mention } from "../blocks/mrkdwn.ts";
import type { SlackServices } from "../services.ts";
import { tellThread } from "./decide.ts";

const DAY_MS = 86_400_000;

/**
 * Tells the threads of approvals that a later audit has voided, once each. Run it after an audit, and by the hour
 * for audits that nobody follows up.
 */
export async function tellVoidedApprovals(
  services: SlackServices,
  filter: { clusterId?: string } = {},
): Promise<void> {
  const now = services.now();
  const active = await services.store.approvals({ ...filter, activeAt: now.toISOString() });
  for (const approval of active) {
    const audit = await services.store.latest(approval.clusterId);
    if (audit !== undefined && auditHashOf(audit) === approval.auditHash) continue;
    const found = await services.store.approvalRequest(approval.id);
    if (found === undefined) continue;
    const key = `approval-voided/${approval.id}`;
    const until = new Date(Date.parse(approval.expiresAt) + DAY_MS).toISOString();
    if (!(await services.store.claimOnce(key, { at: now.toISOString(), until }))) continue;
    const why =
      audit === undefined
        ? md`the cluster is no longer in the fleet`
        : md`the audit of ${audit.name} has changed since: what was approved is not what there is now`;
    const told = await tellThread(
      services,
      found.request,
      md`⚠️ The approval by ${mention(approval.approvedBy)} to upgrade to ${approval.target} is *void*: ${why}. Ask again with /proxy-audit approve. ${mention(found.request.requestedBy)}`,
      true,
    );
    if (!told) await services.store.releaseOnce(key);
  }
}
