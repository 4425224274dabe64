import { z } from "zod";
import { type Answer, type Call, type Found, method, refusalFor, refused, refusedFor } from "../answer.ts";
import { validateView } from "../validate.ts";
import { type StoredView, type Trigger, type Workspace, withBlockIds } from "../workspace.ts";

const MODALS_ON_TOP_OF_EACH_OTHER = 3;

const opened = z.object({ trigger_id: z.string(), view: z.unknown() });

/** docs.slack.dev/reference/methods/views.open */
const open = method(opened, ({ trigger_id, view }, call) => {
  const usable = usableTrigger(trigger_id, call);
  if (usable.refusal !== undefined) return usable.refusal;
  const trigger = usable.value;
  const checked = viewOf(view, "modal");
  if (checked.refusal !== undefined) return checked.refusal;
  trigger.used = true;
  closeViews(call.workspace, trigger.userId, true);
  const stored = pushView(call, trigger.userId, checked.value);
  return { ok: true, view: answeredView(stored) };
});

/** docs.slack.dev/reference/methods/views.push: onto an open modal, three at most. */
const push = method(opened, ({ trigger_id, view }, call) => {
  const usable = usableTrigger(trigger_id, call);
  if (usable.refusal !== undefined) return usable.refusal;
  const trigger = usable.value;
  const stack = call.workspace.modals.get(trigger.userId) ?? [];
  if (stack.length === 0) return refused("not_found");
  if (stack.length >= MODALS_ON_TOP_OF_EACH_OTHER) return refused("push_limit_reached");
  const checked = viewOf(view, "modal");
  if (checked.refusal !== undefined) return checked.refusal;
  trigger.used = true;
  const stored = pushView(call, trigger.userId, checked.value);
  return { ok: true, view: answeredView(stored) };
});

/** docs.slack.dev/reference/methods/views.update. A `hash` that is not the current one lost a race. */
const update = method(
  z.object({
    view: z.unknown(),
    view_id: z.string().optional(),
    external_id: z.string().optional(),
    hash: z.string().optional(),
  }),
  ({ view, view_id, external_id, hash }, call) => {
    const isMeant = (one: StoredView) =>
      view_id === undefined
        ? external_id !== undefined && one.view.external_id === external_id
        : one.id === view_id;
    const old = [...call.workspace.modals.values()].flat().find(isMeant);
    if (old === undefined) return refused("not_found");
    if (hash !== undefined && hash !== old.hash) return refused("hash_conflict");
    const checked = viewOf(view, "modal");
    if (checked.refusal !== undefined) return checked.refusal;
    const stored = replaceView(call, old, checked.value);
    return { ok: true, view: answeredView(stored) };
  },
);

/** docs.slack.dev/reference/methods/views.publish */
const publish = method(
  z.object({ user_id: z.string(), view: z.unknown(), hash: z.string().optional() }),
  ({ user_id, view, hash }, call) => {
    if (!call.workspace.users.has(user_id)) return refused("user_not_found");
    const old = call.workspace.homes.get(user_id);
    if (hash !== undefined && hash !== old?.hash) return refused("hash_conflict");
    const checked = viewOf(view, "home");
    if (checked.refusal !== undefined) return checked.refusal;
    const stored = newView(call, user_id, checked.value, null);
    call.workspace.homes.set(user_id, stored);
    call.workspace.emit({ type: "home-published", view: stored });
    return { ok: true, view: answeredView(stored) };
  },
);

export const VIEW_METHODS = {
  "views.open": open,
  "views.push": push,
  "views.update": update,
  "views.publish": publish,
};

/** A trigger opens one view, within three seconds of the interaction that brought it. */
function usableTrigger(id: string, { workspace, now }: Call): Found<Trigger> {
  const trigger = workspace.triggers.get(id);
  if (trigger === undefined) return { refusal: invalid("invalid `trigger_id`", "/trigger_id") };
  if (trigger.used) return { refusal: refused("exchanged_trigger_id") };
  if (now.getTime() > trigger.expiresAt) return { refusal: refused("expired_trigger_id") };
  return { value: trigger };
}

const anyView = z.looseObject({ type: z.string(), blocks: z.array(z.unknown()) });

function viewOf(view: unknown, type: "modal" | "home"): Found<StoredView["view"]> {
  const refusal = refusalFor(validateView(view));
  if (refusal !== null) return { refusal };
  const parsed = anyView.parse(view);
  return parsed.type === type
    ? { value: parsed }
    : { refusal: invalid(`must be one of: ${type}`, "/view/type") };
}

function invalid(message: string, pointer: string): Answer {
  return refusedFor([{ error: "invalid_arguments", message, pointer }]);
}

function replaceView({ workspace }: Call, old: StoredView, view: StoredView["view"]): StoredView {
  const blocks = withBlockIds(workspace, view.blocks);
  const stored = { ...old, hash: `${workspace.next()}.hash`, view: { ...view, blocks } };
  const stack = workspace.modals.get(old.userId) ?? [];
  workspace.modals.set(
    old.userId,
    stack.map((one) => (one === old ? stored : one)),
  );
  workspace.emit({ type: "view-updated", view: stored });
  return stored;
}

function pushView(call: Call, userId: string, view: StoredView["view"]): StoredView {
  const stack = call.workspace.modals.get(userId) ?? [];
  const stored = newView(call, userId, view, stack.at(-1) ?? null);
  call.workspace.modals.set(userId, [...stack, stored]);
  call.workspace.emit({ type: "view-opened", view: stored });
  return stored;
}

/** Takes a person's topmost modals away, all of them with `everything`. */
export function closeViews({ modals, emit }: Workspace, userId: string, everything: boolean): void {
  const stack = modals.get(userId) ?? [];
  const closed = everything ? stack.toReversed() : stack.slice(-1);
  modals.set(userId, stack.slice(0, stack.length - closed.length));
  for (const view of closed) emit({ type: "view-closed", view });
}

const submissionAnswer = z.union([
  z.strictObject({ response_action: z.literal("errors"), errors: z.record(z.string(), z.string()) }),
  z.strictObject({ response_action: z.enum(["update", "push"]), view: z.unknown() }),
  z.strictObject({ response_action: z.literal("clear") }),
]);

/**
 * What becomes of a person's topmost modal by the answer to its submission: no body closes it, and
 * `response_action` updates it, pushes onto it or clears all (docs.slack.dev/surfaces/modals). Returns what the
 * person sees at the inputs, or what is wrong with the answer.
 */
export function afterSubmission(call: Call, userId: string, body: unknown): Record<string, string> {
  if (body === undefined || body === null || body === "") {
    closeViews(call.workspace, userId, false);
    return {};
  }
  const answer = submissionAnswer.safeParse(body);
  const top = call.workspace.modals.get(userId)?.at(-1);
  if (!answer.success || top === undefined) return { "": "We had some trouble connecting" };
  if (answer.data.response_action === "errors") return answer.data.errors;
  if (answer.data.response_action === "clear") {
    closeViews(call.workspace, userId, true);
    return {};
  }
  const checked = viewOf(answer.data.view, "modal");
  if (checked.refusal !== undefined) return { "": JSON.stringify(checked.refusal) };
  if (answer.data.response_action === "update") replaceView(call, top, checked.value);
  else pushView(call, userId, checked.value);
  return {};
}

function newView(
  { workspace, caller }: Call,
  userId: string,
  view: StoredView["view"],
  below: StoredView | null,
): StoredView {
  const id = `V${String(workspace.next()).padStart(8, "0")}`;
  return {
    id,
    hash: `${workspace.next()}.hash`,
    userId,
    teamId: caller.teamId,
    appId: caller.appId,
    botId: caller.botId,
    rootViewId: below?.rootViewId ?? id,
    previousViewId: below?.id ?? null,
    view: { ...view, blocks: withBlockIds(workspace, view.blocks) },
  };
}

/** The view as Slack answers it, and as it stands in interactions. */
export function answeredView(stored: StoredView): Record<string, unknown> {
  return {
    private_metadata: "",
    callback_id: "",
    external_id: "",
    ...stored.view,
    id: stored.id,
    team_id: stored.teamId,
    app_id: stored.appId,
    bot_id: stored.botId,
    hash: stored.hash,
    root_view_id: stored.rootViewId,
    previous_view_id: stored.previousViewId,
    state: { values: {} },
  };
}
