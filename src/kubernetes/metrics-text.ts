/** One series of the Prometheus text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?[ \t]+(\S+)/;
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The samples of a metrics page. Comments, and values that are no finite number, are left out. */
export function parseSamples(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const match = SAMPLE.exec(line);
    if (match === null) return [];
    const value = Number(match[3]);
    if (!Number.isFinite(value)) return [];
    const labels = [...(match[2] ?? "").matchAll(LABEL)].map(([, name = "", text = ""]) => [name, text]);
    return [{ name: match[1] ?? "", labels: Object.fromEntries(labels), value }];
  });
}
