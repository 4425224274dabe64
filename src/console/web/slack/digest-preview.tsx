import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { DigestJson } from "#src/console/server/slack-routes.ts";
import { getJson } from "../api.ts";
import { Choose } from "../ui/choose.tsx";
import { EmptyPanel, ErrorPanel, Loading } from "../ui/panels.tsx";
import { type Block, Blocks } from "./blocks/blocks.tsx";
import { RawJson } from "./raw-json.tsx";

const DAY_MS = 86_400_000;

/** What a team's weekly message says, without sending it. */
export function DigestPreview({ teams }: { teams: readonly string[] }) {
  const [team, setTeam] = useState(teams.includes("payments") ? "payments" : (teams[0] ?? ""));
  const [week, setWeek] = useState("");
  const digest = useQuery({
    queryKey: ["digest", team, week],
    queryFn: ({ signal }) =>
      getJson<DigestJson>(`/api/slack/digest?team=${encodeURIComponent(team)}&week=${week}`, signal),
    placeholderData: keepPreviousData,
    enabled: team !== "",
  });
  if (team === "") {
    return (
      <EmptyPanel title="No team has a cluster yet">
        <p>A digest goes to a team. Clusters get theirs from tags, or from a list of owners.</p>
      </EmptyPanel>
    );
  }
  return (
    <section className="channel home" aria-label="Digest preview">
      <div className="dialog-head">
        <h2>Digest preview</h2>
        {digest.data !== undefined && (
          <RawJson what="message" json={{ text: digest.data.text, blocks: digest.data.blocks }} />
        )}
      </div>
      <div className="filters digest-filters">
        <Choose
          label="Team"
          value={team}
          options={teams.map((id) => ({ id, text: id }))}
          onChange={setTeam}
        />
        <Choose label="Week" value={week} options={weeks()} onChange={setWeek} />
      </div>
      <p className="muted small">
        Nothing is sent.{" "}
        {week === ""
          ? ""
          : "The clusters are judged by the audits stored today, the burn-down ends in that week."}
      </p>
      {digest.error !== null && (
        <ErrorPanel
          title="The digest could not be made"
          message={digest.error.message}
          retry={() => digest.refetch()}
        />
      )}
      {digest.isPending && <Loading what="the digest" />}
      {digest.data !== undefined && (
        <>
          <article className="message message-framed" aria-label="Message">
            <Blocks blocks={digest.data.blocks as readonly Block[]} busy press={() => undefined} />
          </article>
          {digest.data.thread.length > 0 && <h3>In its thread</h3>}
          {digest.data.thread.map((blocks, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: replies have no identity before they are posted
            <article className="message message-framed" aria-label={`Reply ${index + 1}`} key={index}>
              <Blocks blocks={blocks as readonly Block[]} busy press={() => undefined} />
            </article>
          ))}
        </>
      )}
    </section>
  );
}

/** This week and the five before it, by their Mondays. */
function weeks() {
  const today = new Date();
  const monday = Date.UTC(
    today.getUTCFullYear(),
    today.getUTCMonth(),
    today.getUTCDate() - ((today.getUTCDay() + 6) % 7),
  );
  return [
    { id: "", text: "This week" },
    ...Array.from({ length: 5 }, (_, index) => {
      const id = new Date(monday - (index + 1) * 7 * DAY_MS).toISOString().slice(0, 10);
      return { id, text: `Week of ${id}` };
    }),
  ];
}
