import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components";

export function Button({
  children,
  tone,
  quiet = false,
  ...props
}: Omit<ButtonProps, "children" | "className"> & {
  children: ReactNode;
  tone?: "primary" | "danger" | undefined;
  quiet?: boolean;
}) {
  const kind = tone ?? (quiet ? "quiet" : "plain");
  return (
    <AriaButton {...props} className={`button button-${kind}`}>
      {children}
    </AriaButton>
  );
}
