import { fleetView } from "#src/commands/fleet.ts";
import { PROXY_MODES, type ProxyMode } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { fleetMessage } from "../views/fleet.ts";
import { parseArguments } from "./arguments.ts";
import type { SlackCommand } from "./command.ts";

export const fleet: SlackCommand = {
  name: "fleet",
  usage: "[team=TEAM] [mode=MODE] [env=ENVIRONMENT] [at-risk]",
  what: "every cluster, worst first",
  async run({ services, rest, now }) {
    const { words, options } = parseArguments(rest, ["team", "mode", "env"]);
    const [other] = words.filter((word) => word !== "at-risk");
    if (other !== undefined) {
      throw new ProxyAuditError("usage", `"${other}" is not known here. /proxy-audit fleet ${fleet.usage}`);
    }
    const { team, env, mode } = options;
    const atRisk = words.includes("at-risk");
    const view = await fleetView(
      services.store,
      {
        ...(team === undefined ? {} : { team }),
        ...(env === undefined ? {} : { environment: env }),
        ...(mode === undefined ? {} : { mode: modeOf(mode) }),
        atRisk,
      },
      { now, waivers: await services.store.waivers({ activeAt: now.toISOString() }) },
    );
    return { message: fleetMessage(view, partOfFleet({ ...options, ...(atRisk ? { risk: "" } : {}) }), now) };
  },
};

function modeOf(text: string): ProxyMode {
  const mode = PROXY_MODES.find((one) => one === text.toLowerCase());
  if (mode === undefined) {
    throw new ProxyAuditError("usage", `"${text}" is not a mode. There are: ${PROXY_MODES.join(", ")}.`);
  }
  return mode;
}

/** ` of team payments, in prod`: which clusters a heading is about. */
export function partOfFleet(options: Readonly<Record<string, string>>): string {
  const parts = [
    options.team === undefined ? "" : ` of team ${options.team}`,
    options.env === undefined ? "" : ` in ${options.env}`,
    options.mode === undefined ? "" : ` in mode ${options.mode}`,
    options.risk === undefined ? "" : " at risk",
  ];
  return parts.join("");
}
