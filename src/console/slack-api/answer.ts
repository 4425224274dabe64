import type { z } from "zod";
import { type Problem, problemsOf, problemText } from "./problems.ts";
import type { TokenOwner, Workspace } from "./workspace.ts";

export type Answer =
  | { ok: true; [key: string]: unknown }
  | { ok: false; error: string; [key: string]: unknown };

export interface Call {
  workspace: Workspace;
  caller: TokenOwner;
  now: Date;
}

/** A Web API method: the arguments as they came, forms and JSON made the same. */
export type Method = (args: Readonly<Record<string, unknown>>, call: Call) => Answer;

/** A thing that was found, or the answer that says why not. */
export type Found<T> = { value: T; refusal?: undefined } | { refusal: Answer };

export function refused(error: string): Answer {
  return { ok: false, error };
}

/** The first problem's code, with Slack's explanation of each. */
export function refusedFor(problems: readonly [Problem, ...Problem[]]): Answer {
  const explained = problems.filter(({ error, message }) => error !== message);
  return {
    ok: false,
    error: problems[0].error,
    ...(explained.length === 0
      ? {}
      : {
          errors: explained.map((problem) => problemText(problem).replace("[ERROR] ", "")),
          response_metadata: { messages: explained.map(problemText) },
        }),
  };
}

/** The refusal for problems that may be none. */
export function refusalFor(problems: readonly Problem[]): Answer | null {
  const [first, ...rest] = problems;
  return first === undefined ? null : refusedFor([first, ...rest]);
}

/** A method whose arguments are checked first, as Slack answers what is missing or malformed. */
export function method<T extends z.ZodType>(
  schema: T,
  answer: (args: z.output<T>, call: Call) => Answer,
): Method {
  return (args, call) => {
    const parsed = schema.safeParse(args);
    if (parsed.success) return answer(parsed.data, call);
    const problems = problemsOf(parsed.error.issues, args, [], "invalid_arguments");
    return refusalFor(problems) ?? refused("invalid_arguments");
  };
}
