import { z } from "zod";

/** From which workspace and app a request comes, and who sends it. */
export interface Identity {
  kind: "command" | "interaction" | "event" | "url-verification";
  teamId: string | null;
  enterpriseId: string | null;
  appId: string | null;
  /** Of events, which come again when they were not answered. */
  eventId: string | null;
  /** True for people of other workspaces, as Slack Connect brings them into a channel. */
  stranger: boolean;
}

const id = z.string().min(1).max(64);
const optionalId = id.nullish();

const commandSchema = z.object({
  command: z.string(),
  team_id: id,
  enterprise_id: optionalId,
  api_app_id: id,
});
const interactionSchema = z.object({
  type: z.string(),
  team: z.object({ id }).nullish(),
  enterprise: z.object({ id }).nullish(),
  user: z.object({ id, team_id: optionalId }),
  api_app_id: id,
});
const eventSchema = z.object({
  type: z.literal("event_callback"),
  team_id: id,
  enterprise_id: optionalId,
  api_app_id: id,
  event_id: id,
});
const urlVerificationSchema = z.object({ type: z.literal("url_verification"), challenge: z.string() });

/** Null for a body that is none of Slack's. */
export function identityOf(contentType: string, body: string): Identity | null {
  if (contentType === "application/json") return identityOfEvent(json(body));
  const form = Object.fromEntries(new URLSearchParams(body));
  if (form.payload !== undefined) return identityOfInteraction(json(form.payload));
  const command = commandSchema.safeParse(form);
  if (!command.success) return null;
  return {
    kind: "command",
    teamId: command.data.team_id,
    enterpriseId: command.data.enterprise_id ?? null,
    appId: command.data.api_app_id,
    eventId: null,
    stranger: false,
  };
}

function identityOfInteraction(payload: unknown): Identity | null {
  const parsed = interactionSchema.safeParse(payload);
  if (!parsed.success) return null;
  const { team, enterprise, user, api_app_id } = parsed.data;
  return {
    kind: "interaction",
    teamId: team?.id ?? null,
    enterpriseId: enterprise?.id ?? null,
    appId: api_app_id,
    eventId: null,
    stranger: user.team_id !== undefined && user.team_id !== null && user.team_id !== team?.id,
  };
}

function identityOfEvent(payload: unknown): Identity | null {
  const event = eventSchema.safeParse(payload);
  if (event.success) {
    return {
      kind: "event",
      teamId: event.data.team_id,
      enterpriseId: event.data.enterprise_id ?? null,
      appId: event.data.api_app_id,
      eventId: event.data.event_id,
      stranger: false,
    };
  }
  if (!urlVerificationSchema.safeParse(payload).success) return null;
  return {
    kind: "url-verification",
    teamId: null,
    enterpriseId: null,
    appId: null,
    eventId: null,
    stranger: false,
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
