import { type ReactNode, useMemo } from "react";
import { useDirectory } from "./directory.ts";
import { type Piece, parseMrkdwn } from "./mrkdwn.ts";

export interface TextObject {
  type: "plain_text" | "mrkdwn";
  text: string;
}

/** A text object: mrkdwn by Slack's rules, plain text as it is. */
export function SlackText({ text }: { text: TextObject }) {
  return text.type === "mrkdwn" ? <Mrkdwn text={text.text} /> : text.text;
}

export function Mrkdwn({ text }: { text: string }) {
  const pieces = useMemo(() => parseMrkdwn(text), [text]);
  return <Pieces pieces={pieces} />;
}

function Pieces({ pieces }: { pieces: readonly Piece[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a text has no identity beyond its place
  return pieces.map((piece, index) => <One key={index} piece={piece} />);
}

function One({ piece }: { piece: Piece }): ReactNode {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "bold":
      return (
        <strong>
          <Pieces pieces={piece.pieces} />
        </strong>
      );
    case "italic":
      return (
        <em>
          <Pieces pieces={piece.pieces} />
        </em>
      );
    case "strike":
      return (
        <s>
          <Pieces pieces={piece.pieces} />
        </s>
      );
    case "quote":
      return (
        <blockquote>
          <Pieces pieces={piece.pieces} />
        </blockquote>
      );
    case "code":
      return <code>{piece.text}</code>;
    case "preformatted":
      return <pre>{piece.text}</pre>;
    case "link":
      return <OutsideLink url={piece.url}>{piece.text}</OutsideLink>;
    case "date":
      return <time dateTime={new Date(piece.at).toISOString()}>{dateText(piece.at, piece.format)}</time>;
    case "broadcast":
      return <span className="mention mention-all">{piece.text}</span>;
    default:
      return <Mention kind={piece.kind} id={piece.id} text={piece.text} />;
  }
}

export function Mention(props: { kind: "user" | "channel" | "usergroup"; id: string; text: string | null }) {
  const { users, channels, usergroups } = useDirectory();
  const names = { user: users, channel: channels, usergroup: usergroups }[props.kind];
  const mark = props.kind === "channel" ? "#" : "@";
  return (
    <span className="mention">
      {mark}
      {props.text ?? names.get(props.id) ?? props.id}
    </span>
  );
}

export function OutsideLink({ url, children }: { url: string; children: ReactNode }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** The tokens of docs.slack.dev that the app uses; what is unknown stays as it stands. */
function dateText(at: number, format: string): string {
  const date = new Date(at);
  const days = Math.floor(at / 86_400_000) - Math.floor(Date.now() / 86_400_000);
  const day = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", year: "numeric" }).format(date);
  const pretty = days === 0 ? "today" : days === -1 ? "yesterday" : days === 1 ? "tomorrow" : day;
  return format
    .replace(/\{date_(?:short|long)_pretty\}|\{date_pretty\}/g, pretty)
    .replace(/\{date(?:_short|_long|_num)?\}/g, day)
    .replace(/\{time(?:_secs)?\}/g, new Intl.DateTimeFormat("en", { timeStyle: "short" }).format(date));
}
