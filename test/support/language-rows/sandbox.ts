import type { Row } from "./row.js";

export const sandboxRows: readonly Row[] = [
  ["has no clock", "try { Date.now() } catch { 'none' }", "→ none"],
  ["has no performance clock", "try { performance.now() } catch { 'none' }", "→ none"],
  ["has random numbers", "Math.random() === Math.random()", "→ false"],
  [
    "has random numbers from 0 to 1",
    "Array.from({ length: 100 }, Math.random).every((n) => n >= 0 && n < 1)",
    "→ true",
  ],
  [
    "has no way out",
    "['fetch','require','process','WebAssembly','SharedArrayBuffer','Worker','XMLHttpRequest','WebSocket','Deno','Bun','navigator','document','window','importScripts','std','os','print','scriptArgs','bjson'].filter((k) => k in globalThis)",
    '→ ["SharedArrayBuffer"]',
  ],
  ["shows no names of the host", "Object.keys(globalThis)", "→ []"],
  ["shows names of the code only", ["var mine = 1", "Object.keys(globalThis)"], '→ ["mine"]'],
  ["has no session id", "typeof __sessionId__", '→ "undefined"'],
  [
    "cannot be spoofed by toJSON",
    ['Object.prototype.toJSON=()=>"HACK"; ({a:1})', "({b:2})"],
    ['→ {"a": 1}', '→ {"b": 2}'],
  ],
  ["cannot be spoofed by then", ['Object.prototype.then=function(r){r("T")}; 1', "({a:1})"], '→ {"a": 1}'],
  ["cannot be spoofed by JSON.stringify", ["JSON.stringify = () => 'HACK'; 1", "({a:1})"], '→ {"a": 1}'],
  [
    "cannot be spoofed by Array methods",
    [
      "for (const k of ['join', 'map', 'push', 'slice', 'concat']) Array.prototype[k] = () => 'HACK'; 1",
      "[1, { a: 2 }]",
    ],
    '→ [1, {"a": 2}]',
  ],
  [
    "cannot be spoofed by String methods",
    [
      "for (const k of ['slice', 'replace', 'split', 'indexOf']) String.prototype[k] = () => 'HACK'; 1",
      "['a\"b']",
    ],
    '→ ["a\\"b"]',
  ],
  [
    "cannot be spoofed by Promise.prototype.then",
    ["Promise.prototype.then = () => { throw 1 }; 1", "await 5"],
    "→ 5",
  ],
  [
    "says what a getter on Object.prototype spoils",
    ["Object.defineProperty(Object.prototype, 'value', { get() { return 'HACK' }, configurable: true }); 1"],
    /^TypeError: Object\.prototype was given a `then` or `value`/,
  ],
  [
    "takes such a getter away for the next eval",
    [
      "Object.defineProperty(Object.prototype, 'value', { get() { return 'HACK' }, configurable: true }); 1",
      "2",
    ],
    "→ 2",
  ],
  [
    "cannot be spoofed by Symbol.iterator",
    ["Array.prototype[Symbol.iterator] = function* () { yield 'HACK' }; 1", "console.log('a', [1]); [2]"],
    "a [1]\n→ [2]",
  ],
  [
    "cannot be spoofed by Error.prepareStackTrace",
    ["Error.prepareStackTrace = () => 'HACK'; 1", "throw new Error('real')"],
    /^Error: real/,
  ],
  [
    "survives a frozen Object.prototype",
    ["Object.freeze(Object.prototype); Object.freeze(Array.prototype); 1", "class A { x = [1] } new A()"],
    '→ A {"x": [1]}',
  ],
  ["has one global object with globalThis", "globalThis.globalThis === globalThis", "→ true"],
  [
    "gives no host objects through constructors",
    "console.log.constructor('return typeof process')()",
    '→ "undefined"',
  ],
  [
    "gives no host objects through tools",
    "tools.num.constructor('return typeof process')()",
    '→ "undefined"',
    { eval: { tools: { num: () => 1 } } },
  ],
  [
    "has no stack of the host in errors",
    "try { null.x } catch (e) { /prelude|node:|file:/.test(e.stack) }",
    "→ false",
  ],
  ["keeps two sessions apart", "typeof leaked", '→ "undefined"'],
  ["has no tools where there are none", "typeof tools + typeof task", "→ undefinedundefined"],
  ["keeps tools constant", "Object.isFrozen(tools.num)", "→ true", { eval: { tools: { num: () => 1 } } }],
  ["refuses to compare with a clock", "Date.now() > 1e12", /^Error: There is no clock here\./],
  ["refuses the clock of performance", "typeof performance.now()", /^Error: There is no clock here\./],
  ["has no keys on the global object", "Object.keys(globalThis).join()", '→ ""'],
  ["knows no id of the session", "__sessionId__", /^ReferenceError: __sessionId__ is not defined\n/],
  [
    "tells what is there and what is not",
    "['fetch','require','process','setTimeout','structuredClone','TextEncoder','URL','crypto','WebAssembly','Intl','queueMicrotask','performance'].map((k) => k + ':' + typeof globalThis[k]).join(' ')",
    "→ fetch:undefined require:undefined process:undefined setTimeout:function structuredClone:function TextEncoder:function URL:function crypto:object WebAssembly:undefined Intl:object queueMicrotask:function performance:object",
  ],
];
