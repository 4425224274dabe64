import type { WebClient } from "@slack/web-api";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { FindingStore } from "#src/store/store.ts";
import type { SlackLog } from "./log.ts";
import type { WorkQueue } from "./queue.ts";
import type { Roles } from "./roles.ts";
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
