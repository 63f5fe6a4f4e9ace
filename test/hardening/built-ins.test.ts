import { beforeAll, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import { evalCode, evalValue, expectHealthy } from "../support/results.js";

let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter({ limits: { memoryLimitBytes: 32 * 1024 * 1024 } });
});

/** Single calls that nothing can interrupt: refused beforehand, or ended by the memory limit. */
test.each([
  ["'x'.repeat(5e8).length"],
  ["'x'.padEnd(5e8).length"],
  ["new Array(5e7) + ''"],
  ["Array(1e9).indexOf(1)"],
  ["Array(1e9).reverse()"],
  ["1n << 100000000n"],
  ["7n ** 10000000n"],
  ["'a'.repeat(1e6).split('a'.repeat(5e5) + 'b').length"],
  ["'a'.repeat(1e6).replaceAll('a'.repeat(5e5) + 'b', '').length"],
  ["'a'.repeat(1e6).lastIndexOf('b' + 'a'.repeat(5e5))"],
  ["'ab'.repeat(1e7).replaceAll('a', 'bb').length"],
  ["Array.from({ length: 1e9 }).length"],
  ["new Uint8Array(1e10).length"],
  ["JSON.stringify(Array(3e6).fill({ a: 1 })).length"],
])("%s ends soon, and the session goes on", async (source) => {
  const session = await interpreter.open();
  expect(["GUEST_THROW", "MEMORY", "TIMEOUT"]).toContain(
    await evalCode(session, source, { limits: { executionTimeoutMs: 300 } }),
  );
  await expectHealthy(session);
  session.dispose();
});

test("searches as programs make them are not refused", async () => {
  const session = await interpreter.open();
  const source =
    "const text = 'line of text\\n'.repeat(2e5); [text.split('\\n').length, text.replaceAll('line', 'LINE').length, text.lastIndexOf('text')]";
  expect(await evalValue(session, source)).toEqual([200_001, 2_600_000, 2_599_995]);
});
