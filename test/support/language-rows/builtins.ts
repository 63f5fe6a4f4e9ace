import type { Row } from "./row.js";

const at = (now: number) => ({ interpreter: { clock: () => now } });

export const builtinRows: readonly Row[] = [
  [
    "clones deeply",
    "const a = { m: new Map([[1, { d: new Date(0) }]]), s: new Set([1n]) }; a.self = a; const b = structuredClone(a); [b.m.get(1), b.s, b.self === b, b.m !== a.m]",
    '→ [{"d": 1970-01-01T00:00:00.000Z}, Set(1) {1n}, true, true]',
  ],
  [
    "refuses to clone a function",
    "structuredClone({ f() {} })",
    "DataCloneError: The function f could not be cloned.\n  at eval 1, line 1, column 16\n    structuredClone({ f() {} })",
  ],
  [
    "encodes text",
    "new TextEncoder().encode('é€😀')",
    "→ Uint8Array(9) [195, 169, 226, 130, 172, 240, 159, 152, 128]",
  ],
  ["decodes text", "new TextDecoder().decode(new Uint8Array([195, 169, 226, 130, 172]))", "→ é€"],
  [
    "decodes text in parts",
    "const d = new TextDecoder(); d.decode(new Uint8Array([226, 130]), { stream: true }) + d.decode(new Uint8Array([172]))",
    "→ €",
  ],
  [
    "refuses bytes that are no text",
    "new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255]))",
    /^TypeError: /,
  ],
  ["encodes base64", "btoa('hello')", "→ aGVsbG8="],
  ["decodes base64", "atob('aGVsbG8=')", "→ hello"],
  [
    "refuses base64 of wide characters",
    "btoa('€')",
    "InvalidCharacterError: btoa: the text has characters outside of the Latin1 range; encode it with TextEncoder and use Uint8Array.prototype.toBase64\n  at eval 1, line 1, column 5\n    btoa('€')",
  ],
  [
    "has base64 of bytes",
    "[new Uint8Array([1, 255]).toBase64(), Uint8Array.fromBase64('Af8=').toHex(), Uint8Array.fromHex('01ff')]",
    '→ ["Af8=", "01ff", Uint8Array(2) [1, 255]]',
  ],
  [
    "parses a URL",
    "const u = new URL('/b?x=1#h', 'https://user@a.test:8080/c'); [u.href, u.host, u.searchParams.get('x'), u.hash]",
    '→ ["https://user@a.test:8080/b?x=1#h", "a.test:8080", "1", "#h"]',
  ],
  [
    "changes a URL",
    "const u = new URL('https://a.test'); u.searchParams.append('q', 'a b&c'); u.pathname = '/é'; u.href",
    "→ https://a.test/%C3%A9?q=a+b%26c",
  ],
  [
    "refuses a URL that is none",
    "new URL('nope')",
    "TypeError: Invalid URL: \"nope\"\n  at eval 1, line 1, column 8\n    new URL('nope')",
  ],
  ["checks a URL", "[URL.canParse('https://a'), URL.canParse('x')]", "→ [true, false]"],
  [
    "reads search parameters",
    "const p = new URLSearchParams('a=1&a=2&b=%20'); [p.getAll('a'), p.get('b'), [...p.keys()], p.toString()]",
    '→ [["1", "2"], " ", ["a", "a", "b"], "a=1&a=2&b=+"]',
  ],
  [
    "makes search parameters of an object",
    "new URLSearchParams({ q: 'a b', n: '1' }).toString()",
    "→ q=a+b&n=1",
  ],
  [
    "has Array.fromAsync",
    "await Array.fromAsync((async function* () { yield 1; yield 2 })(), (x) => x * 2)",
    "→ [2, 4]",
  ],
  [
    "has groupBy",
    "Object.groupBy([1, 2, 3], (n) => n % 2 ? 'odd' : 'even')",
    '→ [Object: null prototype] {"odd": [1, 3], "even": [2]}',
  ],
  ["has Map.groupBy", "Map.groupBy([1, 2, 3], (n) => n % 2)", "→ Map(2) {1 => [1, 3], 0 => [2]}"],
  [
    "has set operations",
    "new Set([1, 2]).union(new Set([3])).size + new Set([1, 2]).intersection(new Set([2])).size",
    "→ 4",
  ],
  ["has iterator helpers", "[1, 2, 3].values().filter((n) => n > 1).map((n) => n * 2).toArray()", "→ [4, 6]"],
  [
    "has changing copies of arrays",
    "const a = [3, 1]; [a.toSorted(), a.with(0, 9), a.toReversed(), a.toSpliced(0, 1), a.at(-1), a.findLast((n) => n > 2)]",
    "→ [[1, 3], [9, 1], [1, 3], [1], 1, 3]",
  ],
  [
    "has Promise.withResolvers and try",
    "const r = Promise.withResolvers(); r.resolve(1); [await r.promise, typeof Promise.try]",
    '→ [1, "function"]',
  ],
  [
    "has replaceAll, padStart, at, isWellFormed",
    "['a-a'.replaceAll('a', 'b'), '5'.padStart(3, '0'), 'abc'.at(-1), 'a\\ud800'.isWellFormed(), 'a\\ud800'.toWellFormed().length]",
    '→ ["b-b", "005", "c", false, 2]',
  ],
  [
    "has named groups and matchAll",
    "[...'a1b2'.matchAll(/(?<l>[a-z])(?<n>\\d)/g)].map((m) => m.groups.l + m.groups.n)",
    '→ ["a1", "b2"]',
  ],
  [
    "has lookbehind and unicode properties",
    "['€5'.match(/(?<=€)\\d/)[0], /\\p{Lu}/u.test('É'), /[\\p{L}--[a-z]]/v.test('a')]",
    '→ ["5", true, false]',
  ],
  [
    "has WeakRef and FinalizationRegistry",
    "[typeof WeakRef, typeof FinalizationRegistry, new WeakRef(globalThis).deref() === globalThis]",
    '→ ["function", "function", true]',
  ],
  [
    "has typed arrays of all kinds",
    "[Uint8ClampedArray.of(300), Float64Array.of(0.5), BigUint64Array.of(1n)].map(String)",
    '→ ["255", "0.5", "1"]',
  ],
  [
    "has resizable buffers",
    "const b = new ArrayBuffer(2, { maxByteLength: 4 }); b.resize(3); b.byteLength",
    "→ 3",
  ],
  ["has Atomics or not", "typeof Atomics", /→ (?:object|"undefined")/],
  [
    "has events",
    "const t = new EventTarget(); let n = 0; t.addEventListener('x', () => n++, { once: true }); t.dispatchEvent(new Event('x')); t.dispatchEvent(new Event('x')); n",
    "→ 1",
  ],
  [
    "aborts with a reason",
    "const c = new AbortController(); c.signal.addEventListener('abort', () => console.log('heard')); c.abort('why'); c.signal.reason",
    "heard\n→ why",
  ],
  [
    "throws if aborted",
    "AbortSignal.abort().throwIfAborted()",
    "AbortError: This operation was aborted\n  at eval 1, line 1, column 18\n    AbortSignal.abort().throwIfAborted()",
  ],
  [
    "combines signals",
    "const c = new AbortController(); const s = AbortSignal.any([c.signal]); c.abort(); s.aborted",
    "→ true",
  ],
  [
    "aborts after a time",
    "const s = AbortSignal.timeout(1); await new Promise((r) => setTimeout(r, 5)); s.aborted",
    "→ true",
  ],
  ["has queueMicrotask", "let m = 0; queueMicrotask(() => { m = 1 }); await 0; m", "→ 1"],
  [
    "has crypto.randomUUID",
    "/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())",
    "→ true",
  ],
  ["has crypto.getRandomValues", "crypto.getRandomValues(new Uint8Array(4)).length", "→ 4"],
  [
    "makes dates of given values",
    "new Date('2024-02-29T12:00:00Z').toISOString()",
    "→ 2024-02-29T12:00:00.000Z",
  ],
  [
    "makes dates in UTC",
    "const d = new Date(2024, 0, 31, 10); [d.toISOString(), d.getHours(), d.getTimezoneOffset()]",
    '→ ["2024-01-31T10:00:00.000Z", 10, 0]',
  ],
  [
    "parses dates",
    "[Date.parse('2024-01-01'), Date.parse('2024-01-01T00:00:00+02:00'), Date.UTC(1970, 0, 2)]",
    "→ [1704067200000, 1704060000000, 86400000]",
  ],
  ["calculates with dates", "(new Date('2024-03-01') - new Date('2024-02-01')) / 864e5", "→ 29"],
  [
    "has a clock where the app gives one",
    "[Date.now(), new Date().toISOString()]",
    '→ [86400000, "1970-01-02T00:00:00.000Z"]',
    at(86400000),
  ],
  ["calls Date as a function with a clock", "Date()", /^→ Fri Jan 02 1970 00:00:00 GMT\+0000/, at(86400000)],
  ["measures with a clock", "console.time('t'); console.timeEnd('t')", /^t: 0(?:\.0+)? ?ms$/, at(5)],
  ["has performance with a clock", "performance.now()", "→ 0", at(1000)],
  ["formats numbers", "(1234567.891).toLocaleString('en-US')", "→ 1,234,567.891"],
  [
    "formats numbers of other languages",
    "new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(1234.5)",
    "→ 1.234,50\u00a0€",
  ],
  [
    "formats percentages",
    "new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 }).format(0.1234)",
    "→ 12.3%",
  ],
  ["formats compactly", "new Intl.NumberFormat('en-US', { notation: 'compact' }).format(12345)", "→ 12K"],
  ["formats BigInt", "(12345678901234567890n).toLocaleString('en-US')", "→ 12,345,678,901,234,567,890"],
  [
    "formats dates in a language",
    "new Date(0).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' })",
    "→ January 1, 1970",
  ],
  [
    "formats dates in a time zone",
    "new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', dateStyle: 'short', timeStyle: 'short' }).format(new Date(0))",
    "→ 01/01/1970, 09:00",
  ],
  [
    "formats dates in parts",
    "new Intl.DateTimeFormat('en-US', { year: 'numeric', timeZone: 'UTC' }).formatToParts(new Date(0))",
    '→ [{"type": "year", "value": "1970"}]',
  ],
  [
    "formats relative times",
    "new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day')",
    "→ yesterday",
  ],
  [
    "formats lists",
    "new Intl.ListFormat('en', { type: 'conjunction' }).format(['a', 'b', 'c'])",
    "→ a, b, and c",
  ],
  [
    "selects plurals",
    "['one', 'two', 'few', 'other'].includes(new Intl.PluralRules('en', { type: 'ordinal' }).select(2))",
    "→ true",
  ],
  ["collates", "['z', 'ä', 'a'].sort(new Intl.Collator('de').compare)", '→ ["a", "ä", "z"]'],
  [
    "compares with a language",
    "['b', 'a', 'C'].sort((x, y) => x.localeCompare(y, 'en', { sensitivity: 'base' }))",
    '→ ["a", "b", "C"]',
  ],
  [
    "compares with numbers",
    "['a10', 'a2'].sort((x, y) => x.localeCompare(y, undefined, { numeric: true }))",
    '→ ["a2", "a10"]',
  ],
  ["segments text", "[...new Intl.Segmenter('en', { granularity: 'word' }).segment('Hi you')].length", "→ 3"],
  ["names languages and regions", "new Intl.DisplayNames('en', { type: 'region' }).of('DE')", "→ Germany"],
  [
    "refuses a time zone that does not exist",
    "new Date(0).toLocaleString('en-US', { timeZone: 'No/Where' })",
    /^RangeError: /,
  ],
  ["refuses a language that is none", "(1).toLocaleString('not a locale')", /^RangeError: /],
  ["changes case by language", "['I'.toLocaleLowerCase('tr'), 'ß'.toLocaleUpperCase('de')]", '→ ["ı", "SS"]'],
  ["normalises text", "'e\\u0301'.normalize('NFC').length", "→ 1"],
  [
    "sorts stably",
    "[{ k: 1, v: 'a' }, { k: 0, v: 'b' }, { k: 1, v: 'c' }].sort((a, b) => a.k - b.k).map((r) => r.v).join('')",
    "→ bac",
  ],
  [
    "writes JSON",
    "JSON.stringify({ a: [1, undefined, () => 1, NaN], d: new Date(0), u: undefined }, null, 1)",
    '→ {\n "a": [\n  1,\n  null,\n  null,\n  null\n ],\n "d": "1970-01-01T00:00:00.000Z"\n}',
  ],
  ["refuses BigInt in JSON", "JSON.stringify({ a: 1n })", /^TypeError: /],
  [
    "reads JSON with a reviver",
    "JSON.parse('[1,2]', (k, v) => typeof v === 'number' ? v * 2 : v)",
    "→ [2, 4]",
  ],
  ["encodes URIs", "[encodeURIComponent('a b/é'), decodeURI('%C3%A9')]", '→ ["a%20b%2F%C3%A9", "é"]'],
  [
    "calculates as IEEE 754",
    "[0.1 + 0.2 === 0.3, Math.hypot(3, 4), Math.sign(-3), Math.trunc(-4.7), Number.EPSILON > 0, Math.clz32(1)]",
    "→ [false, 5, -1, -4, true, 31]",
  ],
  [
    "parses numbers",
    "[Number('0x1f'), Number(''), Number('1_0'), parseInt('08'), parseFloat('3.5kg'), (255).toString(16), (0.000001234).toFixed(8)]",
    '→ [31, 0, NaN, 8, 3.5, "ff", "0.00000123"]',
  ],
  [
    "repeats random numbers with a seed",
    "[Math.random(), Math.random(), crypto.randomUUID()].length",
    "→ 3",
    { interpreter: { random: 7 } },
  ],
  ["has Symbol.dispose or not", "typeof Symbol.dispose", '→ "undefined"'],
  [
    "has error helpers",
    "[Error.isError?.(new Error()), new Error('a', { cause: 1 }).cause, new AggregateError([1]).errors]",
    "→ [true, 1, [1]]",
  ],
  ["limits repeat()", "'x'.repeat(2 ** 30).length", /^(?:RangeError|Out of memory|InternalError): /],
];
