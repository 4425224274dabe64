import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export interface SourceFile {
  /** `src/checks/proxy-mode/check.ts` */
  path: string;
  /** `checks`; a file at the root of src is a room of its own. */
  room: string;
  /** What it imports, from anywhere, types included: as if each were written from src, `#src/...`. */
  imports: string[];
  /** Without comments. */
  code: string;
}

/** Every source file under src. */
export function sourceFiles(): SourceFile[] {
  return readdirSync("src", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => sourceFile(join(entry.parentPath, entry.name)));
}

function sourceFile(path: string): SourceFile {
  const code = readFileSync(path, "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/(?<![:"'`\w])\/\/.*$/gm, "");
  const imports = [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g)].map(([, from = ""]) =>
    from.startsWith(".") ? `#${posix.join(posix.dirname(path), from)}` : from,
  );
  return { path, room: path.split("/")[1] ?? "", imports, code };
}

/** The room that an import leads to; null where it leads out of src. */
export function roomOf(imported: string): string | null {
  return imported.startsWith("#src/") ? (imported.split("/")[1] ?? null) : null;
}
