import type { MrkdwnElement } from "@slack/types";
import { plain } from "#src/report/text.ts";
import { cutAt, escapeEntities, escapeMrkdwn } from "./text.ts";

/** Markup of ours. Made only by the functions here, so that text from outside cannot be taken for it. */
export interface Mrkdwn {
  readonly mrkdwn: string;
}

/** A string is text from outside and is shown literally; only `Mrkdwn` is markup. */
export type Inline = string | number | Mrkdwn;

/**
 * Markup with everything interpolated into it escaped.
 *
 * @example section(md`*${cluster.name}* is blocked at ${target}`)
 */
export function md(literals: TemplateStringsArray, ...values: readonly Inline[]): Mrkdwn {
  const text = literals.map((literal, index) => {
    const value = values[index];
    return value === undefined ? literal : `${literal}${mrkdwnOf(value).mrkdwn}`;
  });
  return { mrkdwn: text.join("") };
}

export function mrkdwnOf(value: Inline): Mrkdwn {
  return typeof value === "object" ? value : { mrkdwn: escapeMrkdwn(String(value)) };
}

/** A text of several lines, each of them literal. */
export function literalLines(text: string): Mrkdwn {
  return joined(
    text.split(/\r\n|[\n\r]/).map((line) => (plain(line) === "" ? { mrkdwn: "" } : mrkdwnOf(line))),
    "\n",
  );
}

/** The parts with `separator`, which is ours, between them. */
export function joined(parts: readonly Inline[], separator: string): Mrkdwn {
  return { mrkdwn: parts.map((part) => mrkdwnOf(part).mrkdwn).join(separator) };
}

/** A code span: what is in it can be copied as it is, but for backticks. */
export function code(text: string): Mrkdwn {
  const line = plain(text).replaceAll("`", "ˋ");
  return { mrkdwn: line === "" ? "-" : `\`${escapeEntities(line)}\`` };
}

/** A link for http and https addresses; anything else shows the label alone. */
export function link(address: string, label: string): Mrkdwn {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const href = url?.href.replaceAll("|", "%7C") ?? "";
  if ((url?.protocol !== "https:" && url?.protocol !== "http:") || href.length > 2_000)
    return mrkdwnOf(label);
  return { mrkdwn: `<${escapeEntities(href)}|${escapeMrkdwn(label)}>` };
}

/** A mention, which notifies; an identifier that is none is shown literally. */
export function mention(id: string): Mrkdwn {
  if (/^[UW][A-Z0-9]{2,20}$/.test(id)) return { mrkdwn: `<@${id}>` };
  if (/^[CG][A-Z0-9]{2,20}$/.test(id)) return { mrkdwn: `<#${id}>` };
  if (/^S[A-Z0-9]{2,20}$/.test(id)) return { mrkdwn: `<!subteam^${id}>` };
  return mrkdwnOf(id);
}

/** A moment in each reader's own time zone, and in UTC where a client cannot show that. */
export function localTime(at: Date): Mrkdwn {
  const fallback = at.toISOString().slice(0, 16).replace("T", " ");
  return {
    mrkdwn: `<!date^${Math.floor(at.getTime() / 1000)}^{date_short_pretty} {time}|${fallback} UTC>`,
  };
}

const PIECES = /&(?:amp|lt|gt);|<[^<>]*>|[\s\S]/gu;

/** Within `limit`, never ending inside an entity, a link or a mention, and with no code block left open. */
export function cutMrkdwn({ mrkdwn }: Mrkdwn, limit: number): string {
  if (mrkdwn.length <= limit) return mrkdwn.trim() === "" ? "-" : mrkdwn;
  const text = cutAt(mrkdwn, limit - "\n```".length, PIECES);
  return text.split("```").length % 2 === 0 ? `${text}\n\`\`\`` : text;
}

/** `verbatim`: Slack makes no links, channels or mentions of what merely looks like one. */
export function mrkdwnObject(value: Inline, limit: number): MrkdwnElement {
  return { type: "mrkdwn", text: cutMrkdwn(mrkdwnOf(value), limit), verbatim: true };
}
