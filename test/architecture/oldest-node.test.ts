import { expect, it } from "vitest";
import { sourceFiles } from "./sources.ts";

// Found on 22.19: "column index out of range". Node 24 binds them, so no test of the store can see it.
it("writes no numbered SQL parameters, which node:sqlite of Node 22 does not bind from a list", () => {
  const numbered = sourceFiles().filter(({ path, code }) => path.includes("/sqlite") && /\?\d/.test(code));
  expect(numbered.map(({ path }) => path)).toEqual([]);
});
