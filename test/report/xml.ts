// HTML's elements without an end tag.
const VOID = new Set(["meta", "br", "hr", "img", "link", "input"]);

export interface Element {
  name: string;
  attributes: Record<string, string>;
  /** Elements in order, and text as it stands between tags, unescaped. */
  children: (Element | string)[];
}

const TOKEN =
  /<!doctype html>|<\?xml[^?]*\?>|<\/([a-z0-9-]+)>|<([a-z0-9-]+)((?:\s+[a-z-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/giy;

/**
 * A strict little parser of what the reports write. Throws on anything that is not well formed: a stray `<`, a
 * bare `&`, an end tag that does not match, a character that XML 1.0 cannot carry.
 */
export function parseMarkup(text: string): Element {
  const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.exec(text);
  if (forbidden !== null) throw new Error(`forbidden character at ${forbidden.index}`);
  const root: Element = { name: "", attributes: {}, children: [] };
  const open = [root];
  const tokens = new RegExp(TOKEN);
  while (tokens.lastIndex < text.length) {
    const at = tokens.lastIndex;
    const token = tokens.exec(text);
    const parent = open.at(-1);
    if (token === null || parent === undefined)
      throw new Error(`not well formed: ${text.slice(at, at + 60)}`);
    const [, end, start, attributes = "", selfClosing, content] = token;
    if (end !== undefined) {
      if (open.pop()?.name !== end) throw new Error(`unexpected </${end}> at ${at}`);
    } else if (start !== undefined) {
      const element: Element = { name: start, attributes: attributesOf(attributes), children: [] };
      parent.children.push(element);
      if (selfClosing !== "/" && !VOID.has(start)) open.push(element);
    } else if (content !== undefined) {
      parent.children.push(unescaped(content));
    }
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.name}> is not closed`);
  return root;
}

export function elements(root: Element, name: string): Element[] {
  return root.children.flatMap((child) =>
    typeof child === "string" ? [] : [...(child.name === name ? [child] : []), ...elements(child, name)],
  );
}

export function textOf(root: Element): string {
  return root.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([a-z-]+)="([^"]*)"/gi)];
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, unescaped(value)]));
}

function unescaped(text: string): string {
  const entities: Record<string, string> = {
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
  };
  return text.replace(/&[^;\s]*;?/g, (entity) => {
    const character = entities[entity];
    if (character === undefined) throw new Error(`bare ampersand: ${entity}`);
    return character;
  });
}
