import { expect, test } from "vitest";
import { createInterpreter } from "../../src/index.js";

async function run(source: string): Promise<string> {
  const session = await (await createInterpreter()).open();
  const result = await session.eval(source);
  return result.status === "completed"
    ? result.text
    : result.status === "failed"
      ? result.error.message
      : "paused";
}

test.each([
  [
    "mapSettled keeps the order and what others gave",
    "JSON.stringify(await mapSettled(new Set([3, 1]), async (n, i) => { if (n === 1) throw n; return n + i }))",
    '[{"status":"fulfilled","value":3},{"status":"rejected","reason":1}]',
  ],
  ["mapSettled takes an empty list", "(await mapSettled([], () => 1)).length", "0"],
  [
    "mapSettled tells a mistake from a failure",
    "await mapSettled([1])",
    "mapSettled(items, work) needs a function.",
  ],
  [
    "mapSettled refuses a limit that would run nothing",
    "await mapSettled([1], () => 1, { concurrency: 0 })",
    "concurrency must be a number of at least 1.",
  ],
  [
    "mapSettled runs as many at a time as asked",
    "let now = 0, most = 0; await mapSettled([1, 2, 3, 4, 5], async () => { most = Math.max(most, ++now); await null; await null; now-- }, { concurrency: 2 }); most",
    "2",
  ],
  [
    "withRetries gives up with the last failure",
    "let n = 0; await withRetries(() => { throw new Error('no ' + ++n) }, { retries: 2, delayMs: 0 })",
    "no 3",
  ],
  [
    "withRetries stops at the first success",
    "let m = 0; await withRetries(() => { if (++m < 2) throw m; return 'at ' + m }, { delayMs: 0 })",
    "at 2",
  ],
  [
    "the names may be used for something else",
    "const mapSettled = 1; function withRetries() { return 2 } mapSettled + withRetries()",
    "3",
  ],
])("%s", async (_title, source, text) => {
  expect(await run(source)).toBe(text);
});
