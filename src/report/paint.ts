export type Tone = "bad" | "doubtful" | "good" | "quiet";

export interface Painter {
  strong(line: string): string;
  tone(tone: Tone): (line: string) => string;
}

// ECMA-48 select graphic rendition: the start and the code that undoes it.
const TONES = {
  bad: [31, 39],
  doubtful: [33, 39],
  good: [32, 39],
  quiet: [2, 22],
} as const satisfies Record<Tone, readonly [number, number]>;

/** Colours for a terminal, or none. No line depends on its colour: the words say the same. */
export function painter(colour: boolean): Painter {
  if (!colour) return { strong: (line) => line, tone: () => (line) => line };
  const painted =
    ([start, end]: readonly [number, number]) =>
    (line: string) =>
      `\x1b[${start}m${line}\x1b[${end}m`;
  return { strong: painted([1, 22]), tone: (tone) => painted(TONES[tone]) };
}
