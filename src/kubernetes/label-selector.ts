export type Labels = Readonly<Record<string, string>>;

/** Whether an object with these labels is selected. */
export type LabelPredicate = (labels: Labels) => boolean;

const TOKEN = /\s*(!=|==|=|!|<|>|\(|\)|,|[^\s!=<>(),]+)/y;
const BINARY = "in, notin, =, ==, !=, gt, lt";

/**
 * The predicate of a label selector (`a=b,c!=d,e in (f,g),h notin (i),j,!k,l>5`), or why the server refuses it,
 * word for word.
 */
export function parseLabelSelector(text: string): LabelPredicate | { refused: string } {
  const tokens = tokensOf(text);
  const requirements: LabelPredicate[] = [];
  while (tokens.length > 0) {
    const requirement = parseRequirement(tokens);
    if (typeof requirement === "string") return { refused: `unable to parse requirement: ${requirement}` };
    requirements.push(requirement);
    const separator = tokens.shift();
    if (separator === undefined) break;
    if (separator !== ",") return { refused: `found '${separator}', expected: ',' or 'end of string'` };
    if (tokens.length === 0) return { refused: "found '', expected: identifier after ','" };
  }
  return (labels) => requirements.every((holds) => holds(labels));
}

function tokensOf(text: string): string[] {
  return [...text.trim().matchAll(new RegExp(TOKEN.source, "g"))].map((match) => match[1] ?? "");
}

function isIdentifier(token: string | undefined): token is string {
  return token !== undefined && /^[^!=<>(),]+$/.test(token);
}

function parseRequirement(tokens: string[]): LabelPredicate | string {
  const absent = tokens[0] === "!";
  if (absent) tokens.shift();
  const key = tokens.shift();
  if (!isIdentifier(key)) return `found '${key ?? ""}', expected: identifier`;
  if (absent) return (labels) => labels[key] === undefined;
  if (tokens[0] === undefined || tokens[0] === ",") return (labels) => labels[key] !== undefined;

  const operator = tokens.shift() ?? "";
  switch (operator) {
    case "in":
    case "notin":
      return parseSet(key, operator === "in", tokens);
    case "=":
    case "==":
    case "!=": {
      const value = isIdentifier(tokens[0]) ? tokens.shift() : "";
      return (labels) => (labels[key] === value) === (operator !== "!=");
    }
    case "<":
    case ">": {
      const bound = tokens.shift() ?? "";
      if (!/^-?\d+$/.test(bound)) {
        return `values[0][${key}]: Invalid value: "${bound}": for 'Gt', 'Lt' operators, the value must be an integer`;
      }
      return (labels) => compares(labels[key], operator, Number(bound));
    }
    default:
      return `found '${operator}', expected: ${BINARY}`;
  }
}

function parseSet(key: string, inside: boolean, tokens: string[]): LabelPredicate | string {
  const open = tokens.shift();
  if (open !== "(") return `found '${open ?? ""}', expected: '('`;
  const end = tokens.indexOf(")");
  if (end === -1) return "found '', expected: ',', or ')'";
  const values = new Set(
    tokens
      .splice(0, end + 1)
      .slice(0, -1)
      .filter((token) => token !== ","),
  );
  // Sets select by value: a missing label is in none of them.
  return (labels) => {
    const value = labels[key];
    return (value !== undefined && values.has(value)) === inside;
  };
}

function compares(value: string | undefined, operator: "<" | ">", bound: number): boolean {
  if (value === undefined || !/^-?\d+$/.test(value)) return false;
  return operator === "<" ? Number(value) < bound : Number(value) > bound;
}
