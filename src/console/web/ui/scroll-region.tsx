import type { ReactNode } from "react";

/** What is wider than a phone scrolls in here, by keyboard too. */
export function ScrollRegion({ labelledBy, children }: { labelledBy: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the arrow keys
    <section className="scroll" aria-labelledby={labelledBy} tabIndex={0}>
      {children}
    </section>
  );
}
