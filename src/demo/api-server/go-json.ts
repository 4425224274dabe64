/** JSON as Go's encoder writes it: with `<`, `>` and `&` escaped, so that bytes compare with a real server's. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
