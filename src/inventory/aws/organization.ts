import {
  ListAccountsCommand,
  ListAccountsForParentCommand,
  ListOrganizationalUnitsForParentCommand,
  ListTagsForResourceCommand,
  OrganizationsClient,
} from "@aws-sdk/client-organizations";
import { z } from "zod";
import type { AwsAccess } from "#src/aws/access.ts";
import { clientConfiguration } from "#src/aws/clients.ts";
import { readPages } from "#src/aws/pages.ts";
import { PARTITIONS } from "#src/aws/partition.ts";
import type { InventoryEntry } from "#src/model/inventory-entry.ts";
import type { Observed, Source } from "#src/model/observed.ts";
import { failedEntry } from "./entry.ts";

interface Member {
  id: string;
  name: string | null;
  /** `ACTIVE`, `SUSPENDED`, `PENDING_CLOSURE`, ... */
  state: string;
}

/** The organization that the caller manages, or administers by delegation. */
export interface Organization {
  /** Every account once, of the given units and all below them, or of the whole organization. */
  members(units: readonly string[]): Promise<{ members: Member[]; entries: InventoryEntry[] }>;
  tags(account: string): Promise<Observed<[string, string][]>>;
  close(): void;
}

/** `Status` is on its way out for `State`; both say ACTIVE where the account can be used (Organizations API). */
const accountSchema = z
  .object({
    Id: z.string().regex(/^\d{12}$/),
    Name: z.string().optional(),
    State: z.string().optional(),
    Status: z.string().optional(),
  })
  .transform(
    ({ Id, Name, State, Status }): Member => ({
      id: Id,
      name: Name ?? null,
      state: State ?? Status ?? "unknown",
    }),
  );
const membersSchema = z.array(accountSchema).default([]);
const unitsSchema = z.array(z.object({ Id: z.string() })).default([]);
const tagsSchema = z.array(z.object({ Key: z.string(), Value: z.string() })).default([]);

/** Organizations is served from one Region of a partition. */
export function openOrganization(access: AwsAccess): Organization {
  const home = PARTITIONS.find(({ name }) => name === access.caller.partition)?.homeRegion ?? access.region;
  const client = new OrganizationsClient(clientConfiguration(home, access.hub.credentials, access.clients));
  const sourceOf = (ref: string): Source => ({ kind: "eks", ref, at: access.now().toISOString() });

  function membersOfAll(): Promise<Observed<Member[]>> {
    return readPages(async (NextToken) => {
      const answer = await client.send(new ListAccountsCommand({ ...(NextToken ? { NextToken } : {}) }));
      return { items: membersSchema.parse(answer.Accounts), nextToken: answer.NextToken };
    }, sourceOf("ListAccounts"));
  }

  function membersOf(unit: string): Promise<Observed<Member[]>> {
    return readPages(
      async (NextToken) => {
        const command = new ListAccountsForParentCommand({
          ParentId: unit,
          ...(NextToken ? { NextToken } : {}),
        });
        const answer = await client.send(command);
        return { items: membersSchema.parse(answer.Accounts), nextToken: answer.NextToken };
      },
      sourceOf(`ListAccountsForParent ${unit}`),
    );
  }

  function unitsBelow(unit: string): Promise<Observed<string[]>> {
    return readPages(
      async (NextToken) => {
        const command = new ListOrganizationalUnitsForParentCommand({
          ParentId: unit,
          ...(NextToken ? { NextToken } : {}),
        });
        const answer = await client.send(command);
        const units = unitsSchema.parse(answer.OrganizationalUnits).map(({ Id }) => Id);
        return { items: units, nextToken: answer.NextToken };
      },
      sourceOf(`ListOrganizationalUnitsForParent ${unit}`),
    );
  }

  async function members(
    units: readonly string[],
  ): Promise<{ members: Member[]; entries: InventoryEntry[] }> {
    const entries: InventoryEntry[] = [];
    const found = new Map<string, Member>();
    const take = <T>(id: string, observed: Observed<T[]>): T[] => {
      if (observed.seen !== true) {
        entries.push(failedEntry("organization", id, observed.why, observed.detail));
      }
      return observed.seen === false ? [] : observed.value;
    };
    if (units.length === 0) {
      for (const member of take("organization", await membersOfAll())) found.set(member.id, member);
      return { members: [...found.values()], entries };
    }
    // Units may be named together with units below them.
    const waiting = [...units];
    const visited = new Set<string>();
    for (let unit = waiting.shift(); unit !== undefined; unit = waiting.shift()) {
      if (visited.has(unit)) continue;
      visited.add(unit);
      for (const member of take(unit, await membersOf(unit))) found.set(member.id, member);
      waiting.push(...take(unit, await unitsBelow(unit)));
    }
    return { members: [...found.values()], entries };
  }

  function tags(account: string): Promise<Observed<[string, string][]>> {
    return readPages(
      async (NextToken) => {
        const command = new ListTagsForResourceCommand({
          ResourceId: account,
          ...(NextToken ? { NextToken } : {}),
        });
        const answer = await client.send(command);
        const pairs = tagsSchema.parse(answer.Tags).map(({ Key, Value }): [string, string] => [Key, Value]);
        return { items: pairs, nextToken: answer.NextToken };
      },
      sourceOf(`ListTagsForResource ${account}`),
    );
  }

  return { members, tags, close: () => client.destroy() };
}
