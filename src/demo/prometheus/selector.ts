import type { Sample } from "#src/kubernetes/metrics-text.ts";

/** Whether a series is one of those that a selector picks. */
export type Selector = (series: Sample) => boolean;

const MATCHER = /\s*([A-Za-z_]\w*)\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*")\s*(?:,|$)/y;

/**
 * A bare instant vector selector of PromQL, `{__name__=~"up|down",job="node"}`, patterns anchored as Prometheus
 * anchors them. Null for everything else of the language.
 */
export function parseSelector(query: string): Selector | null {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(query)?.[1];
  if (inner === undefined || inner.trim() === "") return null;
  const matchers: Selector[] = [];
  MATCHER.lastIndex = 0;
  while (MATCHER.lastIndex < inner.length) {
    const match = MATCHER.exec(inner);
    if (match === null) return null;
    const [, label = "", operator = "", text = '""'] = match;
    const matcher = matcherOf(label, operator, text);
    if (matcher === null) return null;
    matchers.push(matcher);
    if (MATCHER.lastIndex === 0) return null;
  }
  return (series) => matchers.every((matches) => matches(series));
}

function matcherOf(label: string, operator: string, text: string): Selector | null {
  const labelOf = ({ name, labels }: Sample) => (label === "__name__" ? name : (labels[label] ?? ""));
  try {
    const wanted: string = JSON.parse(text);
    const pattern = new RegExp(`^(?:${operator.endsWith("~") ? wanted : ""})$`, "s");
    const matches = operator.endsWith("~")
      ? (series: Sample) => pattern.test(labelOf(series))
      : (series: Sample) => labelOf(series) === wanted;
    return operator.startsWith("!") ? (series) => !matches(series) : matches;
  } catch {
    return null;
  }
}
