import { expect, test } from "vitest";
import { openBuiltins } from "../../support/builtins-guest.js";

/** Replaces every method and accessor that a guest can reach, apart from those of its own test harness. */
const poison = `
  const boom = function () { throw new Error("poisoned"); };
  for (const owner of [Array, Object, String, Map, Set, RegExp, Promise, Function, Number, Date, JSON, Reflect, ArrayBuffer, DataView, Uint8Array, Uint16Array, Object.getPrototypeOf(Uint8Array), Symbol, WeakMap, WeakSet, Iterator, BigInt, Error, TypeError, RangeError]) {
    for (const target of [owner, owner.prototype]) {
      if (!target) continue;
      for (const key of Reflect.ownKeys(target)) {
        if (["constructor", "prototype", "then", "__proto__", "stack", "message"].includes(key)) continue;
        const d = Object.getOwnPropertyDescriptor(target, key);
        if (!d.configurable || (typeof d.value !== "function" && !d.get)) continue;
        poisons.push([target, key, d.get ? { get: boom, configurable: true } : { value: boom, configurable: true, writable: true }]);
      }
    }
  }
  const define = Object.defineProperty, apply = Reflect.apply, n = poisons.length;
  for (let i = 0; i < n; i++) define(poisons[i][0], poisons[i][1], poisons[i][2]);
`;

const uses: readonly (readonly [string, unknown])[] = [
  ["structuredClone({ a: new Date(5) }).a instanceof Date", true],
  ["structuredClone({ b: { c: 1 } }).b.c", 1],
  ['btoa("abc")', "YWJj"],
  ['atob("YWJj")', "abc"],
  ['new TextEncoder().encode("é")[0]', 0xc3],
  ["new TextDecoder().decode(bytes)", "é"],
  ['new URL("https://a.example/x?y=1").searchParams.get("y")', "1"],
  ['new URLSearchParams("a=1 2").get("a")', "1 2"],
  ["const c = new AbortController(); c.abort(5); c.signal.reason", 5],
  ['new Intl.Collator().compare("a", "B")', -1],
  ['new Intl.NumberFormat("en-US").format(1234)', "1,234"],
  ["typeof crypto.randomUUID()", "string"],
  ["typeof Math.random()", "number"],
  ["new DOMException('m', 'AbortError').code", 20],
];

test.each(uses)("with every prototype poisoned, %s still works", async (source, expected) => {
  const guest = await openBuiltins();
  const poisoned = guest.run(
    `globalThis.poisons = []; globalThis.bytes = new Uint8Array([0xc3, 0xa9]); (() => { ${poison} return n; })()`,
  );
  expect(poisoned).toBeGreaterThan(300);
  expect(guest.run(source)).toEqual(expected);
});
