import { z } from "zod";
import type { Identity } from "./ingress/identity.ts";

const people = z.object({
  /** `U…` and `W…`: names can be changed by whoever has them. */
  users: z.array(z.string().regex(/^[UW][A-Z0-9]+$/)).default([]),
  usergroups: z.array(z.string().regex(/^S[A-Z0-9]+$/)).default([]),
});
export type People = z.output<typeof people>;

const workspace = z.object({
  teamId: z.string().regex(/^T[A-Z0-9]+$/),
  enterpriseId: z
    .string()
    .regex(/^E[A-Z0-9]+$/)
    .nullable()
    .default(null),
  botToken: z.string().startsWith("xoxb-"),
  /** Of the installed bot. Given, so that no request has to ask for them. */
  botId: z.string(),
  botUserId: z.string(),
});
export type SlackWorkspace = z.output<typeof workspace>;

/** Everything about Slack that is decided outside the code. */
export const slackSettingsSchema = z.object({
  appIds: z.array(z.string().regex(/^A[A-Z0-9]+$/)).min(1),
  workspaces: z.array(workspace).min(1).refine(uniqueTeams, "a workspace is listed twice"),
  roles: z.object({
    /** Who may ask. */
    member: z.union([z.literal("everyone"), people]),
    /** Who may approve upgrades and accept unknowns; nobody where nobody is named. */
    approver: people,
    /** Who may waive findings: an approved upgrade rests on them, so approvers unless said otherwise. */
    waive: z.enum(["member", "approver"]).default("approver"),
  }),
  /** Who belongs to a team, for the home page. */
  teams: z.record(z.string(), people).default({}),
  /** Where digests that could not be sent, or may not have been, are reported. */
  operations: z.object({ teamId: z.string(), channel: z.string() }).nullable().default(null),
  /** How tables come in answers to commands, which Slack refuses without telling anybody why. */
  answerTables: z.enum(["table", "text"]).default("table"),
  /** A chart in digests. Off until somebody has seen one in a workspace of theirs. */
  charts: z.boolean().default(false),
});
export type SlackSettings = z.output<typeof slackSettingsSchema>;

export function workspaceOf(
  settings: Pick<SlackSettings, "workspaces">,
  teamId: string | null | undefined,
): SlackWorkspace | undefined {
  return settings.workspaces.find((one) => one.teamId === teamId);
}

/** Whether the request's app, workspace and organisation are the ones we are installed in. */
export function isAllowed(
  { teamId, enterpriseId, appId, stranger }: Identity,
  settings: Pick<SlackSettings, "appIds" | "workspaces">,
): boolean {
  const found = workspaceOf(settings, teamId);
  return (
    found !== undefined &&
    appId !== null &&
    settings.appIds.includes(appId) &&
    (found.enterpriseId === null || found.enterpriseId === enterpriseId) &&
    !stranger
  );
}

function uniqueTeams(workspaces: readonly { teamId: string }[]): boolean {
  return new Set(workspaces.map(({ teamId }) => teamId)).size === workspaces.length;
}
