import { expect, test } from "vitest";
import { openBuiltins } from "../../support/builtins-guest.js";
import { sameAsHost, table } from "../../support/same-as-host.js";

table("A built-in that cannot be interrupted refuses sizes that are known to be too much", [
  [
    '"x".repeat(5e8)',
    "RangeError: String.prototype.repeat: a length of 500000000 is over the limit of 100000000",
  ],
  [
    '"x".padEnd(5e8)',
    "RangeError: String.prototype.padEnd: a length of 500000000 is over the limit of 100000000",
  ],
  ['"x".padStart(5e8)', /^RangeError: String\.prototype\.padStart/],
  [
    'new Array(50000000) + ""',
    "RangeError: Array.prototype.join: a length of 50000000 is over the limit of 20000000",
  ],
  ["Array(1e9).indexOf(1)", /^RangeError: Array\.prototype\.indexOf/],
  ["Array(1e9).includes(1)", /^RangeError: Array\.prototype\.includes/],
  ["Array(1e9).lastIndexOf(1)", /^RangeError/],
  ["Array(1e9).reverse()", /^RangeError/],
  ["Array(1e9).slice(1)", /^RangeError/],
  ["Array(1e9).splice(0, 1)", /^RangeError/],
]);

sameAsHost("The guarded built-ins are otherwise the engine's own", [
  '["ab".repeat(3), "".repeat(5), "x".repeat(0)]',
  '"x".repeat(-1)',
  '"x".repeat(Infinity)',
  "String.prototype.repeat.call(12, 2)",
  "String.prototype.repeat.call(null, 2)",
  '["x".padStart(5, "ab"), "x".padEnd(3), "x".padEnd(), "x".padStart("4")]',
  '[1, null, undefined, [2, 3]].join("-")',
  "[[1, 2, 3].indexOf(2, -2), [NaN].includes(NaN), [1, 2, 1].lastIndexOf(1)]",
  "(() => { const a = [1, 2, 3, 4]; return [a.splice(1, 2, 9), a, a.slice(-1), a.reverse()]; })()",
  'Array.prototype.join.call({ length: 2, 0: "a", 1: "b" })',
  "Array.prototype.slice.call('abc')",
  '["abcabc".indexOf("c", 3), "abc".indexOf("", 9), "abc".includes("b"), "abc".indexOf("z")]',
  '"abc".includes(/b/)',
  "String([1, [2]])",
  "String(Array(3))",
]);

test("a search for a long text finds what the engine's own search finds", async () => {
  const guest = await openBuiltins();
  const source = (needle: string, from = "") =>
    `(() => { const text = "a".repeat(150000) + "b" + "a".repeat(3000) + "c"; return text.indexOf(${needle}${from}); })()`;
  const text = `${"a".repeat(150_000)}b${"a".repeat(3000)}c`;
  expect(guest.run(source('"a".repeat(1500) + "b"'))).toBe(text.indexOf(`${"a".repeat(1500)}b`));
  expect(guest.run(source('"a".repeat(1500) + "c"'))).toBe(text.indexOf(`${"a".repeat(1500)}c`));
  expect(guest.run(source('"a".repeat(1500) + "d"'))).toBe(-1);
  expect(guest.run(source('"a".repeat(1500)', ", 149000"))).toBe(text.indexOf("a".repeat(1500), 149_000));
  expect(guest.run('("a".repeat(2e5) + "b").includes("a".repeat(2000) + "b")')).toBe(true);
});
