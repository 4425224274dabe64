/** One word of a command line, with the names it depends on whose values are not known. */
export interface Word {
  text: string;
  unresolved: readonly string[];
}

/** One simple command: its words, without assignments in front and without redirections. */
export type SimpleCommand = readonly Word[];

/** What a script can refer to: `null` or `undefined` means that there is a value and we do not know it. */
export type Environment = Readonly<Record<string, string | null | undefined>>;

const OPERATORS = /^(?:&&|\|\||;;&?|;&|\|&|[;&|()\n])/;
const REDIRECTION = /^(?:&>>?|<<<|<<-?|<>|<&|<|>>|>&|>\||>)/;
const KEYWORDS = new Set(["if", "then", "elif", "else", "do", "while", "until", "!", "{", "}", "time"]);
const ASSIGNMENT = /^([A-Za-z_]\w*)=/;
const EXPORTS = new Set(["export", "readonly", "local", "declare"]);

/**
 * The simple commands of a POSIX shell script in the order they are written: quotes, comments, redirections,
 * line continuations, here-documents, pipes and sequences are taken apart, variables expanded from `environment`
 * and from assignments in the script. Conditions are not evaluated: the commands of every branch are returned.
 * `positional` holds `$0`, `$1`, ...: what follows the script after `sh -c`.
 */
export function shellCommands(
  script: string,
  environment: Environment,
  positional: readonly Word[] = [],
): SimpleCommand[] {
  const variables = new Map<string, Word>(
    Object.entries(environment).map(([name, value]) => [name, wordOf(name, value)]),
  );
  const commands: SimpleCommand[] = [];
  const state: Reader = { script, at: 0, variables, positional, heredocs: [] };
  let words: Word[] = [];
  const end = () => {
    const command = withoutPrefix(words, variables);
    if (command.length > 0) commands.push(command);
    words = [];
  };
  while (state.at < script.length) {
    const rest = script.slice(state.at);
    const blank = /^(?:[^\S\n]|\\\r?\n)+/.exec(rest)?.[0];
    if (blank !== undefined) {
      state.at += blank.length;
      continue;
    }
    if (rest.startsWith("#")) {
      state.at += rest.search(/\n|$/);
      continue;
    }
    const redirection = REDIRECTION.exec(rest)?.[0] ?? /^\d+(?=[<>])/.exec(rest)?.[0];
    if (redirection !== undefined) {
      state.at += redirection.length;
      if (!/^\d/.test(redirection)) skipTarget(state, redirection);
      continue;
    }
    const operator = OPERATORS.exec(rest)?.[0];
    if (operator !== undefined) {
      state.at += operator.length;
      if (operator === "\n") skipHeredocs(state);
      end();
      continue;
    }
    words.push(...readWord(state));
  }
  end();
  return commands;
}

interface Reader {
  script: string;
  at: number;
  variables: Map<string, Word>;
  positional: readonly Word[];
  heredocs: string[];
}

function wordOf(name: string, value: string | null | undefined): Word {
  return value === null || value === undefined
    ? { text: `$(${name})`, unresolved: [name] }
    : { text: value, unresolved: [] };
}

function skipTarget(state: Reader, redirection: string): void {
  state.at += /^[^\S\n]*/.exec(state.script.slice(state.at))?.[0].length ?? 0;
  const target = readWord(state).at(0);
  if (/^<<-?$/.test(redirection) && target !== undefined) state.heredocs.push(target.text);
}

function skipHeredocs(state: Reader): void {
  for (const delimiter of state.heredocs.splice(0)) {
    while (state.at < state.script.length) {
      const line = /^[^\n]*\n?/.exec(state.script.slice(state.at))?.[0] ?? "";
      state.at += line.length;
      if (line.trim() === delimiter) break;
    }
  }
}

/** Reads one word; more than one, or none, where an unquoted variable holds several words or nothing. */
function readWord(state: Reader): Word[] {
  const all = /^("\$@"|\$@|"\$\*"|\$\*)(?=[\s;&|)<>]|$)/.exec(state.script.slice(state.at));
  if (all !== null) {
    state.at += all[0].length;
    return state.positional.slice(1);
  }
  const words: Word[] = [];
  let current: { text: string; unresolved: string[] } | null = null;
  const add = (text: string, unresolved: readonly string[] = []) => {
    current ??= { text: "", unresolved: [] };
    current.text += text;
    current.unresolved.push(...unresolved);
  };
  let quoted = false;
  while (state.at < state.script.length) {
    const character = state.script.charAt(state.at);
    if (!quoted && /[\s;&|()<>]/.test(character)) break;
    if (character === '"') {
      quoted = !quoted;
      add("");
      state.at += 1;
    } else if (character === "'" && !quoted) {
      const close = state.script.indexOf("'", state.at + 1);
      const stop = close < 0 ? state.script.length : close;
      add(state.script.slice(state.at + 1, stop));
      state.at = stop + 1;
    } else if (character === "\\") {
      const next = state.script.charAt(state.at + 1);
      const literal = quoted && !/["\\$`\n]/.test(next);
      if (next !== "\n") add(literal ? `\\${next}` : next);
      state.at += 2;
    } else if (character === "$" || character === "`") {
      const value = expansion(state);
      if (quoted || value.unresolved.length > 0) add(value.text, value.unresolved);
      else {
        const [first = "", ...others] = value.text.split(/[ \t\n]+/);
        if (first !== "") add(first);
        for (const other of others) {
          if (current !== null) words.push(current);
          current = null;
          if (other !== "") add(other);
        }
      }
    } else {
      add(character);
      state.at += 1;
    }
  }
  if (current !== null) words.push(current);
  return words;
}

/** Reads `$NAME`, `${NAME}`, `${NAME:-default}`, `$1`, `$(command)` or a command in backquotes. */
function expansion(state: Reader): Word {
  const rest = state.script.slice(state.at);
  const substitution = rest.startsWith("`") ? /^`([^`]*)`?/.exec(rest) : null;
  if (substitution !== null) return taken(state, substitution[0], wordOf(substitution[1] ?? "", null));
  if (rest.startsWith("$(")) {
    const length = closingParenthesis(rest);
    return taken(state, rest.slice(0, length), wordOf(rest.slice(2, length - 1).trim(), null));
  }
  const braced = /^\$\{([A-Za-z_]\w*|\d)(?::?([-=])([^}]*))?\}/.exec(rest);
  const plain = braced ?? /^\$([A-Za-z_]\w*|\d)/.exec(rest);
  if (plain !== null) {
    const name = plain[1] ?? "";
    const known = /^\d$/.test(name) ? state.positional[Number(name)] : state.variables.get(name);
    const fallback = plain[2] === undefined ? wordOf(name, null) : wordOf(name, plain[3] ?? "");
    return taken(state, plain[0], known ?? fallback);
  }
  const other = /^\$\{([^}]*)\}?/.exec(rest);
  if (other !== null) return taken(state, other[0], wordOf(other[1] ?? "", null));
  return taken(state, "$", { text: "$", unresolved: [] });
}

function taken(state: Reader, source: string, word: Word): Word {
  state.at += source.length;
  return word;
}

function closingParenthesis(text: string): number {
  let depth = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/**
 * The command without keywords and assignments in front of it. Assignments without a command are kept in
 * `variables`; in front of a command they are its environment only, and expanded too late for its arguments.
 */
function withoutPrefix(words: readonly Word[], variables: Map<string, Word>): SimpleCommand {
  const assigned = new Map<string, Word>();
  const start = words.findIndex((word) => {
    const name = ASSIGNMENT.exec(word.text)?.[1];
    if (name === undefined) return !KEYWORDS.has(word.text) && !EXPORTS.has(word.text);
    assigned.set(name, { text: word.text.slice(name.length + 1), unresolved: word.unresolved });
    return false;
  });
  if (start >= 0) return words.slice(start);
  for (const [name, value] of assigned) variables.set(name, value);
  return [];
}
