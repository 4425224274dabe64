import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Resource } from "./packaged.ts";

/** A template's resources; intrinsic functions are left as their arguments. */
export function resourcesIn(file: string): Record<string, Resource> {
  const tags = ["!Sub", "!Ref", "!GetAtt", "!Not", "!Equals", "!Split", "!If"];
  const customTags = tags.flatMap((tag) => [
    { tag, resolve: (text: string) => text },
    { tag, collection: "seq" as const, resolve: () => "…" },
  ]);
  const { Resources } = parse(readFileSync(file, "utf8"), { customTags, logLevel: "error" }) as {
    Resources: Record<string, Resource>;
  };
  return Resources;
}
