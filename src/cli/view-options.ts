import { Option } from "commander";
import type { ViewOptions } from "#src/report/gate.ts";
import type { CliIo } from "./io.ts";

/** `--output` of the commands that print a view. */
export function outputOption(): Option {
  return new Option("-o, --output <format>", "how to print").choices(["table", "json"]).default("table");
}

export function viewOptions(options: { output: "table" | "json" }, io: CliIo): ViewOptions {
  return { output: options.output, colour: io.colour, columns: io.columns };
}
