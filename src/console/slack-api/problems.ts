import type { z } from "zod";
import { UNCHECKED_BLOCKS } from "./schemas/blocks.ts";

/** Why Slack refuses a message or view. `error` is what the Web API answers. */
export interface Problem {
  error:
    | "invalid_arguments"
    | "invalid_attachments"
    | "invalid_blocks"
    | "invalid_blocks_format"
    | "msg_blocks_too_long"
    | "msg_too_long"
    | "no_text"
    | "view_too_large";
  message: string;
  /** RFC 6901, from the arguments of the call: `/blocks/0/text/text`. Empty for the call as a whole. */
  pointer: string;
}

/** As Slack writes it into `response_metadata.messages`. */
export function problemText({ message, pointer }: Problem): string {
  return pointer === "" ? `[ERROR] ${message}` : `[ERROR] ${message} [json-pointer:${pointer}]`;
}

export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** What zod found in `input`, in Slack's words; `at` is where the input stands in the call. */
export function problemsOf(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  at: readonly PropertyKey[],
  error: Problem["error"],
): Problem[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    const missing = issue.path.length > 0 && valueAt(input, issue.path) === undefined;
    if (missing) {
      return [
        {
          error,
          message: `missing required field: ${String(path.at(-1))}`,
          pointer: pointerTo(path.slice(0, -1)),
        },
      ];
    }
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        error,
        message: `invalid additional property: ${key}`,
        pointer: pointerTo(path),
      }));
    }
    return [{ error, message: wordsFor(issue, valueAt(input, issue.path)), pointer: pointerTo(path) }];
  });
}

// The words of Slack's own answers, as people paste them into issues: "must be less than 3001 characters",
// "no more than 50 items allowed", "unsupported type: alert".
function wordsFor(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case "too_big":
      if (issue.origin === "string") return `must be less than ${Number(issue.maximum) + 1} characters`;
      if (issue.origin === "array") return `no more than ${issue.maximum} items allowed`;
      return `must be less than ${Number(issue.maximum) + 1}`;
    case "too_small":
      if (issue.origin === "string") return `must be more than ${Number(issue.minimum) - 1} characters`;
      if (issue.origin === "array") return `no less than ${issue.minimum} items allowed`;
      return `must be more than ${Number(issue.minimum) - 1}`;
    case "invalid_union":
      if (typeof value !== "string") return "failed to match all allowed schemas";
      return UNCHECKED_BLOCKS.has(value)
        ? `blocks of type ${value} are not checked here: add their schema first`
        : `unsupported type: ${value}`;
    case "invalid_value":
      return `must be one of: ${issue.values.join(", ")}`;
    case "invalid_type":
      return `must be ${issue.expected}`;
    default:
      return issue.message;
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}
