import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import type { SlackJson } from "#src/console/server/slack-desk.ts";
import { postJson } from "../api.ts";
import { ErrorPanel, Loading } from "../ui/panels.tsx";
import { type Block, Blocks } from "./blocks/blocks.tsx";
import { RawJson } from "./raw-json.tsx";

/** The app's own page for one person. Opening it is the event that makes the app publish it. */
export function AppHome({ slack, userId }: { slack: SlackJson; userId: string }) {
  const home = slack.homes[userId];
  const open = useMutation({
    mutationFn: () => postJson<{ problem: string | null }>("/api/slack/home", { userId }),
  });
  const press = useMutation({
    mutationFn: (action: object) =>
      postJson<{ problem: string | null }>("/api/slack/press", {
        userId,
        channel: "",
        at: { view: home?.id ?? "" },
        action,
      }),
  });
  const { mutate } = open;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each person, as Slack sends it
  useEffect(() => mutate(), [mutate, userId]);
  const problem =
    open.error?.message ?? open.data?.problem ?? press.error?.message ?? press.data?.problem ?? null;
  return (
    <section className="channel home" aria-label="App Home">
      <div className="dialog-head">
        <h2>proxy-audit: Home</h2>
        {home !== undefined && <RawJson what="view" json={home.view} />}
      </div>
      {problem !== null && (
        <ErrorPanel title="The app could not show its page" message={problem} retry={() => mutate()} />
      )}
      {home === undefined ? (
        problem === null && <Loading what="the page" />
      ) : (
        <Blocks
          blocks={home.view.blocks as readonly Block[]}
          busy={press.isPending}
          press={(block_id, action) => press.mutate({ ...action, block_id })}
        />
      )}
    </section>
  );
}
