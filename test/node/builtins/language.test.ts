import { sameAsHost, table } from "../../support/same-as-host.js";

table("Array.fromAsync", [
  ["await Array.fromAsync([1, Promise.resolve(2), 3])", [1, 2, 3]],
  ["await Array.fromAsync((async function* () { yield 1; yield 2; })())", [1, 2]],
  ["await Array.fromAsync(new Set([1, 2]), async (x, i) => x * 10 + i)", [10, 21]],
  ["await Array.fromAsync({ length: 2, 0: Promise.resolve('a'), 1: 'b' })", ["a", "b"]],
  ["await Array.fromAsync([1], function (x) { return this.n + x; }, { n: 5 })", [6]],
  ["await Array.fromAsync([Promise.reject(new RangeError('no'))])", "RangeError: no"],
  ["await Array.fromAsync(null)", /^TypeError/],
  ["await Array.fromAsync([1], 5)", /^TypeError/],
  ["[Array.fromAsync.length, Array.fromAsync.name, Object.keys(Array)]", [1, "fromAsync", []]],
  ["class L extends Array {} (await L.fromAsync([1])) instanceof L", true],
]);

sameAsHost("What the engine has of newer ECMAScript works", [
  "[[3, 1].toSorted(), [1, 2].toReversed(), [1, 2].with(0, 9), [1, 2, 3].toSpliced(1, 1), [1, 2, 3].findLast((x) => x < 3)]",
  "['a\\ud800'.isWellFormed(), 'a\\ud800'.toWellFormed()]",
  "new Error('m', { cause: 5 }).cause",
  "[1, 2, 3].at(-1)",
  "Object.hasOwn({ a: 1 }, 'a')",
  "'aXbX'.replaceAll('X', '-')",
  "structuredClone(new Error('m')).message",
  "['e\\u0301'.normalize().length, '\\u00e9'.normalize('NFD').length]",
]);

table("What hosts do not all have yet", [
  ["const r = Promise.withResolvers(); r.resolve(5); await r.promise", 5],
  ["Object.groupBy([1, 2, 3], (x) => (x % 2 ? 'odd' : 'even'))", { odd: [1, 3], even: [2] }],
  [
    "[...Map.groupBy([1, 2, 3], (x) => x % 2)]",
    [
      [1, [1, 3]],
      [0, [2]],
    ],
  ],
  ["await Promise.try((x) => x + 1, 1)", 2],
  ["await Promise.try(() => { throw new TypeError('t'); })", "TypeError: t"],
  ["[...new Set([1, 2]).union(new Set([3]))]", [1, 2, 3]],
  ["[...new Set([1, 2]).intersection(new Set([2]))]", [2]],
  ["new Set([1]).isSubsetOf(new Set([1, 2]))", true],
  ["[1, 2, 3, 4].values().filter((x) => x % 2).map((x) => x * 2).toArray()", [2, 6]],
  ["Iterator.from([1, 2, 3]).drop(1).take(1).toArray()", [2]],
  ["[5, 6, 7].values().map((x) => x * 2).take(2).toArray()", [10, 12]],
  ["new Set([5, 6]).values().filter(Boolean).some((x) => x === 5)", true],
  ["const out = []; for (const x of [1, 2, 3].values().map((x) => x)) { out.push(x); break; } out", [1]],
  [
    "const h = [1, 2].values().map((x) => x); h.next(); [h.return(), h.next()]",
    [{ done: true }, { done: true }],
  ],
  [
    "let ended = 0; const source = { __proto__: Iterator.prototype, next() { return { value: 1, done: false }; }, return() { ended++; return {}; } }; [...source.map((x) => x).take(2)].length + ended",
    3,
  ],
  [
    "const bad = { __proto__: Iterator.prototype, next() { return { value: 1, done: false }; }, return() { null(); } }; bad.map((x) => x).take(1).toArray()",
    "TypeError: not a function",
  ],
]);

table("What is not there stays undefined", [
  [
    '["Blob", "FormData", "Headers", "Request", "Response", "fetch", "require", "process", "fs", "print", "alert", "XMLHttpRequest", "WebSocket", "localStorage", "document", "window", "Deno", "Bun", "Buffer", "module", "exports", "__dirname"].filter((name) => typeof globalThis[name] !== "undefined")',
    [],
  ],
]);

table("Built-ins look like built-ins", [
  [
    "BUILT = ['URL', 'Date', 'Intl', 'structuredClone', 'crypto']; BUILT.filter((n) => { const d = Object.getOwnPropertyDescriptor(globalThis, n); return d.enumerable || !d.writable || !d.configurable; })",
    [],
  ],
  [
    "[URL.name, URLSearchParams.name, AbortSignal.name, TextDecoder.name, DOMException.name, Event.name, Intl.NumberFormat.name]",
    ["URL", "URLSearchParams", "AbortSignal", "TextDecoder", "DOMException", "Event", "NumberFormat"],
  ],
  [
    "[structuredClone.name, atob.length, queueMicrotask.length, ''.repeat.name, ''.padEnd.length, [].join.name, ''.indexOf.length]",
    ["structuredClone", 1, 1, "repeat", 1, "join", 1],
  ],
  ["Object.keys(URL.prototype).length + Object.keys(Date).length + Object.keys(Math).length", 0],
  ["const out = []; for (const k in [1]) out.push(k); for (const k in 'a') out.push(k); out", ["0", "0"]],
]);
