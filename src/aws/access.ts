import { GetCallerIdentityCommand } from "@aws-sdk/client-sts";
import { z } from "zod";
import { failed, type Outcome } from "#src/kubernetes/outcome.ts";
import { assumeMemberRole, type MemberRole, roleArnOf } from "./assume-role.ts";
import { type AccountClients, accountClients, type ClientSettings } from "./clients.ts";
import type { AwsCredentials, CredentialsProvider } from "./credentials.ts";
import { asked } from "./pages.ts";
import { principalOf } from "./principal.ts";

export interface AwsAccessOptions {
  /** The caller's own: a profile's on a laptop, the function's role in AWS. */
  credentials: CredentialsProvider;
  /** Where STS is asked, regionally. */
  region: string;
  /** What is assumed in another account; null: that account cannot be read. */
  roleIn: (account: string) => MemberRole | null;
  clients?: ClientSettings;
  now: () => Date;
}

/** The caller's identity, and through it the accounts that trust it. */
export interface AwsAccess {
  caller: { account: string; partition: string; principal: string };
  region: string;
  /** Clients that act as the caller. */
  hub: AccountClients;
  clients: ClientSettings;
  /** Clients that act in an account as its member role, or why there are none. */
  account(id: string): Promise<Outcome<AccountClients>>;
  /** ARN of whom those clients act as. */
  principalIn(id: string): string;
  now(): Date;
  close(): void;
}

const callerAnswer = z.object({ Account: z.string().regex(/^\d{12}$/), Arn: z.string() });

/** Credentials are renewed while they are still good for this long: an audit of one cluster takes a minute. */
const RENEW_BEFORE_MS = 2 * 60_000;

/** Finds out who the caller is; fails where the credentials are no good. */
export async function openAwsAccess(options: AwsAccessOptions): Promise<Outcome<AwsAccess>> {
  const { region, roleIn, now } = options;
  const clients = options.clients ?? {};
  const hub = accountClients(options.credentials, clients);
  const identity = await asked(`GetCallerIdentity in ${region}`, () =>
    hub.sts(region).send(new GetCallerIdentityCommand({})),
  );
  if (!identity.ok) return identity;
  const parsed = callerAnswer.safeParse(identity.value);
  if (!parsed.success) return failed("invalid", "GetCallerIdentity: the answer names no account");
  const { Account, Arn } = parsed.data;
  const caller = { account: Account, partition: Arn.split(":")[1] ?? "aws", principal: principalOf(Arn) };
  const members = new Map<string, Promise<Outcome<AccountClients>>>();

  async function openMember(id: string): Promise<Outcome<AccountClients>> {
    const role = roleIn(id);
    if (role === null) {
      return failed("not-requested", `account ${id} is not the caller's own, and no role is set for it`);
    }
    const assume = () => assumeMemberRole(hub.sts(region), role, { id, partition: caller.partition });
    const first = await assume();
    if (!first.ok) return first;
    return { ok: true, value: accountClients(renewed(first.value, assume, now), clients) };
  }

  async function account(id: string): Promise<Outcome<AccountClients>> {
    if (id === caller.account) return { ok: true, value: hub };
    const known = members.get(id) ?? openMember(id);
    members.set(id, known);
    const outcome = await known;
    if (!outcome.ok && members.get(id) === known) members.delete(id);
    return outcome;
  }

  function principalIn(id: string): string {
    const role = id === caller.account ? null : roleIn(id);
    return role === null ? caller.principal : roleArnOf(role.name, { id, partition: caller.partition });
  }

  async function closeMembers(): Promise<void> {
    for (const member of members.values()) {
      const outcome = await member;
      if (outcome.ok) outcome.value.close();
    }
  }

  return {
    ok: true,
    value: {
      caller,
      region,
      hub,
      clients,
      account,
      principalIn,
      now,
      close: () => {
        hub.close();
        void closeMembers();
      },
    },
  };
}

/** Credentials that are assumed again before they run out; many callers at once assume once. */
function renewed(
  first: AwsCredentials,
  assume: () => Promise<Outcome<AwsCredentials>>,
  now: () => Date,
): CredentialsProvider {
  let current = first;
  let renewal: Promise<AwsCredentials> | null = null;

  function left(): number {
    return (current.expiration?.getTime() ?? Infinity) - now().getTime();
  }

  async function renew(): Promise<AwsCredentials> {
    const outcome = await assume();
    if (outcome.ok) current = outcome.value;
    // The name by which the SDK's callers know that there are no credentials.
    else if (left() <= 0)
      throw Object.assign(new Error(outcome.detail), { name: "CredentialsProviderError" });
    return current;
  }

  return async () => {
    if (left() > RENEW_BEFORE_MS) return current;
    renewal ??= renew().finally(() => {
      renewal = null;
    });
    return renewal;
  };
}
