/** Longest text from outside that an error message carries. */
const LIMIT = 200;

/**
 * Text from a server or a program, fit to be shown: one line, no control, zero-width or direction-changing
 * characters (a terminal or a chat would act on them), and no more than 200 characters.
 */
export function printable(text: string, limit: number = LIMIT): string {
  const line = text
    .slice(0, limit * 8)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length <= limit ? line : `${characters.slice(0, limit - 1).join("")}…`;
}
