import { useEffect, useRef, useState } from "react";
import type { Said, SlackJson } from "#src/console/server/slack-desk.ts";
import type { StoredMessage } from "#src/console/slack-api/workspace.ts";
import { postJson } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { Composer } from "./composer.tsx";
import { MessagePart, SaidPart } from "./message.tsx";

type Entry = { ts: string; message: StoredMessage } | { ts: string; said: Said };

/** A channel as one person sees it: what everybody sees, and what only they do. */
export function Conversation({
  slack,
  userId,
  channel,
}: {
  slack: SlackJson;
  userId: string;
  channel: SlackJson["channels"][number];
}) {
  const [thread, setThread] = useState<string | null>(null);
  const log = useRef<HTMLDivElement>(null);
  const visible = slack.messages.filter(
    (message) => message.channel === channel.id && (message.onlyFor === null || message.onlyFor === userId),
  );
  const said = slack.said.filter((one) => one.channel === channel.id && one.userId === userId);
  const entries: Entry[] = [
    ...visible.filter(({ threadTs }) => threadTs === null).map((message) => ({ ts: message.ts, message })),
    ...said.map((one) => ({ ts: one.ts, said: one })),
  ].toSorted((a, b) => (a.ts < b.ts ? -1 : 1));
  const replies = (ts: string) => visible.filter(({ threadTs }) => threadTs === ts);
  const last = entries.at(-1)?.ts;
  useEffect(() => {
    if (last !== undefined && log.current !== null) showNewest(log.current);
  }, [last]);
  const root = visible.find(({ ts }) => ts === thread);
  const person = slack.people.find(({ id }) => id === userId)?.name ?? userId;
  return (
    <div className={`conversation ${root === undefined ? "" : "with-thread"}`}>
      <section className="channel" aria-label={`#${channel.name}`}>
        <h2 className="channel-name">#{channel.name}</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the arrow keys */}
        <div ref={log} className="messages" role="log" aria-label="Messages" tabIndex={0}>
          {entries.length === 0 && <Starters userId={userId} channel={channel.id} slack={slack} />}
          {entries.map((entry) =>
            "said" in entry ? (
              <SaidPart key={entry.ts} said={entry.said} name={person} />
            ) : (
              <MessagePart
                key={entry.ts}
                message={entry.message}
                userId={userId}
                replies={replies(entry.ts).length}
                onThread={() => setThread(entry.ts)}
              />
            ),
          )}
        </div>
        <Composer slack={slack} userId={userId} channel={channel.id} channelName={channel.name} />
      </section>
      {root !== undefined && (
        <aside className="thread" aria-label="Thread">
          <div className="dialog-head">
            <h2>Thread</h2>
            <Button quiet aria-label="Close the thread" onPress={() => setThread(null)}>
              ✕
            </Button>
          </div>
          {[root, ...replies(root.ts)].map((message) => (
            <MessagePart key={message.ts} message={message} userId={userId} replies={0} onThread={null} />
          ))}
        </aside>
      )}
    </div>
  );
}

/** To the end, but no further than the newest command: a long answer is read from its beginning. */
function showNewest(log: HTMLElement): void {
  const command = [...log.querySelectorAll<HTMLElement>(".message-said")].at(-1);
  const start = command === undefined ? Number.POSITIVE_INFINITY : command.offsetTop - log.offsetTop - 8;
  log.scrollTop = Math.min(start, log.scrollHeight);
}

/** For an empty channel: commands that show the most in a minute. */
function Starters({ slack, userId, channel }: { slack: SlackJson; userId: string; channel: string }) {
  const some = slack.clusters.find((name) => name === "payments-prod-eu") ?? slack.clusters[0];
  const approver = slack.people.find(({ id }) => id === userId)?.roles.includes("approver") === true;
  const commands = [
    "help",
    "fleet at-risk",
    "ask is ipvs removed in 1.37?",
    ...(some === undefined ? [] : [`blockers ${some} 1.40`, `approve ${some} 1.40`]),
    ...(some === undefined || !approver ? [] : [`waive ${some} proxy-mode`]),
  ];
  return (
    <div className="starters">
      <p className="muted">Nothing was said here yet. Type /proxy-audit below, or begin with one of these:</p>
      <div className="buttons">
        {commands.map((text) => (
          <Button key={text} onPress={() => void postJson("/api/slack/say", { userId, channel, text })}>
            {text}
          </Button>
        ))}
      </div>
    </div>
  );
}
