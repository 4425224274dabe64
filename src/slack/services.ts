import { randomUUID } from "node:crypto";
import type { WebClient } from "@slack/web-api";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { FindingStore } from "#src/store/store.ts";
import { createClients, SLACK_RESPONSE_URLS } from "./clients.ts";
import type { SlackLog } from "./log.ts";
import type { WorkQueue } from "./queue.ts";
import { createRoles, type Roles } from "./roles.ts";
import type { SlackSettings } from "./settings.ts";

/** What the Slack front end works with; ingress, worker and digest get the same. */
export interface SlackServices {
  settings: SlackSettings;
  store: FindingStore;
  queue: WorkQueue;
  roles: Roles;
  /** Audits one cluster now and stores the result; null where nothing here can reach clusters (the ingress). */
  audit: ((clusterId: string) => Promise<ClusterAudit>) | null;
  /** The client of a workspace, with that workspace's token and no other. */
  clientOf(teamId: string): WebClient;
  now: () => Date;
  newId: () => string;
  log: SlackLog;
  /** What a `response_url` may start with; Slack's own unless a test says otherwise. */
  responseUrls: readonly string[];
}

export interface SlackServicesOptions {
  settings: SlackSettings;
  store: FindingStore;
  queue: WorkQueue;
  audit: SlackServices["audit"];
  now: () => Date;
  log: SlackLog;
  /** A workspace that is not Slack's, on loopback. */
  fake?: { apiUrl: string; url: string } | undefined;
}

export function createSlackServices(options: SlackServicesOptions): SlackServices {
  const { settings, store, queue, audit, now, log, fake } = options;
  const clientOf = createClients(settings, fake?.apiUrl);
  return {
    settings,
    store,
    queue,
    roles: createRoles({ settings, clientOf, now, log }),
    audit,
    clientOf,
    now,
    newId: randomUUID,
    log,
    responseUrls: fake === undefined ? SLACK_RESPONSE_URLS : [fake.url],
  };
}
