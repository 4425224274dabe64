import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

/** Copies a text; says so for a moment, to screen readers too. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), 2_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <span className="copy">
      <Button
        quiet
        aria-label={`Copy ${what}`}
        onPress={() =>
          navigator.clipboard.writeText(text).then(
            () => setOutcome("copied"),
            () => setOutcome("failed"),
          )
        }
      >
        {outcome === "copied" ? "Copied" : outcome === "failed" ? "Not copied" : "Copy"}
      </Button>
      <span className="hidden" role="status">
        {outcome === null ? "" : outcome === "copied" ? `${what} copied` : `${what} could not be copied`}
      </span>
    </span>
  );
}
