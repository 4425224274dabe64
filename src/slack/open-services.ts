import { randomUUID } from "node:crypto";
import { environmentCredentials } from "#src/aws/environment-credentials.ts";
import { type NamedText, textOf } from "#src/aws/named-text.ts";
import { openFleetStore } from "#src/fleet-run/open.ts";
import type { Telemetry } from "#src/fleet-run/telemetry.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { createClients, SLACK_RESPONSE_URLS } from "./clients.ts";
import type { WorkQueue } from "./queue.ts";
import { createRoles } from "./roles.ts";
import type { SlackServices } from "./services.ts";
import { type SlackSettings, slackSettingsSchema } from "./settings.ts";

/** Opened services may hold a token that was changed meanwhile: they are opened anew after this. */
export const SERVICES_KEPT_MS = 15 * 60_000;

interface ServiceSettings {
  region: string;
  table: string;
  slackSettings: NamedText;
  slackApiUrl: string | null;
}

/** What the Slack front end works with in AWS: settings and tokens by name, the fleet's table, a queue. */
export async function openSlackServices(
  config: ServiceSettings,
  parts: {
    env: Readonly<Record<string, string | undefined>>;
    telemetry: Telemetry;
    queue: WorkQueue;
    audit: SlackServices["audit"];
  },
): Promise<SlackServices> {
  const { region, slackApiUrl } = config;
  const text = await textOf(config.slackSettings, { region, credentials: environmentCredentials(parts.env) });
  const settings = parsedSettings(text);
  const clientOf = createClients(settings, slackApiUrl ?? undefined);
  const now = () => new Date();
  const log: SlackServices["log"] = ({ code, detail, reference }) =>
    parts.telemetry.warn(code, {
      ...(detail === undefined ? {} : { detail }),
      ...(reference === undefined ? {} : { reference }),
    });
  return {
    settings,
    store: openFleetStore(config, parts.env),
    queue: parts.queue,
    roles: createRoles({ settings, clientOf, now, log }),
    audit: parts.audit,
    clientOf,
    now,
    newId: randomUUID,
    log,
    responseUrls: slackApiUrl === null ? SLACK_RESPONSE_URLS : [`${new URL(slackApiUrl).origin}/`],
  };
}

/** Names what is wrong and never what was there: the text holds tokens. */
function parsedSettings(text: string): SlackSettings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProxyAuditError("invalid-configuration", "PROXY_AUDIT_SLACK_SETTINGS is not JSON.");
  }
  const parsed = slackSettingsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  throw new ProxyAuditError(
    "invalid-configuration",
    `PROXY_AUDIT_SLACK_SETTINGS: ${issues.slice(0, 5).join("; ")}`,
  );
}
