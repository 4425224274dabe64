import fc from "fast-check";

/** The name that must be shown literally wherever it turns up. */
export const EVIL = "<!channel> *x* & <http://evil|click>";

/** Names and texts as a hostile or careless cluster writes them, from empty to far past every limit. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.string({ unit: fc.constantFrom(..."<>&|!@#*_~`:\n\r\t \u202e\u200b\ud800\u0000😀é"), maxLength: 60 }),
  fc.constantFrom(
    EVIL,
    "",
    " ",
    "\u200b",
    "&amp;",
    "```",
    "<@U12345678>",
    ":fire:",
    "> quote",
    "__proto__",
    "é".normalize("NFD"),
  ),
  fc
    .tuple(
      fc.constantFrom("a", "&", "<", "😀", "\u202e", "x y ", "line\n", "`", "`` ```\n"),
      fc.nat({ max: 5_000 }),
    )
    .map(([unit, times]) => unit.repeat(times)),
);
