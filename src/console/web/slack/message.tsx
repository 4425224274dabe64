import { useMutation } from "@tanstack/react-query";
import type { Said } from "#src/console/server/slack-desk.ts";
import type { StoredMessage } from "#src/console/slack-api/workspace.ts";
import { postJson } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { type Block, Blocks } from "./blocks/blocks.tsx";
import { Mrkdwn } from "./blocks/text.tsx";
import { RawJson } from "./raw-json.tsx";

export function MessagePart({
  message,
  userId,
  replies,
  onThread,
}: {
  message: StoredMessage;
  userId: string;
  /** How many there are in its thread. */
  replies: number;
  /** Null inside the thread. */
  onThread: (() => void) | null;
}) {
  const { channel, ts, onlyFor, editedTs } = message;
  const press = useMutation({
    mutationFn: (action: object) =>
      postJson<{ problem: string | null }>("/api/slack/press", {
        userId,
        channel,
        at: { channel, ts },
        action,
      }),
  });
  const problem = press.error?.message ?? press.data?.problem ?? null;
  return (
    <article
      className={`message ${onlyFor === null ? "" : "message-ephemeral"}`}
      aria-label="Message of proxy-audit"
    >
      <div className="message-head">
        <span className="avatar" aria-hidden="true">
          pa
        </span>
        <strong>proxy-audit</strong>
        <span className="app-badge">APP</span>
        <Time ts={ts} />
        {editedTs !== null && <span className="muted small">(edited)</span>}
        <RawJson what="message" json={{ text: message.text, blocks: message.blocks }} />
      </div>
      {onlyFor !== null && <p className="muted small">Only visible to you</p>}
      {message.blocks.length > 0 ? (
        <Blocks
          blocks={message.blocks as readonly Block[]}
          busy={press.isPending}
          press={(block_id, action) => press.mutate({ ...action, block_id })}
        />
      ) : (
        <div className="blocks">
          <Mrkdwn text={message.text} />
        </div>
      )}
      {problem !== null && (
        <p className="field-problem small" role="alert">
          {problem}
        </p>
      )}
      {onThread !== null && replies > 0 && (
        <Button quiet onPress={onThread}>
          {replies === 1 ? "1 reply" : `${replies} replies`}
        </Button>
      )}
    </article>
  );
}

export function SaidPart({ said, name }: { said: Said; name: string }) {
  return (
    <article className="message message-said" aria-label={`Command of ${name}`}>
      <div className="message-head">
        <span className="avatar avatar-person" aria-hidden="true">
          {name.slice(0, 1)}
        </span>
        <strong>{name}</strong>
        <Time ts={said.ts} />
        <span className="muted small">answered in {said.ms} ms</span>
      </div>
      <div className="blocks">
        <code>/proxy-audit {said.text}</code>
      </div>
      {said.problem !== null && <p className="field-problem small">{said.problem}</p>}
    </article>
  );
}

function Time({ ts }: { ts: string }) {
  const at = new Date(Number(ts.split(".")[0]) * 1000);
  return (
    <time className="muted small" dateTime={at.toISOString()}>
      {new Intl.DateTimeFormat("en", { timeStyle: "short" }).format(at)}
    </time>
  );
}
