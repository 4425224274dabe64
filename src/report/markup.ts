import { plain } from "./text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Text for an element or a quoted attribute, in HTML as in XML. `plain` comes first: XML 1.0 has no way at all
 * to carry most control characters, and one makes the whole file unreadable.
 */
export function escapeMarkup(text: string): string {
  return plain(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
