import type { ModuleSource } from "../../../src/session/module-source.js";
import type { Row, RowOptions } from "./row.js";

const withModules = (modules: ModuleSource): RowOptions => ({ interpreter: { modules } });

const maths = {
  maths:
    "console.log('maths runs');\nexport const two: number = 2;\nexport function add(a, b) { return a + b }\nexport default class Sum {}",
};
const loader = (specifier: string, importer?: string) =>
  specifier.startsWith("gen/")
    ? `export const name = ${JSON.stringify(`${specifier} for ${importer}`)}`
    : undefined;

export const moduleRows: readonly Row[] = [
  [
    "imports names",
    "import { two, add as plus } from 'maths'; plus(two, 1)",
    "maths runs\n→ 3",
    withModules(maths),
  ],
  [
    "keeps what is imported",
    ["import { two, add } from 'maths';", "add(two, two)"],
    "→ 4",
    withModules(maths),
  ],
  [
    "runs a module once",
    ["import { two } from 'maths'; two", "import { add } from 'maths'; add(1, 1)"],
    ["maths runs\n→ 2", "→ 2"],
    withModules(maths),
  ],
  ["imports the default", "import Sum from 'maths'; Sum.name", "maths runs\n→ Sum", withModules(maths)],
  [
    "imports a namespace",
    "import * as m from 'maths'; m",
    'maths runs\n→ [Module] {"two": 2, "add": [Function: add], "default": [class Sum]}',
    withModules(maths),
  ],
  [
    "imports dynamically",
    "const { add } = await import('maths'); add(3, 4)",
    "maths runs\n→ 7",
    withModules(maths),
  ],
  [
    "imports by a computed name",
    "const name = 'ma' + 'ths'; (await import(name)).two",
    "maths runs\n→ 2",
    withModules(maths),
  ],
  [
    "imports dynamically what was imported before",
    ["import { two } from 'maths';", "(await import('maths')).two"],
    "→ 2",
    withModules(maths),
  ],
  [
    "imports dynamically twice at once",
    "const [a, b] = await Promise.all([import('maths'), import('maths')]); a === b",
    "maths runs\n→ true",
    withModules(maths),
  ],
  [
    "imports relative to a module",
    "import { area } from './lib/area.js'; area(2)",
    "→ 12",
    withModules({
      "lib/area.ts":
        "import { PI } from './consts';\nimport { square } from '../square';\nexport const area = (r: number): number => PI * square(r);",
      "lib/consts.ts": "export const PI = 3",
      "./square.js": "export const square = (n) => n * n",
    }),
  ],
  [
    "finds an index",
    "import { a } from 'lib'; a",
    "→ 1",
    withModules({ "lib/index.ts": "export const a: number = 1" }),
  ],
  [
    "imports JSON",
    "import rows from './rows.json' with { type: 'json' }; rows[0].id",
    "→ 7",
    withModules({ "rows.json": '[{"id": 7}]' }),
  ],
  [
    "refuses JSON that is none",
    "import rows from './rows.json'",
    "TypeError: Cannot import \"./rows.json\": it is not valid JSON\n  at eval 1, line 1, column 18\n    import rows from './rows.json'\n                     ^",
    withModules({ "rows.json": "{id: 7}" }),
  ],
  [
    "lets modules import each other",
    "import { isEven } from 'even'; isEven(10)",
    "→ true",
    withModules({
      even: "import { isOdd } from 'odd';\nexport function isEven(n) { return n === 0 || isOdd(n - 1) }",
      odd: "import { isEven } from 'even';\nexport function isOdd(n) { return n !== 0 && isEven(n - 1) }",
    }),
  ],
  [
    "lets a module import itself",
    "import { f } from 'self'; f()",
    "→ self",
    withModules({
      self: "import * as me from 'self';\nexport const f = () => me.name;\nexport const name = 'self'",
    }),
  ],
  [
    "keeps bindings live",
    ["import * as c from 'counter'; c.up(); c.n", "c.up(); c.n"],
    ["→ 1", "→ 2"],
    withModules({ counter: "export let n = 0;\nexport const up = () => { n++ }" }),
  ],
  [
    "re-exports",
    "import D, { add, m, zwei } from 'all'; [D.name, add(1, 1), m.two, zwei]",
    'maths runs\n→ ["Sum", 2, 2, 2]',
    withModules({
      ...maths,
      all: "export * from 'maths'; export * as m from 'maths'; export { two as zwei, default } from 'maths';",
    }),
  ],
  [
    "awaits in a module",
    "import { late } from 'slow'; late",
    "→ late",
    withModules({
      slow: "export let late = 'early';\nawait new Promise((r) => setTimeout(r, 2));\nlate = 'late'",
    }),
  ],
  [
    "gives tools to a module",
    "import { n } from 'm'; n",
    "→ 42",
    {
      interpreter: { modules: { m: "export const n = await tools.num({})" } },
      eval: { tools: { num: () => 42 } },
    },
  ],
  [
    "imports from inside a function",
    "async function f() { const { two } = await import('maths'); return two }\nawait f()",
    "maths runs\n→ 2",
    withModules(maths),
  ],
  [
    "imports from inside a module by a computed name",
    "import { get } from './a/get'; (await get('b')).v",
    "→ b",
    withModules({ "a/get": "export const get = (n) => import('./' + n)", "a/b": "export const v = 'b'" }),
  ],
  [
    "drops imports of types",
    "import type { X } from 'nowhere'; import { two } from 'maths'; const n: X = two; n",
    "maths runs\n→ 2",
    withModules(maths),
  ],
  [
    "says before anything runs that a module is missing",
    "console.log('ran');\nimport _ from 'lodash';\n_.chunk([1], 1)",
    "TypeError: Cannot import \"lodash\": there is no module of that name. There are: maths\n  at eval 1, line 2, column 15\n    import _ from 'lodash';\n                  ^",
    withModules(maths),
  ],
  [
    "says that a module of a module is missing",
    "import { a } from 'a'; a",
    "TypeError: Cannot import \"./b\": there is no module of that name. There are: a\n  at module a, line 2, column 19\n    import { b } from './b';\n                      ^",
    withModules({ a: "// top\nimport { b } from './b';\nexport const a = b" }),
  ],
  [
    "says that a computed module is missing",
    "console.log('ran'); await import('lod' + 'ash')",
    "ran\nTypeError: Cannot import \"lodash\": there is no module of that name. There are: maths\n  at eval 1, line 1, column 33\n    console.log('ran'); await import('lod' + 'ash')",
    withModules(maths),
  ],
  [
    "lets code catch that",
    "try { await import('lod' + 'ash') } catch (e) { e.name }",
    "→ TypeError",
    withModules(maths),
  ],
  [
    "counts modules that are too many to list",
    "import 'x'",
    /There are: m0, m1, .*, m19 and 5 more\n/,
    withModules(Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`m${i}`, ""]))),
  ],
  [
    "says which exports there are",
    "import { three } from 'maths'; three",
    "maths runs\nSyntaxError: The module \"maths\" has no export named 'three'. It exports: two, add, default\n  at eval 1, line 1, column 1\n    import { three } from 'maths'; three",
    withModules(maths),
  ],
  [
    "reports a syntax error in a module",
    "import 'bad'",
    "SyntaxError: Unexpected token '='\n  at module bad, line 2, column 14\n    export const = 2;\n                 ^",
    withModules({ bad: "export const a = 1;\nexport const = 2;" }),
  ],
  [
    "reports an error in a module where it was made",
    "import { f } from 'm';\nf()",
    "TypeError: cannot read property 'x' of null\n  at f (module m, line 2, column 14)\n    return null.x;\n  at eval 1, line 2, column 2",
    withModules({ m: "export function f() {\n  return null.x;\n}" }),
  ],
  [
    "reports an error of TypeScript where it was made",
    "import { f } from 'm'; f({})",
    "Error: no undefined\n  at f (module m, line 4, column 18)\n    throw new Error('no ' + a.x);\n  at eval 1, line 1, column 25",
    withModules({
      m: "interface A { x: number }\n\nexport function f(a: A): number {\n  throw new Error('no ' + a.x);\n}",
    }),
  ],
  [
    "runs a module that failed again",
    ["import { n } from 'flaky'; n", "import { n } from 'flaky'; n"],
    [/^Error: first\n/, "→ 2"],
    withModules({
      flaky:
        "globalThis.tries = (globalThis.tries ?? 0) + 1;\nif (tries === 1) throw new Error('first');\nexport const n = tries",
    }),
  ],
  [
    "runs a module that was stopped again",
    ["import 'stuck'", "globalThis.go = true; import 'stuck'; 'done'"],
    [/^Timeout: /, /done|Timeout/],
    {
      interpreter: { modules: { stuck: "if (!globalThis.go) while (true) {}" } },
      eval: { limits: { executionTimeoutMs: 80 } },
    },
  ],
  [
    "is strict in a module",
    "import 'm'",
    /^ReferenceError: nope is not defined\n {2}at module m, line 1/,
    withModules({ m: "nope = 1" }),
  ],
  [
    "has names of its own in a module",
    ["import { secret } from 'm'; secret", "typeof hidden"],
    ["→ 1", '→ "undefined"'],
    withModules({ m: "const hidden = 1; export const secret = hidden" }),
  ],
  ["asks a loader", "import { name } from 'gen/a'; name", "→ gen/a for undefined", withModules(loader)],
  [
    "asks a loader that answers later",
    "import { a } from 'later'; a",
    "→ 5",
    withModules(async () => "export const a = 5"),
  ],
  [
    "tells a loader who imports",
    "import { name } from 'gen/b'; const m = await import('gen/' + 'c'); [name, m.name]",
    '→ ["gen/b for undefined", "gen/c for undefined"]',
    withModules(loader),
  ],
  [
    "says that a loader has no such module",
    "import 'nope'",
    "TypeError: Cannot import \"nope\": there is no module of that name\n  at eval 1, line 1, column 8\n    import 'nope'\n           ^",
    withModules(loader),
  ],
  [
    "says that a loader failed",
    "import 'x'",
    "TypeError: Cannot import \"x\": it could not be loaded: offline\n  at eval 1, line 1, column 8\n    import 'x'\n           ^",
    withModules(() => {
      throw new Error("offline");
    }),
  ],
  [
    "finds modules in a Map",
    "import { a } from 'm'; a",
    "→ 1",
    withModules(new Map([["m", "export const a = 1"]])),
  ],
  [
    "has no module of the prototype",
    "import 'constructor'",
    /^TypeError: Cannot import "constructor"/,
    withModules({}),
  ],
  [
    "explains require with the modules",
    "const m = require('maths')",
    "ReferenceError: require is not defined. There is no require() here; use import. There are: maths.\n  at eval 1, line 1, column 11\n    const m = require('maths')",
    withModules(maths),
  ],
  [
    "names a variable like an import's function",
    "const __import__ = 5; import { two } from 'maths'; [__import__, two]",
    /→ \[5, 2\]|SyntaxError|TypeError/,
    withModules(maths),
  ],
  ["does not list the modules' function", "Object.keys(globalThis)", "→ []", withModules(maths)],
  ["has no function where there are no modules", "typeof __import__", '→ "undefined"'],
  [
    "exports from an eval with modules",
    "export { two } from 'maths'; export const x = 1; x",
    "maths runs\n→ 1",
    withModules(maths),
  ],
];
