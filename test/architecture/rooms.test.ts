import { describe, expect, it } from "vitest";
import { roomOf, sourceFiles } from "./sources.ts";

/** The path of the data. A room imports from itself and from rooms before it. */
const ROOMS = [
  ..."model kubernetes aws timeline providers inventory evidence checks audit verdict plan knowledge".split(
    " ",
  ),
  ..."store commands report demo fleet-run http-api slack console cli".split(" "),
];

/** Same in, same out: time, ids and chance are arguments, and nothing is read. */
const PURE = "model timeline providers checks verdict plan knowledge report".split(" ");

/** Files at the root of src that others may import; the environment is read in config.ts, by functions and cli. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  "package-file.ts": ["commands", "demo", "console", "cli"],
  "config.ts": ["fleet-run", "http-api", "slack", "console", "cli"],
  "config-values.ts": ["config.ts", "fleet-run", "http-api", "slack", "console", "cli"],
};

const files = sourceFiles();

describe("the rooms of src", () => {
  it("each have a place in the path of the data", () => {
    const rooms = new Set(files.map(({ room }) => room));
    expect([...rooms].filter((room) => !ROOMS.includes(room) && !(room in SHARED))).toEqual([]);
  });

  it("import only from rooms before them", () => {
    const wrong = files.flatMap(({ path, room, imports }) =>
      imports.flatMap((imported) => {
        const to = roomOf(imported);
        if (to === null || to === room || room in SHARED) return [];
        if (to in SHARED) {
          return SHARED[to]?.includes(room) ? [] : [`${path}: ${to} is not for the room ${room}`];
        }
        return ROOMS.indexOf(to) < ROOMS.indexOf(room)
          ? []
          : [
              `${path} imports ${imported}: ${to} comes after ${room}. Move what is shared to an earlier room.`,
            ];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it("name other rooms by #src, so that an import shows where it leads", () => {
    const wrong = files.flatMap(({ path, room, code }) =>
      [...code.matchAll(/from\s+["'](\.\.[^"']*)["']/g)].flatMap(([, from = ""]) => {
        const up = from.split("/").filter((part) => part === "..").length;
        const depth = path.split("/").length - 2;
        return up >= depth && !from.endsWith("package.json") ? [`${path} (${room}): ${from}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe("the pure rooms", () => {
  const pure = files.filter(({ room }) => PURE.includes(room));
  const COMPUTING = /^node:(?:crypto|net|path|util|url|buffer|assert)$/;

  it("import nothing that reads or writes", () => {
    const wrong = pure.flatMap(({ path, imports }) =>
      imports
        .filter((imported) => imported.startsWith("node:") && !COMPUTING.test(imported))
        .map((imported) => `${path} imports ${imported}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ["the time", /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/],
    ["the environment", /\bprocess\.(?:env|argv|cwd|stdout|stderr)\b/],
    ["chance", /\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/],
    ["the network", /\bfetch\(|\bconnect\(|\bcreateConnection\(|\bcreateServer\(/],
  ])("do not ask for %s: it is an argument", (_, pattern) => {
    expect(pure.filter(({ code }) => pattern.test(code)).map(({ path }) => path)).toEqual([]);
  });
});
