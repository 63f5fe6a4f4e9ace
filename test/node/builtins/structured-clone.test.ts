import { sameAsHost, table } from "../../support/same-as-host.js";

const refused = (value: string, options = "") =>
  `(() => { try { structuredClone(${value}${options}); return "cloned"; } catch (e) { return [e.name, e.code, e instanceof DOMException]; } })()`;

sameAsHost("structuredClone copies as the host does", [
  'structuredClone({ a: 1, b: [1, , "x", null], c: { d: true } })',
  "(() => { const o = { n: 1 }; o.self = o; const c = structuredClone(o); return [c !== o, c.self === c, c.n]; })()",
  "(() => { const s = {}; const c = structuredClone([s, s]); return [c[0] === c[1], c[0] !== s]; })()",
  "(() => { const c = structuredClone(new Map([[{ k: 1 }, new Set([1, 2])]])); const [k, v] = [...c][0]; return [c instanceof Map, k, v instanceof Set, [...v]]; })()",
  "(() => { const m = new Map(); m.set(m, m); const c = structuredClone(m); return [c.get(c) === c, c !== m]; })()",
  "(() => { const c = structuredClone(new Date(5)); return [c instanceof Date, c.getTime()]; })()",
  "isNaN(structuredClone(new Date(NaN)))",
  "(() => { const r = /a(b)/giy; r.lastIndex = 3; const c = structuredClone(r); return [c.source, c.flags, c.lastIndex]; })()",
  "(() => { const c = structuredClone(new Float32Array([1.5, 2])); return [c instanceof Float32Array, Array.from(c)]; })()",
  "(() => { const b = new ArrayBuffer(8); const c = structuredClone({ b, v: new Uint8Array(b, 2, 3), d: new DataView(b, 1) }); return [c.v.buffer === c.b, c.d.buffer === c.b, c.b !== b, c.v.byteOffset, c.v.length, c.d.byteOffset, c.d.byteLength]; })()",
  "Array.from(structuredClone(new BigInt64Array([1n, -1n])), String)",
  "String(structuredClone(10n))",
  '(() => { const c = structuredClone([new Number(1), new String("s"), new Boolean(false), Object(5n)]); return [c.map((x) => typeof x), c.map(String)]; })()',
  "Object.is(structuredClone(-0), -0)",
  "structuredClone(undefined)",
  "structuredClone(null)",
  "(() => { const a = [1, , 3]; a.extra = 1; const c = structuredClone(a); return [1 in c, c.length, c.extra]; })()",
  "structuredClone(new Array(5)).length",
  '(() => { const c = structuredClone(new TypeError("m", { cause: new RangeError("c") })); return [c instanceof TypeError, c.name, c.message, Object.keys(c)]; })()',
  '(() => { class E extends Error { name = "E"; extra = 1; } const c = structuredClone(new E("m")); return [c.name, c.message, c.extra ?? null, Object.getPrototypeOf(c) === Error.prototype]; })()',
  "(() => { class P { x = 1; get y() { return 2; } } const c = structuredClone(new P()); return [c, Object.getPrototypeOf(c) === Object.prototype]; })()",
  "structuredClone({ get a() { return 7; } })",
  'structuredClone(Object.defineProperty({ a: 1 }, "hidden", { value: 1 }))',
  "structuredClone({ [Symbol()]: 1, a: 1 })",
  'JSON.stringify(structuredClone(JSON.parse(\'{"__proto__": {"x": 1}}\')))',
  "structuredClone((function () { return arguments; })(1, 2))",
  refused("() => 1"),
  refused("{ f() {} }"),
  refused('Symbol("s")'),
  refused("Promise.resolve()"),
  refused("new WeakMap()"),
  refused("[new WeakSet()]"),
  refused("new WeakRef({})"),
  refused("(function* () {})()"),
  refused("new Proxy({}, {})"),
  refused("Object(Symbol())"),
  "structuredClone()",
  "(() => { const b = new ArrayBuffer(4); const c = structuredClone({ b, v: new Uint8Array(b, 1, 2) }, { transfer: [b] }); return [b.byteLength, c.b.byteLength, c.v.byteOffset, c.v.length]; })()",
  "(() => { const b = new ArrayBuffer(4); try { structuredClone({ b, f() {} }, { transfer: [b] }); } catch {} return b.byteLength; })()",
  "(() => { const b = new ArrayBuffer(1); try { structuredClone(1, { transfer: [b, b] }); } catch (e) { return [e.name, b.byteLength]; } })()",
]);

table("structuredClone, where hosts differ or the message matters", [
  ['structuredClone(new Error("m", { cause: { why: 1 } })).cause', { why: 1 }],
  ["const e = new Error('m'); e.cause = e; const c = structuredClone(e); c.cause === c", true],
  [refused("1", ", { transfer: [{}] }"), ["DataCloneError", 25, true]],
  [refused("1", ", { transfer: [new Uint8Array(1)] }"), ["DataCloneError", 25, true]],
  ["structuredClone({ f: function named() {} })", "DataCloneError: The function named could not be cloned."],
  [
    "let deep = null; for (let i = 0; i < 50000; i++) deep = { deep }; let copy = structuredClone(deep), n = 0; while (copy) { copy = copy.deep; n++; } n",
    50000,
  ],
  [
    "Map.prototype.forEach = Map.prototype.get = Array.prototype.push = Object.keys = () => { throw 1; }; const m = structuredClone({ m: new Map([[1, 2]]) }).m; m.size",
    1,
  ],
]);
