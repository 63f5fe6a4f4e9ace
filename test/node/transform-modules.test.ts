import { describe, expect, test } from "vitest";
import { transformModule, transformSource } from "../../src/transform/index.js";
import { TransformSession } from "../support/transform-session.js";

/** Imports in evals and modules that import each other, with a loader as small as the contract allows. */
const loader = `
const functions = {}, namespaces = {};
async function __import__(specifier, names = []) {
  if (!(specifier in functions)) throw TypeError("no module " + specifier);
  let namespace = namespaces[specifier];
  if (!namespace) {
    namespace = namespaces[specifier] = Object.create(null);
    const exports = (bindings, isStar) => {
      for (const name of Object.keys(bindings))
        if (!(name in namespace) && !(isStar && name === "default"))
          Object.defineProperty(namespace, name, Object.getOwnPropertyDescriptor(bindings, name));
    };
    await functions[specifier](exports, __import__);
  }
  for (const name of names) if (!(name in namespace)) throw SyntaxError(specifier + " has no export " + name);
  return namespace;
}`;

async function open(modules: Readonly<Record<string, string>>): Promise<TransformSession> {
  const session = new TransformSession();
  session.evaluate(loader.replace("const ", "var "));
  for (const [name, source] of Object.entries(modules)) {
    const result = await transformModule(source, { label: name });
    if (!result.ok) throw new Error(`${name}: ${result.failure.message}`);
    const run = session.evaluate(`functions[${JSON.stringify(name)}] = ${result.code}; 0`);
    if (run.error) throw new Error(`${name}: ${run.error}\n${result.code}`);
  }
  return session;
}

type Row = readonly [
  title: string,
  modules: Record<string, string>,
  ...evals: (readonly [string, unknown])[],
];

const maths = {
  maths: "export const two = 2;\nexport function add(a, b) { return a + b }\nexport default class Sum {}",
};

const rows: Row[] = [
  [
    "imports names",
    maths,
    ["import { two, add as plus } from 'maths'; plus(two, 1)", 3],
    ["plus(two, two)", 4],
  ],
  ["imports the default", maths, ["import Sum from 'maths'; Sum.name", "Sum"], ["typeof Sum", "function"]],
  ["imports the namespace", maths, ["import * as m from 'maths'; m.add(m.two, 5)", 7], ["m.two", 2]],
  ["imports default and names", maths, ["import S, { two } from 'maths'; S.name + two", "Sum2"]],
  ["imports default and namespace", maths, ["import S, * as m from 'maths'; S.name + m.two", "Sum2"]],
  ["imports for the effect only", { effect: "globalThis.ran = 1" }, ["import 'effect'; ran", 1]],
  [
    "imports below the code that uses it",
    maths,
    ["const x = add(1, 1);\nimport { add } from 'maths';\nx", 2],
  ],
  [
    "imports on several lines",
    maths,
    ["import {\n  two,\n  add,\n} from 'maths';\nadd(two,\nnope)", /@6:1$/],
  ],
  ["imports again", maths, ["import { two } from 'maths'; two", 2], ["import { two } from 'maths'; two", 2]],
  ["imports before a return", maths, ["import { two } from 'maths'; if (two > 1) return two; 0", 2]],
  ["imports a reserved name", { m: "export const tools = 5" }, ["import { tools } from 'm'; tools", 5]],
  ["imports dynamically", maths, ["const { add } = await import('maths'); add(3, 4)", 7]],
  ["imports dynamically by a computed name", maths, ["const m = await import('ma' + 'ths'); m.two", 2]],
  [
    "imports with types",
    maths,
    ["import { two } from 'maths'; import type { X } from 'no'; const n: number = two; n", 2],
  ],
  [
    "leaves out imports of which only types are used",
    maths,
    ["import { Shape } from 'shapes'; const s: Shape = 3; s", 3],
  ],
  ["re-exports for its effect", { effect: "globalThis.ran = 2" }, ["export * from 'effect'; ran", 2]],
  [
    "refuses an assignment to an import",
    maths,
    ["import { two } from 'maths'; two = 3", /^TypeError: Assignment to constant/],
  ],
  ["fails for a missing module", {}, ["import x from 'nowhere'", /^TypeError: no module nowhere/]],
  [
    "fails for a missing export",
    maths,
    ["import { three } from 'maths'", /^SyntaxError: maths has no export three/],
  ],
  [
    "lets modules import modules",
    {
      ...maths,
      area: "import { two, add } from 'maths';\nexport const area = (r) => add(two * r, { r, two }.two);",
    },
    ["import { area } from 'area'; area(3)", 8],
  ],
  [
    "keeps imports live",
    {
      counter: "export let n = 0;\nexport const up = () => ++n;",
      user: "import { n, up } from 'counter';\nup();\nexport const seen = n;",
    },
    ["import * as c from 'counter'; c.up(); [c.n, c.n]", [1, 1]],
    ["import { seen } from 'user'; [seen, c.n]", [2, 2]],
  ],
  [
    "re-exports",
    {
      ...maths,
      all: "export * from 'maths'; export * as m from 'maths'; export { two as zwei, default } from 'maths';",
    },
    ["import D, { add, m, zwei } from 'all'; [D.name, add(1, 1), m.two, zwei]", ["Sum", 2, 2, 2]],
  ],
  [
    "prefers own exports to those of `export *`",
    { ...maths, own: "export * from 'maths'; export const two = 'own';" },
    ["import { two } from 'own'; two", "own"],
  ],
  [
    "re-exports an import",
    { ...maths, again: "import Sum, { two as t } from 'maths'; export { t, Sum as default, t as \"a b\" };" },
    ["import D, { t, 'a b' as ab } from 'again'; [D.name, t, ab]", ["Sum", 2, 2]],
  ],
  [
    "lets modules import each other",
    {
      even: "import { odd } from 'odd';\nexport function even(n) { return n === 0 || odd(n - 1) }",
      odd: "import { even } from 'even';\nexport function odd(n) { return n !== 0 && even(n - 1) }",
    },
    ["import { even } from 'even'; [even(10), even(7)]", [true, false]],
  ],
  [
    "exports an anonymous function",
    { f: "export default function () { return 4 }" },
    ["import f from 'f'; f()", 4],
  ],
  [
    "exports an async generator",
    { f: "export default async function* () { yield 4 }" },
    ["import f from 'f'; (await f().next()).value", 4],
  ],
  [
    "names an anonymous default",
    { f: "export default () => 5" },
    ["import f from 'f'; f.name + f()", "default5"],
  ],
  [
    "exports an anonymous class",
    { f: "export default class { x = 6 }\n[1]" },
    ["import C from 'f'; new C().x + C.name", "6default"],
  ],
  ["exports an expression", { f: "const a = 2;\nexport default a * 3;" }, ["import v from 'f'; v", 6]],
  [
    "exports destructured names",
    { f: "export const { a, b: [c] } = { a: 1, b: [2] }" },
    ["import { a, c } from 'f'; [a, c]", [1, 2]],
  ],
  ["awaits in modules", { f: "export const v = await Promise.resolve(7)" }, ["import { v } from 'f'; v", 7]],
  [
    "imports dynamically in modules",
    { ...maths, f: "export const load = () => import('maths')" },
    ["import { load } from 'f'; (await load()).two", 2],
  ],
  [
    "is strict in modules",
    { f: "export const self = (function () { return typeof this })()" },
    ["import { self } from 'f'; self", "undefined"],
  ],
  [
    "keeps module names apart from globals",
    { f: "const hidden = 1; var alsoHidden = 2; export {}" },
    ["import 'f'; typeof hidden + typeof alsoHidden", "undefinedundefined"],
  ],
  [
    "leaves shadowing names alone",
    {
      ...maths,
      f: "import { two } from 'maths';\nexport const f = (two) => ({ two, x: (() => { var two = 9; return two })() });\nexport const g = two",
    },
    ["import { f, g } from 'f'; [f(1).two, f(1).x, g]", [1, 9, 2]],
  ],
  [
    "takes TypeScript modules",
    {
      f: "interface A { x: number }\nexport enum E { One = 1 }\nexport const a: A = { x: E.One };\nexport type { A }",
    },
    ["import { a, E } from 'f'; [a.x, E.One]", [1, 1]],
  ],
  [
    "takes hashbangs and trailing comments",
    { f: "#!/usr/bin/env node\nexport const a = 1 // end" },
    ["import { a } from 'f'; a", 1],
  ],
];

describe("modules", () => {
  test.each(rows)("%s", async (_title, modules, ...evals) => {
    const session = await open(modules as Record<string, string>);
    for (const [source, expected] of evals as (readonly [string, unknown])[]) {
      const run = await session.run(source, { modules: true });
      if (expected instanceof RegExp) expect(`${run.error} @${run.at}`).toMatch(expected);
      else expect({ value: run.value, error: run.error }).toEqual({ value: expected, error: undefined });
    }
    session.dispose();
  });

  test("lists what an eval imports statically", async () => {
    const result = await transformSource(
      "import a from './a'; import './b'; export * from './c'; await import('./d')",
      {
        modules: true,
      },
    );
    expect(result).toMatchObject({ ok: true, imports: ["./a", "./b", "./c"], declared: ["a"] });
  });

  test("passes names, attributes and the function's name on", async () => {
    const result = await transformSource("import a, { b as c } from './d.json' with { type: 'json' }", {
      modules: true,
      importFunction: "load",
    });
    expect(result).toMatchObject({
      code: 'var {"default": a, "b": c} = await load("./d.json", ["default","b"], {"type":"json"});',
    });
  });

  test("lists imports and exports of a module", async () => {
    const result = await transformModule(
      "import a from './a'; export const b = 1, { c } = a; export { a as d }; export default 1; export * as e from './a'",
    );
    expect(result).toMatchObject({ ok: true, imports: ["./a"], exports: ["b", "c", "d", "default", "e"] });
  });

  test.each([
    ["export const a = ;", /^Unexpected token ';'/, "1:18"],
    ["let a: number = 1;\nexport const b: = 2", /^Unexpected token '='/, "2:17"],
    ["export { missing }", /^Export 'missing' is not defined/, "1:10"],
    ["return 1", /^'return' outside of function/, "1:1"],
    ["with (a) {}", /^'with' in strict mode/, "1:1"],
    ["export const u = import.meta.url", /^import\.meta is not available/, "1:18"],
    ["namespace N { export const x = 1 }", /^TypeScript namespaces are not supported/, "1:1"],
    ["[".repeat(10_000), /nested too deeply/, "1:201"],
  ])("refuses the module %j", async (source, message, at) => {
    const result = await transformModule(source, { label: "lib.ts" });
    if (result.ok) throw new Error(result.code);
    const { line, column, label } = result.failure.frames[0]!;
    expect(result.failure.message).toMatch(message);
    expect([label, `${line}:${column}`]).toEqual(["lib.ts", at]);
  });

  test("maps positions in a module to its text", async () => {
    const source = "import { a } from './a';\nexport const f = () => {\n  throw new Error(a) }";
    const result = await transformModule(source);
    if (!result.ok) throw new Error(result.failure.message);
    const column = result.code.split("\n")[2]!.indexOf("throw") + 1;
    expect(result.mapPosition(3, column)).toEqual({ line: 3, column: 3 });
  });
});
