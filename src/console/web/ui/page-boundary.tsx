import { Component, type ReactNode } from "react";
import { ErrorPanel } from "./panels.tsx";

/** Shows what a page failed with in its place: a part of it that could not be loaded, or a fault of ours. */
export class PageBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <ErrorPanel
        title="This page could not be shown"
        message="Is the console still running in its terminal? If it is, this is a fault of proxy-audit; the other pages still work."
        retry={() => location.reload()}
      />
    );
  }
}
