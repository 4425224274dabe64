/** A piece of a YAML text that can be parsed by itself, and how many lines stand before it. */
export interface YamlPart {
  text: string;
  line: number;
}

/** Below this a text is parsed whole. */
const SMALL_BYTES = 1_000_000;

/** `key: *name` or `- *name`. */
const ALIAS = /[:-] \*[\w-]+\r?$/m;

/**
 * A large text in pieces: its documents, and of a List as kubectl prints it (`items:` with items that start in the
 * first column) each item as a document of its own, the List without them as another. A text with aliases is one piece:
 * they may refer to another item.
 */
export function yamlParts(text: string): YamlPart[] {
  if (text.length < SMALL_BYTES || ALIAS.test(text)) return [{ text, line: 0 }];
  const parts: YamlPart[] = [];
  let own: string[] = [];
  let ownLine = 0;
  let item: string[] | null = null;
  let itemLine = 0;
  let inItems = false;
  const endItem = () => {
    if (item !== null) parts.push({ text: item.join("\n"), line: itemLine });
    item = null;
  };
  const endDocument = (next: number) => {
    endItem();
    parts.push({ text: own.join("\n"), line: ownLine });
    own = [];
    ownLine = next;
    inItems = false;
  };
  for (const [index, line] of text.split("\n").entries()) {
    if (/^---(\s|$)/.test(line)) endDocument(index);
    if (inItems && line.startsWith("- ")) {
      endItem();
      item = [`  ${line.slice(2)}`];
      itemLine = index;
    } else if (item !== null && /^(\s|#|$)/.test(line)) item.push(line);
    else {
      endItem();
      inItems = /^items:\s*$/.test(line);
      // The List stays a List, with no items.
      own.push(inItems ? "items: []" : line);
    }
  }
  endDocument(0);
  return parts.filter((part) => part.text.trim() !== "");
}
