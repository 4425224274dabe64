import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { SlackEvent, SlackJson } from "#src/console/server/slack-desk.ts";
import type { StoredView } from "#src/console/slack-api/workspace.ts";
import { events, getJson } from "../api.ts";

const KEY = ["slack"];

/** The workspace, kept up to date by what happens in it. */
export function useSlack() {
  const queries = useQueryClient();
  const slack = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => getJson<SlackJson>("/api/slack", signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const ready = slack.data !== undefined;
  useEffect(() => {
    if (!ready) return;
    const stop = new AbortController();
    async function follow() {
      for await (const event of events<SlackEvent>("/api/slack/events", stop.signal)) {
        if (event.type === "watching") await queries.invalidateQueries({ queryKey: KEY });
        else queries.setQueryData<SlackJson>(KEY, (before) => before && after(before, event));
      }
    }
    // A connection that was lost begins again, and with it the workspace is read anew.
    let again: ReturnType<typeof setTimeout>;
    const begin = () =>
      void follow()
        .catch(() => undefined)
        .then(() => {
          if (!stop.signal.aborted) again = setTimeout(begin, 2_000);
        });
    begin();
    return () => {
      clearTimeout(again);
      stop.abort();
    };
  }, [ready, queries]);
  return slack;
}

/** The workspace after an event. To be told twice changes nothing. */
function after(slack: SlackJson, event: Exclude<SlackEvent, { type: "watching" }>): SlackJson {
  switch (event.type) {
    case "said":
      return slack.said.some(({ ts }) => ts === event.said.ts)
        ? slack
        : { ...slack, said: [...slack.said, event.said] };
    case "message-posted":
    case "message-changed":
    case "message-deleted": {
      const { message } = event;
      const others = slack.messages.filter((one) => one.ts !== message.ts || one.channel !== message.channel);
      const messages = event.type === "message-deleted" ? others : [...others, message];
      return { ...slack, messages: messages.toSorted((a, b) => (a.ts < b.ts ? -1 : 1)) };
    }
    case "home-published":
      return { ...slack, homes: { ...slack.homes, [event.view.userId]: event.view } };
    case "view-opened":
      return withModals(slack, event.view.userId, (views) => [
        ...views.filter(({ id }) => id !== event.view.id),
        event.view,
      ]);
    case "view-updated":
      return withModals(slack, event.view.userId, (views) =>
        views.map((view) => (view.id === event.view.id ? event.view : view)),
      );
    case "view-closed":
      return withModals(slack, event.view.userId, (views) => views.filter(({ id }) => id !== event.view.id));
  }
}

function withModals(
  slack: SlackJson,
  userId: string,
  change: (views: readonly StoredView[]) => StoredView[],
): SlackJson {
  return { ...slack, modals: { ...slack.modals, [userId]: change(slack.modals[userId] ?? []) } };
}
