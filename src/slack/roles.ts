import type { WebClient } from "@slack/web-api";
import type { SlackLog } from "./log.ts";
import type { People, SlackSettings } from "./settings.ts";

type Role = "member" | "approver" | "waive";

export interface Who {
  teamId: string;
  userId: string;
}

export interface Roles {
  /** False whenever it cannot be told. */
  has(who: Who, role: Role): Promise<boolean>;
  /** The teams that somebody belongs to, by name. */
  teamsOf(who: Who): Promise<string[]>;
}

const REMEMBERED_MS = 5 * 60_000;

/** Roles by user identifiers and user groups. An approver is a member; a group that cannot be read has nobody. */
export function createRoles(options: {
  settings: Pick<SlackSettings, "roles" | "teams">;
  clientOf(teamId: string): WebClient;
  now: () => Date;
  log: SlackLog;
}): Roles {
  const { roles, teams } = options.settings;
  const groups = new Map<string, { users: readonly string[]; until: number }>();

  async function usersOf(teamId: string, usergroup: string): Promise<readonly string[]> {
    const key = `${teamId}/${usergroup}`;
    const known = groups.get(key);
    const now = options.now().getTime();
    if (known !== undefined && known.until > now) return known.users;
    try {
      const { users = [] } = await options.clientOf(teamId).usergroups.users.list({ usergroup });
      groups.set(key, { users, until: now + REMEMBERED_MS });
      return users;
    } catch {
      // Not remembered: the next request asks again.
      options.log({ code: "usergroup-unread", detail: usergroup });
      return [];
    }
  }

  async function among({ teamId, userId }: Who, people: People): Promise<boolean> {
    if (people.users.includes(userId)) return true;
    for (const usergroup of people.usergroups) {
      if ((await usersOf(teamId, usergroup)).includes(userId)) return true;
    }
    return false;
  }

  async function has(who: Who, role: Role): Promise<boolean> {
    if (role === "approver") return among(who, roles.approver);
    if (role === "waive") return has(who, roles.waive);
    if (roles.member === "everyone") return true;
    return (await among(who, roles.member)) || among(who, roles.approver);
  }

  return {
    has,
    async teamsOf(who) {
      const belongs = await Promise.all(
        Object.entries(teams).map(async ([team, people]) => ((await among(who, people)) ? [team] : [])),
      );
      return belongs.flat().toSorted();
    },
  };
}
