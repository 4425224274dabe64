import { digestClaimOf } from "./digest-claim.ts";
import { sortableInstant } from "./instant.ts";
import { subscriptionSchema } from "./records.ts";
import { decoded, type StoreFile, withStore } from "./sqlite-database.ts";
import type { DigestStore } from "./store.ts";

export function sqliteDigests(file: StoreFile): DigestStore {
  return {
    putSubscription: (subscription) =>
      withStore(file, (database) => {
        const body = JSON.stringify(subscriptionSchema.parse(subscription));
        database
          .prepare("INSERT OR REPLACE INTO subscriptions (team, channel, body) VALUES (?, ?, ?)")
          .run(subscription.team, subscription.channel, body);
      }),
    subscriptions: (filter = {}) =>
      withStore(file, (database) =>
        database
          .prepare(
            `SELECT team, body FROM subscriptions
             WHERE ($team IS NULL OR team = $team) AND ($channel IS NULL OR channel = $channel)
             ORDER BY team, channel`,
          )
          .all({ $team: filter.team ?? null, $channel: filter.channel ?? null })
          .map((row) => decoded(file, subscriptionSchema, row.body, `a subscription of ${row.team}`)),
      ),
    removeSubscription: (channel, team) =>
      withStore(
        file,
        (database) =>
          database.prepare("DELETE FROM subscriptions WHERE team = ? AND channel = ?").run(team, channel)
            .changes > 0,
      ),
    claimDigest: ({ team, channel, isoWeek }, at) =>
      withStore(file, (database) => {
        const claimed = database
          .prepare("INSERT OR IGNORE INTO digests (team, channel, iso_week, claimed_at) VALUES (?, ?, ?, ?)")
          .run(team, channel, isoWeek, sortableInstant(at));
        if (claimed.changes > 0) return "claimed";
        const digest = database
          .prepare("SELECT claimed_at, sent_at FROM digests WHERE team = ? AND channel = ? AND iso_week = ?")
          .get(team, channel, isoWeek);
        return digestClaimOf({ claimedAt: digest?.claimed_at, sentAt: digest?.sent_at ?? undefined }, at);
      }),
    confirmDigest: ({ team, channel, isoWeek }, at) =>
      withStore(file, (database) => {
        database
          .prepare(
            `INSERT INTO digests (team, channel, iso_week, claimed_at, sent_at) VALUES ($team, $channel, $week, $at, $at)
             ON CONFLICT (team, channel, iso_week) DO UPDATE SET sent_at = $at WHERE sent_at IS NULL`,
          )
          .run({ $team: team, $channel: channel, $week: isoWeek, $at: sortableInstant(at) });
      }),
    releaseDigest: ({ team, channel, isoWeek }) =>
      withStore(
        file,
        (database) =>
          database
            .prepare(
              "DELETE FROM digests WHERE team = ? AND channel = ? AND iso_week = ? AND sent_at IS NULL",
            )
            .run(team, channel, isoWeek).changes > 0,
      ),
  };
}
