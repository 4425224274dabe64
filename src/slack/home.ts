import { digestOf } from "#src/commands/digest.ts";
import type { Who } from "./roles.ts";
import type { SlackServices } from "./services.ts";
import { homeMessage } from "./views/home.ts";

/** Shows somebody their page: the clusters of their teams, or of the team that they chose. */
export async function publishHome(services: SlackServices, who: Who, chosen: string | null): Promise<void> {
  const now = services.now();
  const member = await services.roles.has(who, "member");
  const mine = member ? await services.roles.teamsOf(who) : [];
  const audits = member ? await Array.fromAsync(services.store.latestAll()) : [];
  const all = [...new Set(audits.flatMap(({ team }) => team ?? []))].toSorted();
  const shown = chosen === null ? mine : [chosen];
  // The page shows no burn-down, so nothing has to be counted for one.
  const digests = await Promise.all(
    shown.map((team) => digestOf(services.store, team, now, { rolledUp: true })),
  );
  await services.clientOf(who.teamId).views.publish({
    user_id: who.userId,
    view: homeMessage({ member, teams: digests, all, chosen }, now),
  });
}
