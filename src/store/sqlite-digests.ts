import { minutesAfter, sortableInstant } from "./instant.ts";
import { subscriptionSchema } from "./records.ts";
import { decoded, type StoreFile, withStore } from "./sqlite-database.ts";
import { DIGEST_CLAIM_MINUTES, type DigestStore } from "./store.ts";

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
             WHERE (?1 IS NULL OR team = ?1) AND (?2 IS NULL OR channel = ?2) ORDER BY team, channel`,
          )
          .all(filter.team ?? null, filter.channel ?? null)
          .map((row) => decoded(file, subscriptionSchema, row.body, `a subscription of ${row.team}`)),
      ),
    removeSubscription: (channel, team) =>
      withStore(
        file,
        (database) =>
          database.prepare("DELETE FROM subscriptions WHERE team = ? AND channel = ?").run(team, channel)
            .changes > 0,
      ),
    claimDigest: (team, isoWeek, at) =>
      withStore(file, (database) => {
        const claimed = database
          .prepare(
            `INSERT INTO digests (team, iso_week, claimed_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (team, iso_week) DO UPDATE SET claimed_at = ?3
             WHERE sent_at IS NULL AND claimed_at <= ?4`,
          )
          .run(team, isoWeek, sortableInstant(at), minutesAfter(at, -DIGEST_CLAIM_MINUTES));
        if (claimed.changes > 0) return "claimed";
        const digest = database
          .prepare("SELECT sent_at FROM digests WHERE team = ? AND iso_week = ?")
          .get(team, isoWeek);
        return digest?.sent_at === null ? "already-claimed" : "sent";
      }),
    confirmDigest: (team, isoWeek, at) =>
      withStore(file, (database) => {
        database
          .prepare(
            `INSERT INTO digests (team, iso_week, claimed_at, sent_at) VALUES (?1, ?2, ?3, ?3)
             ON CONFLICT (team, iso_week) DO UPDATE SET sent_at = ?3 WHERE sent_at IS NULL`,
          )
          .run(team, isoWeek, sortableInstant(at));
      }),
  };
}
