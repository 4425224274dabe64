import { createHash } from "node:crypto";

/** Text that gzip cannot make much shorter, the same every time. */
export function noise(seed: number, length: number): string {
  let text = "";
  for (let block = 0; text.length < length; block++) {
    text += createHash("sha512").update(`${seed}/${block}`).digest("base64");
  }
  return text.slice(0, length);
}
