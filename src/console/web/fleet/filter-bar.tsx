import { Button as AriaButton, Input, Label, SearchField } from "react-aria-components";
import type { FleetRowJson } from "#src/console/server/fleet-json.ts";
import { VERDICT_LABELS, VERDICT_ORDER } from "#src/report/verdict-text.ts";
import { Choose, type Option, TypeOrChoose } from "../ui/choose.tsx";
import { type Filters, NO_TEAM } from "./filters.ts";

export function FilterBar(props: {
  rows: readonly FleetRowJson[];
  targets: readonly string[];
  filters: Filters;
  target: string;
  problem: string | null;
  onChange: (changes: Record<string, string>) => void;
}) {
  const { rows, filters, onChange } = props;
  const teams = namesOf(rows.map((row) => row.team ?? NO_TEAM));
  return (
    <div className="filters">
      <SearchField className="field field-search" value={filters.text} onChange={(q) => onChange({ q })}>
        <Label>Search</Label>
        <div className="search-box">
          <Input placeholder="Name, account, region …" />
          <AriaButton aria-label="Clear the search">✕</AriaButton>
        </div>
      </SearchField>
      <TypeOrChoose
        label="Upgrade to"
        key={props.target}
        value={props.target}
        options={props.targets.map((target) => ({ id: target, text: target }))}
        problem={props.problem}
        onChange={(text) => {
          const target = text.trim().replace(/^v/, "");
          if (target !== "" && target !== props.target) onChange({ target: target === "1.40" ? "" : target });
        }}
      />
      <Choose
        label="Verdict"
        value={filters.verdict}
        options={[
          { id: "", text: "All" },
          ...VERDICT_ORDER.map((id) => ({ id, text: VERDICT_LABELS[id] })),
          { id: "there", text: "already there" },
          { id: "not reached", text: "not reached" },
          { id: "denied", text: "denied" },
          { id: "stale", text: "stale" },
        ]}
        onChange={(verdict) => onChange({ verdict })}
      />
      <Choose
        label="Team"
        value={filters.team}
        options={all(teams.map((id) => ({ id, text: id === NO_TEAM ? "no team" : id })))}
        onChange={(team) => onChange({ team })}
      />
      <Choose
        label="Mode"
        value={filters.mode}
        options={all(namesOf(rows.map((row) => row.mode)).map((id) => ({ id, text: id })))}
        onChange={(mode) => onChange({ mode })}
      />
      <Choose
        label="Provider"
        value={filters.provider}
        options={all(namesOf(rows.map((row) => row.provider)).map((id) => ({ id, text: id })))}
        onChange={(provider) => onChange({ provider })}
      />
      {props.problem !== null && (
        <p className="field-problem" role="alert">
          {props.problem}
        </p>
      )}
    </div>
  );
}

function all(options: readonly Option[]): Option[] {
  return [{ id: "", text: "All" }, ...options];
}

function namesOf(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}
