import { expect, test } from "vitest";
import { openBuiltins } from "../../support/builtins-guest.js";
import { table } from "../../support/same-as-host.js";

const three = "[Math.random(), Math.random(), Math.random()]";

test("Math.random repeats for a seed, in every guest, and differs for another", async () => {
  const one = await openBuiltins();
  const two = await openBuiltins();
  expect(one.run(three)).toEqual(two.run(three));
  expect(one.run(`reseedForTest("a"); ${three}`)).toEqual(two.run(`reseedForTest("a"); ${three}`));
  expect(one.run(`reseedForTest("b"); ${three}`)).not.toEqual(two.run(`reseedForTest("c"); ${three}`));
  expect(one.asked).toEqual([]);
});

table("Math.random is a fair number from 0 to below 1", [
  [
    "reseedForTest('x'); const seen = Array.from({ length: 20000 }, () => Math.random()); [seen.every((x) => x >= 0 && x < 1), Math.round((10 * seen.reduce((a, b) => a + b)) / 20000), new Set(seen).size]",
    [true, 5, 20000],
  ],
  [
    "const bins = new Array(16).fill(0); for (let i = 0; i < 32000; i++) bins[Math.floor(Math.random() * 16)]++; bins.every((n) => n > 1800 && n < 2200)",
    true,
  ],
  [
    "const starts = new Set(); for (let i = 0; i < 500; i++) { reseedForTest(String(i)); starts.add(Math.random()); } starts.size",
    500,
  ],
]);

table("crypto", [
  ["crypto.randomUUID()", /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ["crypto.randomUUID() === crypto.randomUUID()", false],
  ["const a = new Uint8Array(32); [crypto.getRandomValues(a) === a, a.some((x) => x)]", [true, true]],
  [
    "const b = new Uint32Array(8); const v = b.subarray(2, 4); crypto.getRandomValues(v); [b[0], b[1], b[4], v.some((x) => x > 255)]",
    [0, 0, 0, true],
  ],
  ["crypto.getRandomValues(new Float64Array(1))", /^TypeMismatchError/],
  [
    "crypto.getRandomValues(new Uint8Array(65537))",
    "QuotaExceededError: crypto.getRandomValues: at most 65536 bytes at once, not 65537",
  ],
  ["crypto.getRandomValues([1])", /^TypeError/],
  ["crypto.getRandomValues(new Uint8Array(65536)).length", 65536],
]);
