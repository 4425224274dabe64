import type { ReactNode } from "react";
import { Button } from "./button.tsx";

/** Shown after a moment only (by its style sheet): what is quick does not flicker. */
export function Loading({ what }: { what: string }) {
  return (
    <p className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      Reading {what} …
    </p>
  );
}

export function ErrorPanel({
  title,
  message,
  retry,
}: {
  title: string;
  message: string;
  retry?: () => void;
}) {
  return (
    <section className="panel panel-error" role="alert">
      <h2>{title}</h2>
      <p>{message}</p>
      {retry !== undefined && <Button onPress={retry}>Try again</Button>}
    </section>
  );
}

export function EmptyPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel panel-empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
