import { EmptyPanel } from "../ui/panels.tsx";

export function SlackPage({ available }: { available: boolean }) {
  return <EmptyPanel title="Slack">{available ? "" : <p>This console has no Slack side.</p>}</EmptyPanel>;
}
