import type { ReactNode } from "react";
import { Mention, OutsideLink } from "./text.tsx";

interface Style {
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
}

interface Run {
  type: string;
  text?: string;
  url?: string;
  user_id?: string;
  channel_id?: string;
  usergroup_id?: string;
  range?: string;
  unicode?: string;
  name?: string;
  style?: Style;
}

export interface RichElement {
  type: string;
  style?: string;
  indent?: number;
  elements?: readonly (Run & RichElement)[];
}

/** Rich text: no markup is parsed, styles are given. */
export function RichText({ elements }: { elements: readonly RichElement[] }) {
  return (
    <div className="rich-text">
      {elements.map((element, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text has no identity beyond its place
        <Element key={index} element={element} />
      ))}
    </div>
  );
}

function Element({ element }: { element: RichElement }): ReactNode {
  const runs = (element.elements ?? []).map((run, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text has no identity beyond its place
    <RunPart key={index} run={run} />
  ));
  switch (element.type) {
    case "rich_text_list": {
      const items = (element.elements ?? []).map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text has no identity beyond its place
        <li key={index}>
          <Element element={item} />
        </li>
      ));
      return element.style === "ordered" ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "rich_text_preformatted":
      return <pre>{runs}</pre>;
    case "rich_text_quote":
      return <blockquote>{runs}</blockquote>;
    default:
      return <p>{runs}</p>;
  }
}

function RunPart({ run }: { run: Run }): ReactNode {
  switch (run.type) {
    case "text":
      return styled(run.text ?? "", run.style);
    case "link":
      return <OutsideLink url={run.url ?? ""}>{run.text ?? run.url}</OutsideLink>;
    case "user":
      return <Mention kind="user" id={run.user_id ?? ""} text={null} />;
    case "channel":
      return <Mention kind="channel" id={run.channel_id ?? ""} text={null} />;
    case "usergroup":
      return <Mention kind="usergroup" id={run.usergroup_id ?? ""} text={null} />;
    case "broadcast":
      return <span className="mention mention-all">@{run.range}</span>;
    case "emoji":
      return `:${run.name}:`;
    default:
      return run.text ?? "";
  }
}

function styled(text: string, style: Style = {}): ReactNode {
  let made: ReactNode = text;
  if (style.code === true) made = <code>{made}</code>;
  if (style.strike === true) made = <s>{made}</s>;
  if (style.italic === true) made = <em>{made}</em>;
  if (style.bold === true) made = <strong>{made}</strong>;
  return made;
}
