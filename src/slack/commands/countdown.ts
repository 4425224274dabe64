import { countdownView } from "#src/commands/countdown.ts";
import { countdownMessage } from "../views/countdown.ts";
import { parseArguments } from "./arguments.ts";
import type { SlackCommand } from "./command.ts";

export const countdown: SlackCommand = {
  name: "countdown",
  usage: "[TEAM]",
  what: "how far away the end of ipvs is, and for which clusters",
  async run({ services, rest, now }) {
    const { words, options } = parseArguments(rest, ["team"]);
    const team = options.team ?? (words.length === 0 ? null : words.join(" "));
    return { message: countdownMessage(await countdownView(services.store, team, now), now) };
  },
};
