import fc from "fast-check";
import { expect, test } from "vitest";
import { FRAMING } from "../../src/result/framing.js";
import { openRawGuest } from "../support/raw-engine.js";

/** What the prelude decides with steps that are cheap for its engine, said as patterns. */
function needsQuotes(text: string): boolean {
  const otherValue = /^(?:undefined|null|\s*)$|^(?:→|… \[)/;
  const unprintable =
    /[\0-\x08\x0b\x0c\x0e-\x1f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
  if (otherValue.test(text) || unprintable.test(text)) return true;
  const lineBreak = /[\n\r\u2028\u2029]/.exec(text);
  if (lineBreak === null) return false;
  return FRAMING.test(text.slice(lineBreak.index + 1)) || /(?:^|\n)\([^\n]*\)\s*$/.test(text);
}

const parts = [
  ...'ab \t\n\r\u2028\u2029\0\b\f\x1b\x7f"\\()[]{}→…é😀\ud83d\ude00:',
  ...[
    "undefined",
    "null",
    "→ 1",
    "… [",
    "[log] ",
    "Uncaught ",
    "Error: ",
    "  at eval 1",
    "\n(a note)",
    "\n(",
  ],
  ...["\\u0000", "\\b", "\\n", "\r\n", " \n "],
];

test("a string stands without quotes exactly where it reads as itself", async () => {
  const guest = await openRawGuest(`
    import { needsQuotes } from "./quote.js";
    export const show = (text) => (needsQuotes(text) ? '"quoted"' : '"raw"');
    export const caught = show;
  `);
  try {
    const texts = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((chosen) => chosen.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        expect(guest.run(JSON.stringify(text))).toBe(needsQuotes(text) ? "quoted" : "raw");
      }),
      { numRuns: 3000 },
    );
  } finally {
    guest.dispose();
  }
});
