// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are the shell's own variables
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellCommands } from "#src/kubernetes/shell-words.ts";

function texts(script: string, environment: Record<string, string | null> = {}): string[][] {
  return shellCommands(script, environment).map((command) => command.map(({ text }) => text));
}

describe("shellCommands", () => {
  it.each<[string, string[][]]>([
    ["a 'b c' \"d e\" f\\ g", [["a", "b c", "d e", "f g"]]],
    ["a; b && c || d | e & f\ng", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]],
    ["a >x 2>&1 1>>y <z &>w b", [["a", "b"]]],
    ["a 2 >x", [["a", "2"]]],
    ["a # b\nc#d", [["a"], ["c#d"]]],
    ["a \\\n  b \\\r\n  c", [["a", "b", "c"]]],
    ["cat <<EOF\nx y\nEOF\nb", [["cat"], ["b"]]],
    ["cat <<-'EOF' | tee f\n\tx\n\tEOF\nb", [["cat"], ["tee", "f"], ["b"]]],
    ["if a; then b; else c; fi", [["a"], ["b"], ["c"], ["fi"]]],
    ["(a; b)", [["a"], ["b"]]],
    ["X=1 Y='2 3'; a $X \"$Y\" $Y", [["a", "1", "2 3", "2", "3"]]],
    ["X=1 a; b $X", [["a"], ["b", "$(X)"]]],
    ["export X=1\na ${X} ${Z:-d} ''", [["a", "1", "d", ""]]],
    ["a $(b $(c)) `d`", [["a", "$(b $(c))", "$(d)"]]],
    ['a "$5" $ "\\$X"', [["a", "$(5)", "$", "$X"]]],
    ["a 'never closed", [["a", "never closed"]]],
    ["", []],
  ])("%j", (script, commands) => {
    expect(texts(script)).toEqual(commands);
  });

  it("splits an unquoted variable and drops an empty one", () => {
    expect(texts('a $F $E "$E" x$F', { F: "1 2", E: "" })).toEqual([["a", "1", "2", "", "x1", "2"]]);
  });

  it("ends, whatever it reads", () => {
    const pieces = fc.constantFrom(
      ..."abX=1 \t\n\r\v\f\u00a0'\"\\$(){}`;&|<>#-".split(""),
      "${X}",
      "<<E",
      "$(",
      "2>&1",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        shellCommands(parts.join(""), { X: "1 2" });
      }),
      { numRuns: 2000 },
    );
  });
});
