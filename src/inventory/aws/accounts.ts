import type { AwsAccess } from "#src/aws/access.ts";
import type { InventoryEntry } from "#src/model/inventory-entry.ts";
import { failedEntry } from "./entry.ts";
import { type Organization, openOrganization } from "./organization.ts";

/** An account whose clusters are to be found. */
export interface AwsAccount {
  id: string;
  name: string | null;
  tags: Readonly<Record<string, string>>;
}

/** Where the list of accounts comes from. */
export type AccountSource =
  | { kind: "caller" }
  | { kind: "static"; accounts: readonly string[] }
  | {
      kind: "organization";
      /** Organizational units or roots (`ou-…`, `r-…`), with all below them; empty: the whole organization. */
      units: readonly string[];
      exclude: readonly string[];
      /** Read each account's tags: one call an account. */
      tags: boolean;
    };

export interface AccountListing {
  accounts: AwsAccount[];
  /** Accounts that were left out and why, and what of the organization could not be read. */
  entries: InventoryEntry[];
}

/** The accounts to look into. One that cannot be listed whole says so in an entry, and gives what it has. */
export async function listAccounts(source: AccountSource, access: AwsAccess): Promise<AccountListing> {
  if (source.kind === "caller") return { accounts: [bare(access.caller.account)], entries: [] };
  if (source.kind === "static") return { accounts: [...new Set(source.accounts)].map(bare), entries: [] };
  const organization = openOrganization(access);
  try {
    return await fromOrganization(source, organization);
  } finally {
    organization.close();
  }
}

async function fromOrganization(
  source: Extract<AccountSource, { kind: "organization" }>,
  organization: Organization,
): Promise<AccountListing> {
  const entries: InventoryEntry[] = [];
  const { members, entries: unread } = await organization.members(source.units);
  entries.push(...unread);
  const accounts: AwsAccount[] = [];
  for (const { id, name, state } of members) {
    if (source.exclude.includes(id)) {
      entries.push(skipped(id, "excluded by configuration"));
    } else if (state !== "ACTIVE") {
      entries.push(skipped(id, `the account's state is ${state}`));
    } else {
      accounts.push({ id, name, tags: {} });
    }
  }
  if (!source.tags) return { accounts, entries };
  const tagged: AwsAccount[] = [];
  for (const account of accounts) {
    const tags = await organization.tags(account.id);
    if (tags.seen !== true) entries.push(failedEntry("organization", account.id, tags.why, tags.detail));
    tagged.push({ ...account, tags: tags.seen === false ? {} : Object.fromEntries(tags.value) });
  }
  return { accounts: tagged, entries };
}

function skipped(id: string, reason: string): InventoryEntry {
  return { kind: "account", id, status: "skipped", why: "not-requested", reason };
}

function bare(id: string): AwsAccount {
  return { id, name: null, tags: {} };
}
