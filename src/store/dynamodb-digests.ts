import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { digestClaimOf } from "./digest-claim.ts";
import { readBodyAs, storeBody } from "./dynamodb-bodies.ts";
import { compareTexts, key } from "./dynamodb-keys.ts";
import {
  allowed,
  getItem,
  IF_NEW,
  putItem,
  query,
  request,
  type StoreTable,
  secondsAt,
} from "./dynamodb-requests.ts";
import { sortableInstant } from "./instant.ts";
import { type Subscription, subscriptionSchema } from "./records.ts";
import type { DigestKey, DigestStore } from "./store.ts";

/** A few hundred small items in all, read together by every scheduled run. */
const SUBSCRIPTIONS = "SUBSCRIPTIONS";

/** For how long it is known that a week's digest was sent. */
const DIGESTS_KEPT_DAYS = 400;

export function dynamoDigests(table: StoreTable): DigestStore {
  const digestKey = ({ team, channel, isoWeek }: DigestKey) => ({
    pk: key("DIGEST", team),
    sk: key("WEEK", isoWeek, channel),
  });
  const subscriptionKey = (channel: string, team: string) => ({ pk: SUBSCRIPTIONS, sk: key(team, channel) });

  return {
    putSubscription: async (put) => {
      const subscription = subscriptionSchema.parse(put);
      const keys = subscriptionKey(subscription.channel, subscription.team);
      await putItem(table, { ...keys, ...(await storeBody(table, keys.pk, "record", subscription)) });
    },
    subscriptions: async ({ team, channel } = {}) => {
      const found: Subscription[] = [];
      const items = query(table, {
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": SUBSCRIPTIONS },
        ConsistentRead: true,
      });
      for await (const item of items) {
        const one = await readBodyAs(table, subscriptionSchema, item, `the subscription ${item.sk}`);
        if ((team ?? one.team) === one.team && (channel ?? one.channel) === one.channel) found.push(one);
      }
      return found.sort((one, other) => compareTexts([one.team, one.channel], [other.team, other.channel]));
    },
    removeSubscription: async (channel, team) => {
      const { Attributes: removed } = await request(table, (client) =>
        client.send(
          new DeleteCommand({
            TableName: table.name,
            Key: subscriptionKey(channel, team),
            ReturnValues: "ALL_OLD",
          }),
        ),
      );
      return removed !== undefined;
    },
    claimDigest: async (digest, at) => {
      const keys = digestKey(digest);
      const claimedAt = sortableInstant(at);
      const claim = { ...keys, claimedAt, ttl: secondsAt(claimedAt, DIGESTS_KEPT_DAYS) };
      if (await putItem(table, claim, IF_NEW)) return "claimed";
      const item = await getItem(table, keys);
      return digestClaimOf({ claimedAt: item?.claimedAt, sentAt: item?.sentAt }, at);
    },
    confirmDigest: async (digest, at) => {
      const sentAt = sortableInstant(at);
      await allowed(
        request(table, (client) =>
          client.send(
            new UpdateCommand({
              TableName: table.name,
              Key: digestKey(digest),
              UpdateExpression:
                "SET sentAt = :at, claimedAt = if_not_exists(claimedAt, :at), #ttl = if_not_exists(#ttl, :ttl)",
              ConditionExpression: "attribute_not_exists(sentAt)",
              ExpressionAttributeNames: { "#ttl": "ttl" },
              ExpressionAttributeValues: { ":at": sentAt, ":ttl": secondsAt(sentAt, DIGESTS_KEPT_DAYS) },
            }),
          ),
        ),
      );
    },
    releaseDigest: (digest) =>
      allowed(
        request(table, (client) =>
          client.send(
            new DeleteCommand({
              TableName: table.name,
              Key: digestKey(digest),
              ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(sentAt)",
            }),
          ),
        ),
      ),
  };
}
