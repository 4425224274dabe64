import type { SlackJson } from "#src/console/server/slack-desk.ts";

export interface Completion {
  /** The whole text of the box when this is taken. */
  text: string;
  label: string;
  hint: string;
}

type Known = Pick<SlackJson, "commands" | "clusters" | "teams" | "checks">;

const COMMAND = "/proxy-audit";
const MOST = 8;
const VERSIONS = ["1.37", "1.38", "1.39", "1.40", "1.41", "1.42", "1.43"];
const QUESTIONS = [
  "is ipvs removed in 1.37?",
  "which kernel does nftables mode need?",
  "is it safe to switch on a live cluster?",
  "do I lose my scheduler?",
  "how do I roll back?",
];

/** What a word in each place of a command may be. */
const WORDS: Readonly<Record<string, readonly (keyof typeof SOURCES)[]>> = {
  cluster: ["clusters"],
  plan: ["clusters"],
  scan: ["clusters"],
  blockers: ["clustersAndTeams", "versions"],
  approve: ["clusters", "versions"],
  waive: ["clusters", "checks"],
  explain: ["checks"],
  fleet: ["filters", "filters"],
  countdown: ["teams"],
  subscribe: ["teams"],
  digest: ["teams", "verbs"],
};

const SOURCES = {
  clusters: ({ clusters }: Known) => clusters,
  clustersAndTeams: ({ clusters, teams }: Known) => [...clusters, ...teams.map((team) => `team=${team}`)],
  versions: () => VERSIONS,
  checks: ({ checks }: Known) => checks,
  teams: ({ teams }: Known) => teams,
  filters: ({ teams }: Known) => [
    ...teams.map((team) => `team=${team}`),
    "mode=ipvs",
    "mode=unset",
    "at-risk",
  ],
  verbs: () => ["preview"],
};

/** How a text may go on: the command, its name, then clusters, versions, teams and checks where they belong. */
export function completionsOf(text: string, known: Known): Completion[] {
  if (!text.startsWith(`${COMMAND} `)) {
    return COMMAND.startsWith(text.trim()) && text.trim() !== ""
      ? [{ text: `${COMMAND} `, label: COMMAND, hint: "ask proxy-audit" }]
      : [];
  }
  const rest = text.slice(COMMAND.length + 1);
  const words = rest.split(" ");
  const [name = ""] = words;
  if (words.length === 1) {
    return known.commands
      .filter((command) => command.name.startsWith(name))
      .map((command) => ({
        text: `${COMMAND} ${command.name} `,
        label: `${command.name} ${command.usage}`,
        hint: command.what,
      }));
  }
  if (name === "ask") {
    const typed = words.slice(1).join(" ").toLowerCase();
    return QUESTIONS.filter((question) => question.includes(typed) && question !== typed).map((question) => ({
      text: `${COMMAND} ask ${question}`,
      label: question,
      hint: "",
    }));
  }
  const place = words.length - 2;
  const source = Object.hasOwn(WORDS, name) ? WORDS[name]?.[place] : undefined;
  if (source === undefined) return [];
  const typed = (words.at(-1) ?? "").toLowerCase();
  const before = words.slice(0, -1).join(" ");
  const more = place + 1 < (WORDS[name]?.length ?? 0);
  return SOURCES[source](known)
    .filter((word) => word.toLowerCase().includes(typed) && word !== typed)
    .toSorted((a, b) => Number(b.startsWith(typed)) - Number(a.startsWith(typed)))
    .slice(0, MOST)
    .map((word) => ({
      text: `${COMMAND} ${before} ${/\s/.test(word) ? `"${word}"` : word}${more ? " " : ""}`,
      label: word,
      hint: "",
    }));
}
