import { useMemo, useState } from "react";
import { Link, useRoute } from "wouter";
import type { SlackJson } from "#src/console/server/slack-desk.ts";
import { Choose } from "../ui/choose.tsx";
import { ErrorPanel, Loading } from "../ui/panels.tsx";
import { AppHome } from "./app-home.tsx";
import { DirectoryContext } from "./blocks/directory.ts";
import { Conversation } from "./conversation.tsx";
import { DigestPreview } from "./digest-preview.tsx";
import { ModalDialog } from "./modal-dialog.tsx";
import { useSlack } from "./slack-state.ts";
import "../styles/slack.css";

/** The Slack front end as a person meets it, with the app behind it as it runs in AWS. */
export function SlackPage() {
  const slack = useSlack();
  if (slack.error !== null && slack.data === undefined) {
    return (
      <ErrorPanel
        title="The Slack side could not be started"
        message={slack.error.message}
        retry={() => slack.refetch()}
      />
    );
  }
  return slack.data === undefined ? <Loading what="the workspace" /> : <Workspace slack={slack.data} />;
}

function Workspace({ slack }: { slack: SlackJson }) {
  const [, params] = useRoute("/slack/*?");
  const place = params?.["*"] ?? "";
  const [userId, setUserId] = useState(slack.people[0]?.id ?? "");
  const directory = useMemo(
    () => ({
      users: new Map(slack.people.map(({ id, name }) => [id, name])),
      channels: new Map(slack.channels.map(({ id, name }) => [id, name])),
      usergroups: new Map(slack.usergroups.map(({ id, handle }) => [id, handle])),
    }),
    [slack.people, slack.channels, slack.usergroups],
  );
  const channel = slack.channels.find(({ name }) => name === place) ?? slack.channels[0];
  const modal = slack.modals[userId]?.at(-1);
  return (
    <DirectoryContext value={directory}>
      <h1 className="hidden">Slack</h1>
      <div className="slack">
        <aside className="slack-side" aria-label="Workspace">
          <Choose
            label="You are"
            value={userId}
            options={slack.people.map((person) => ({ id: person.id, text: described(person) }))}
            onChange={setUserId}
          />
          <nav aria-label="Channels" className="slack-nav">
            {slack.channels.map(({ id, name }) => (
              <Link
                key={id}
                href={`/slack/${name}`}
                aria-current={
                  place !== "home" && place !== "digest" && id === channel?.id ? "page" : undefined
                }
              >
                #{name}
              </Link>
            ))}
            <Link href="/slack/home" aria-current={place === "home" ? "page" : undefined}>
              App Home
            </Link>
            <Link href="/slack/digest" aria-current={place === "digest" ? "page" : undefined}>
              Digest preview
            </Link>
          </nav>
        </aside>
        {place === "home" ? (
          <AppHome slack={slack} userId={userId} />
        ) : place === "digest" ? (
          <DigestPreview teams={slack.teams} />
        ) : (
          channel !== undefined && (
            <Conversation key={`${channel.id} ${userId}`} slack={slack} userId={userId} channel={channel} />
          )
        )}
      </div>
      {modal !== undefined && <ModalDialog key={modal.hash} stored={modal} userId={userId} />}
    </DirectoryContext>
  );
}

/** `Ann (member, payments)`. */
function described({ name, roles, teams }: SlackJson["people"][number]): string {
  return `${name} (${[...roles, ...teams].join(", ")})`;
}
