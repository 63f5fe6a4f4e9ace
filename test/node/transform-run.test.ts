import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { transformSource } from "../../src/transform/index.js";
import { TransformSession } from "../support/transform-session.js";

/**
 * What the transform's output does in the engine. A row is a sentence and evals of one session, each with the value
 * it completes with or a pattern for `Name: message @line:column`.
 */
type Row = readonly [title: string, ...evals: (readonly [source: string, expected: unknown])[]];

const table = (name: string, rows: readonly Row[]) =>
  describe(name, () => {
    test.each(rows)("%s", async (_title, ...evals) => {
      const session = new TransformSession();
      for (const [source, expected] of evals as (readonly [string, unknown])[]) {
        const run = await session.run(source);
        if (expected instanceof RegExp) expect(`${run.error} @${run.at}`).toMatch(expected);
        else expect({ value: run.value, error: run.error }).toEqual({ value: expected, error: undefined });
      }
      session.dispose();
    });
  });

const constant = (place: string) =>
  new RegExp(`^TypeError: Assignment to constant variable '\\w+'\\. @${place}$`);
const unborn = (place: string) =>
  new RegExp(`^ReferenceError: Cannot access '\\w+' before initialization @${place}$`);

table("bindings persist", [
  [
    "keeps every kind of declaration",
    ["var x=1; let y=2; const z=3; function f(){}; class C{}", undefined],
    ["[typeof x,typeof y,typeof z,typeof f,typeof C].join()", "number,number,number,function,function"],
  ],
  [
    "declares a const again",
    ["const k=1", undefined],
    ["const k=2; k", 2],
    ["let k=3; k", 3],
    ["class k {}; typeof k", "function"],
  ],
  [
    "declares a class again",
    ["class A{}", undefined],
    ["class A{ x = 1 }; new A().x", 1],
    ["const A = 5; A", 5],
  ],
  [
    "declares a function again",
    ["function f() { return 1 }", undefined],
    ["const f = () => 2; f()", 2],
    ["function f() { return 3 } f()", 3],
  ],
  [
    "declares a destructured name again",
    ["const { a, b } = { a: 1, b: 2 }", undefined],
    ["let [a] = [3]; [a, b]", [3, 2]],
  ],
  ["keeps the value at `var x;`", ["var un=5", undefined], ["var un; un", 5]],
  [
    "resets the value at `let x;`",
    ["let un=5", undefined],
    ["let un; un", undefined],
    ["let a1 = 1, b1; b1", undefined],
  ],
  [
    "shares one binding with closures of earlier evals",
    ["let [i,j]=[1,2]; i = 10; function getI(){return i}", 10],
    ["i", 10],
    ["getI()", 10],
    ["i = 11; getI()", 11],
  ],
  [
    "shares one binding with later evals",
    ["let {cnt} = {cnt:0}; const inc=()=>++cnt; inc(); inc()", 2],
    ["cnt", 2],
    ["inc(); cnt", 3],
  ],
  [
    "shares a redeclared binding with earlier closures",
    ["const rate = 1; const get = () => rate", undefined],
    ["const rate = 2; get()", 2],
  ],
  ["keeps what a later eval assigned", ["let w = [1]; await 0; w = [...w, 2]", [1, 2]], ["w.length", 2]],
  ["keeps an assignment behind an await", ["var v = 1; await Promise.resolve(); v = 2; v", 2], ["v", 2]],
  [
    "keeps a variable that a for await loop updates",
    ["let sum = 0; for await (const n of [1,2]) sum += n; sum", 3],
    ["sum", 3],
  ],
  [
    "destructures with defaults, renames, nesting and rest",
    ["const {a=1, b:{c=2}={}, d: [, e], ...rest} = {d:[4,5], f: 6}; [a,c,e,rest.f]", [1, 2, 5, 6]],
    ["[a,c,e,rest.f]", [1, 2, 5, 6]],
  ],
  ["keeps var of a for head", ["for (var vv=0; vv<3; vv++){}\nvv", 3], ["typeof vv", "number"]],
  [
    "keeps a destructured var of a for head",
    ["for (var [kk, vv2] of Object.entries({ a: 1 })) {}", undefined],
    ["kk + vv2", "a1"],
  ],
  ["keeps var of a block", ["if (true) { var vb = 5 }\nvb", 5], ["typeof vb", "number"]],
  [
    "keeps a function of a block",
    ["if (true) { function fb(){return 1} }\ntypeof fb", "function"],
    ["fb()", 1],
  ],
  ["keeps a function of a bare block", ["{ function blk(){ return 1 } }\nblk()", 1], ["blk()", 1]],
  [
    "does not leak let and const of a block",
    ["{ let q1 = 1; const q2 = 2 } [typeof q1, typeof q2]", ["undefined", "undefined"]],
  ],
  [
    "gives each turn of a loop its own let",
    ["const fns=[]; for (let i=0;i<3;i++) fns.push(()=>i); fns.map(f=>f()).join()", "0,1,2"],
  ],
  ["hoists functions", ["const r = later(2);\nfunction later(x){ return x*2 }\nr", 4]],
  ["lets a closure see a later declaration", ["const f = () => later; const later = 3; f()", 3]],
  [
    "names arrow functions after their variable",
    ["const arrow = () => 1; arrow.name", "arrow"],
    ["let { fn = () => 1 } = {}; fn.name", "fn"],
  ],
  [
    "names classes after their variable",
    ["const K1 = class {}; K1.name", "K1"],
    ["class K2 {} K2.name", "K2"],
  ],
  ["keeps a class apart from a bracket on the next line", ["class A {}\n[1].length", 1]],
  ["keeps a class apart from a parenthesis on the next line", ["class A {}\n(2)", 2]],
  [
    "lets a class refer to itself",
    [
      "class S { static x = 1; static { S.y = S.x + 1 } #p = 2; get(){ return this.#p } } S.y + new S().get()",
      4,
    ],
  ],
  [
    "keeps what was declared before a throw",
    ["let p = 1; p = 2; nope(); let q = 3;", /^ReferenceError/],
    ["[typeof p, p, typeof q].join()", "number,2,undefined"],
  ],
  ["assigns undeclared names like a script", ["und = 5; und", 5], ["und", 5]],
  [
    "follows the directive for strict mode",
    ["'use strict'; undeclaredName = 1", /^ReferenceError/],
    ["typeof undeclaredName", "undefined"],
  ],
]);

table("constants", [
  ["refuses an assignment", ["const k=1; k=2; k", constant("1:12")]],
  ["refuses an assignment on a line without semicolons", ["const k = 1\nlet z = 4\nk = z", constant("3:5")]],
  ["refuses an increment", ["const k = 1; k++", constant("1:15")]],
  ["refuses a prefix decrement", ["const k = 1; --k", constant("1:14")]],
  ["refuses a compound assignment", ["const k = 1; k += 2", constant("1:16")]],
  ["refuses an assignment in a function", ["const k = 1; const f = () => { k = 2 }; f()", constant("1:32")]],
  ["refuses an array pattern", ["const k=1; [k] = [2]", constant("1:13")]],
  ["refuses an object pattern", ["const k=1; ({k} = {k:2})", constant("1:14")]],
  ["refuses an object pattern with a default", ["const k=1; ({k = 4} = {})", constant("1:14")]],
  ["refuses a nested pattern with rest", ["const k=1; [{ a: [...k] }] = [{ a: [2] }]", constant("1:22")]],
  ["refuses a for-of head", ["const k=1; for (k of [1]);", constant("1:17")]],
  ["refuses a for-in head", ["const k=1; for (k in {a:1});", constant("1:17")]],
  ["refuses a destructured constant", ["const { k } = { k: 1 }; k = 2", constant("1:25")]],
  ["leaves `??=` alone when there is a value", ["const k=1; k ??= 5; k", 1]],
  ["leaves a shadowing block variable alone", ["const k=1; { let k = 2; k = 3 } k", 1]],
  ["leaves a shadowing parameter alone", ["const k=1; function f(k){ k = 2; return k } f()", 2]],
  [
    "leaves a shadowing var of a function alone",
    ["const k=1; (function(){ k = 4; if (0) { var k } k++; return k })()", 5],
  ],
  ["leaves a shadowing catch parameter alone", ["const k=1; try { throw 5 } catch (k) { k = 6 } k", 1]],
  ["leaves a shadowing loop variable alone", ["const k=1; for (let k = 0; k < 2; k++); k", 1]],
  ["leaves a shadowing function name alone", ["const k=1; { function k() {} k = 5 } k", 1]],
  ["leaves a shadowing function of a case alone", ["let k=1; switch (1) { case 1: function k() {} } k", 1]],
  ["leaves a shadowing switch variable alone", ["const k=1; switch (1) { case 1: let k = 2; k = 3 } k", 1]],
  [
    "leaves properties and labels of that name alone",
    ["const k=1; const o = { k: 1 }; o.k = 2; k: for (;;) { break k } o.k", 2],
  ],
  ["lets a later eval assign", ["const k = 1", undefined], ["k = 2; k", 2]],
  ["lets let and class be assigned", ["let k = 1; k = 2; class C {} C = 3; k + C", 5]],
]);

test("hides the code that stands in for a constant from stacks", async () => {
  const result = await transformSource("let x = 1\nconst k = 1; k = 2");
  if (!result.ok) throw new Error(result.failure.message);
  const line = result.code.split("\n")[1]!;
  expect(result.mapPosition(2, line.indexOf("throw") + 1)).toBeUndefined();
  expect(result.mapPosition(2, line.indexOf("().k") + 1)).toEqual({ line: 2, column: 14 });
});

table("use before declaration", [
  ["refuses a read", ["const t = tt; let tt = 1; t", unborn("1:11")]],
  ["refuses a write", ["tt = 5; let tt = 1", unborn("1:1")]],
  ["refuses typeof", ["typeof tt; let tt = 1", unborn("1:8")]],
  ["refuses a call", ["go(); const go = () => 1", unborn("1:1")]],
  ["refuses the own initialiser", ["let q = q;", unborn("1:9")]],
  ["refuses a later declarator", ["let a = b, b = 1", unborn("1:9")]],
  ["refuses a class", ["new Foo(); class Foo {}", unborn("1:5")]],
  ["refuses a superclass", ["class B extends A {}\nclass A {}", unborn("1:17")]],
  ["refuses a shorthand property", ["const o = {zz}; const zz = 1", unborn("1:12")]],
  ["refuses a pattern's default", ["const {b = a, a} = {a: 1}; b", unborn("1:12")]],
  ["refuses a loop's source", ["for (const x of xs) {}; const xs = [1]", unborn("1:17")]],
  [
    "refuses the value of an earlier eval",
    ["let old = 1", undefined],
    ["const copy = old; let old = 2", unborn("1:14")],
  ],
  ["allows an earlier name of the same pattern", ["const {a, b = a} = {a: 1}; b", 1]],
  ["allows an earlier declarator", ["let a = 1, b = a + 1; b", 2]],
  [
    "allows the value of an earlier eval behind `var`",
    ["var old = 1", undefined],
    ["var old = old + 1; old", 2],
  ],
]);

table("top-level return", [
  ["ends the eval with the value", ["return 5", 5], ["return 6;\n7", 6]],
  [
    "has no value of its own",
    ["5; return;", undefined],
    ["return // nothing", undefined],
    ["return\n5", undefined],
  ],
  [
    "returns from if and else",
    ["const x = 3;\nif (x > 2) return 'big'; else return 'small';\n'never'", "big"],
    ["if (x > 5) return 'big'; else return 'small';\n'never'", "small"],
  ],
  ["goes on where it is not reached", ["if (false) return 1\n'after'", "after"]],
  [
    "returns from a loop",
    ["for (const a of [1,2,3]) { if (a===2) return a*10 }", 20],
    ["let n = 0; while (true) if (++n > 4) return n", 5],
  ],
  ["returns from a labelled loop", ["L: for(;;){ for (;;) return 5 }", 5]],
  ["returns from try through finally", ["let seen; try { return 1 } finally { seen = 2 }", 1], ["seen", 2]],
  ["returns from catch", ["try { throw 1 } catch (e) { return e + 1 } finally { 9 }", 2]],
  ["returns from finally", ["try { throw 1 } catch {} finally { return 3 }", 3]],
  ["returns from switch", ["switch(1){ case 1: return {a:1} }", { a: 1 }]],
  ["awaits the value", ["return await Promise.resolve(3)", 3], ["return Promise.resolve(4)", 4]],
  ["returns from for await", ["for await (const v of [1,2]) return v", 1]],
  [
    "returns a parenthesised, commented value",
    ["return (1, 2) // x\n;", 2],
    ["return `a` + `1` /* c */ ; // t", "a1"],
  ],
  ["returns an object literal", ["const a = 1; return { a, b: { c: 2 } };", { a: 1, b: { c: 2 } }]],
  ["returns a JSON-like multi-line value", ["return [\n  1,\n  2,\n]", [1, 2]]],
  [
    "keeps declarations before it",
    ["const before = 1; let other = before; class K {} return before", 1],
    ["[before, other, typeof K]", [1, 1, "function"]],
  ],
  [
    "hoists and keeps functions around it",
    ["return f() + g();\nfunction f(){return 1}\nfunction g(){ return 2 }", 3],
    ["f() + g()", 3],
  ],
  [
    "keeps generators and async functions around it",
    ["async function af() { return 1 }\nreturn await af()\nfunction* gen() { yield 2 }", 1],
    ["[...gen()]", [2]],
  ],
  [
    "points into functions it moved",
    ["return 1\nfunction g(){\n  throw new Error('in g') }", 1],
    ["g()", /^Error: in g @/],
  ],
  [
    "keeps lines in functions it moved",
    ["if (false) return 1\nfunction g(){\n  throw new Error('in g') }\ng()", /^Error: in g @3:18$/],
  ],
  ["keeps directives", ["'use strict'\nreturn (function () { return this === undefined })()", true]],
  [
    "leaves returns of functions alone",
    ["const f = () => { return 1 }; f()", 1],
    ["({ m() { return 2 } }).m()", 2],
  ],
]);

table("completion values", [
  [
    "takes the value of the last statement",
    ["1+1 // trailing comment", 2],
    ["1+1; // t\n/* block */", 2],
    ["5;;", 5],
    ["5;\n\n;", 5],
    ["1,2,3", 3],
  ],
  [
    "takes the value of a block",
    ["if (true) { 42 } else { 7 }", 42],
    ["for (const q of [1]) { q }", 1],
    ["try { 'ok' } catch { 'bad' }", "ok"],
    ["switch(2){case 2: 'two'; break}", "two"],
  ],
  [
    "reads a leading brace as an object",
    ["{a:1}", { a: 1 }],
    ["{a:1, b:2}", { a: 1, b: 2 }],
    ["{ a: 1 } // x", { a: 1 }],
    ["// x\n{ 'a b': [1] }\n", { "a b": [1] }],
  ],
  ["reads a leading brace with types as an object", ["{ a: 1 as number, b: 2 }", { a: 1, b: 2 }]],
  ["reads a leading brace as a block where it is none", ["{ let a = 2; a * 2 }", 4], ["{ a: 1 };", 1]],
  ["takes the value of an assignment", ["let aa; aa = 7", 7]],
  ["has none for a declaration", ["const x1=1", undefined], ["function f() {}", undefined]],
  [
    "awaits at top level",
    ["const r0 = await Promise.resolve(3);\nr0*2", 6],
    ["(async () => { return 1 })()", 1],
  ],
  [
    "runs async generators",
    [
      "async function* g(){ yield 1; yield 2 }\nconst out=[]; for await (const v of g()) out.push(v);\nout.join()",
      "1,2",
    ],
  ],
  [
    "is not confused by labels",
    ["outer: for (const i of [1,2]) { for (;;) { continue outer } }\n'done'", "done"],
  ],
]);

table("what JavaScript allows in a script", [
  ["HTML-like comments", ["1 <!-- 2\n", 1], ["2\n--> closing\n", 2]],
  ["octal literals", ["010", 8]],
  ["with", ["with({a:1}){ a }", 1]],
  ["a hashbang", ["#!/usr/bin/env node\n1", 1]],
  ["a byte order mark", ["\ufeff1", 1]],
  ["directives", ["'use strict'; 5", 5], ["'use strict'", "use strict"]],
  ["carriage returns", ["const a = 1\r\nconst b = 2\r\na + b", 3]],
  [
    "regular expressions of newer kinds",
    ["/[\\p{L}--[a-z]]/v.test('A')", true],
    ["/(?i:a)b/.test('Ab')", true],
  ],
  [
    "unusual names",
    ["let $ = 1, _ = 2, ünï = 3; $ + _ + ünï", 6],
    ["of = 1; async = 2; let get = 3; of + async + get", 6],
  ],
  ["what only the parser knows is refused by the engine", ["1;\nlet await = 1", /^SyntaxError: .* @2:5$/]],
  ["an empty text", ["", undefined], ["// plan: do x", undefined], [";;", undefined]],
]);

table("exports", [
  ["declares an exported constant", ["export const q = 3; q", 3], ["q", 3]],
  [
    "declares an exported function",
    ["export function ef(){return 1}\nef()", 1],
    ["export async function af() { return 2 } await af()", 2],
  ],
  ["declares an exported class", ["export class A { x = 1 }\nnew A().x", 1], ["A.name", "A"]],
  [
    "yields the default export",
    ["export default 5", 5],
    ["export default { a: 1 };", { a: 1 }],
    ["1\nexport default [2]", [2]],
  ],
  [
    "declares and yields a named default export",
    ["export default function main() { return 3 }\nmain()", 3],
    ["main()", 3],
  ],
  ["yields an anonymous default class", ["typeof 1; export default class {}", "class {}"]],
  ["lets an export list pass", ["const a = 1\nexport { a, a as b }\n(a)", 1]],
  [
    "hoists an exported function over a return",
    ["return h(); export function h() { return 4 }", 4],
    ["h()", 4],
  ],
]);

table("reserved names", [
  ["renames a constant", ["const undefined = 3; undefined", 3], ["typeof undefined", "undefined"]],
  [
    "renames shorthand properties",
    ["const {task = 5} = {}; const o = {task}; o.task", 5],
    ["typeof task", "undefined"],
  ],
  ["renames the var of a loop", ["for (var task of [1,2]) {} task", 2]],
  ["renames a function", ["function console(){ return 1 } console()", 1]],
  ["renames a class", ["class tools { static x = tools.name } tools.x", "tools"]],
  [
    "renames references in functions, not shadowed ones",
    ["const tools = 1; const f = () => tools; const g = (tools) => tools; [f(), g(2)]", [1, 2]],
  ],
  ["refuses an assignment", ["tools = 5", constant("1:1")]],
  [
    "leaves block variables and parameters alone",
    ["for (const task of [7]) { task }", 7],
    ["((tools) => tools)(3)", 3],
  ],
]);

/** Node says what each means: there `task` is a name like any other. */
const programsWithReservedNames: readonly string[] = [
  "{ function task() { return 1 } } task()",
  "{ function task() { return 1 } task() }",
  "{ function task() { return 1 } task = 2; [typeof task] }",
  "typeof task; { task; function task() {} } typeof task",
  "const before = typeof task; { function task() {} } [before, typeof task]",
  "if (1) function task() { return 1 }\ntask()",
  "if (0) { function task() {} } typeof task",
  "switch (1) { case 1: function task() { return 1 } } task()",
  "switch (2) { case 1: function task() {} } typeof task",
  "for (let i of [1, 2]) { function task() { return i } } task()",
  "for (const task of [1]) { { function task() {} } } typeof task",
  "for (let task = 0; task < 1; task++) { function task() {} } typeof task",
  "for (var task = 0; task < 2; task++); task",
  "for (const task of [1, 2]) task",
  "for (const task in { a: 1 }) task",
  "for (var { task } of [{ task: 3 }]); task",
  "try { throw 4 } catch (task) { task }",
  "try { throw 4 } catch (task) { var task = 5 } typeof task",
  "try { throw 4 } catch (task) { { function task() { return 1 } } typeof task }",
  "try { throw 4 } catch (task) { { function task() { return 1 } } } task()",
  "try { throw [4] } catch ([task]) { { function task() {} } typeof task }",
  "try { throw { task: 4 } } catch ({ task, a = task }) { task + a }",
  "{ async function task() {} } typeof task",
  "{ function* task() {} } typeof task",
  "{ async function task() {} typeof task }",
  "'use strict'; { function task() {} } typeof task",
  "{ let task = 1; { function task() {} } typeof task }",
  "{ let task = 1; { function task() {} } } typeof task",
  "{ class task { static x = task.y; static y = 1 } } typeof task",
  "{ class task { static x = 2; get() { return task.x } } new task().get() }",
  "{ class task {} { function task() {} } } typeof task",
  "let f; { class task { static x = 2; get() { return task.x } } f = new task() } f.get()",
  "let task = 1; { class task { static x = 2 } task.x += 1 } task",
  "let task = 1; { function task() {} } task",
  "let task = 1; if (1) function task() {}\ntask",
  "let task = 1; switch (1) { case 1: function task() {} } task",
  "const task = 1; { let task = 2; task = 3 } task",
  "const task = 1; { const { task, b = task } = { task: 2 }; task + b }",
  "const task = 1; for (const task of [2]) { task } task",
  "const task = 1; try { throw 2 } catch (task) { task = 3; task }",
  "const task = 1; { let o = { task }; o.task }",
  "const task = 1; { let task = 2; ({ task }).task }",
  "var task = 1; { let task = 2; ({ task } = { task: 3 }); task }",
  "var task = 1; { let task = 2; ({ task = 5 } = {}); task }",
  "var task = 1; { let task = 2; var g = () => task; } g() + task",
  "var task = 1; (() => { { function task() { return 2 } } return task() })() + task",
  "var task = 1; (() => { 'use strict'; { function task() {} } return task })()",
  "var task = 1; (() => { { async function task() {} } return task })()",
  "var task = 1; (() => { { let task; { function task() {} } } return task })()",
  "var task = 1; (() => { try { throw 1 } catch ([task]) { { function task() {} } } return task })()",
  "var task = 1; (() => { for (var task of [7]); return task })()",
  "var task = 1; class A { static { { function task() {} } this.x = task } } A.x",
  "var task = 1; class A { static { let task = 2; { let task = 3; this.y = task } this.x = task } } [A.x, A.y]",
  "var task = 1; class A { static { { let task = 2; this.x = task } } } A.x",
  "var task = 1; class A { task = task; [`${task}`] = 5; static task = task } [new A().task, A.task, new A()[1]]",
  "var task = 1; (class task { static x = task.name }).x",
  "var task = 1; (function task() { return typeof task })()",
  "var task = 1; ((task = 2) => task)()",
  "var task = 1; ((a = task) => { var task = 2; return a })()",
  "task: for (;;) { break task } typeof task",
  "task: function task() { return 1 }\ntask()",
  "{ task: function task() { return 1 } task() }",
  "var [task, b = task] = [1]; task + b",
  "var { a: task, ...tools } = { a: 1, b: 2 }; [task, tools.b]",
  "var { task } = { task: 2 }; task",
  "let task = 1, console = () => task; { function tools() { return console() } } tools()",
  "function outer() { { function task() { return 1 } } return task() } outer()",
  "(function () { if (true) { function task() { return 3 } } return task() })()",
];

describe("reserved names declared anywhere mean what the language says", () => {
  test.each(programsWithReservedNames)("%s", async (source) => {
    const seen = async (run: () => unknown) => {
      try {
        const value = await run();
        return typeof value === "function" ? "function" : JSON.stringify(value);
      } catch (error) {
        return (error as Error).name;
      }
    };
    const session = new TransformSession();
    const own = await seen(async () => {
      const { value, error } = await session.run(source);
      if (error) throw Object.assign(new Error(error), { name: error.split(":")[0] });
      return value;
    });
    session.dispose();
    expect(own).toBe(await seen(() => runInNewContext(source)));
  });
});

table("unsafe characters in the source", [
  ["NUL in a string", ["'a\0b'.length", 3], ["'a\0b'.charCodeAt(1)", 0]],
  ["NUL in front of a digit", ["'\u00001'.length", 2]],
  ["NUL behind a backslash", ["'\\\0'.length", 1], ["'\\\\\0'.length", 2]],
  ["NUL in a template", ["`\0$`.length + `\0`.length", 3]],
  ["NUL in a regular expression", ["/^\0$/.test('\\0')", true]],
  ["NUL in a comment", ["// \0\n1", 1]],
  ["a lone surrogate in a string", ["'\ud800x'.charCodeAt(0)", 0xd800], ["'x\udc00'.charCodeAt(1)", 0xdc00]],
  ["a pair stays a pair", ["'😀'.length", 2], ["[...'a😀\ud83d'].length", 3]],
  ["a lone surrogate as a key", ["Object.keys({ '\ud800': 1 })[0].charCodeAt(0)", 0xd800]],
]);

table("TypeScript", [
  ["enum", ["enum Color { Red, Green }\nColor.Green", 1], ["Color[1]", "Green"]],
  ["an enum of strings", ["enum C { R='r' }\nconst c = C.R; c", "r"]],
  ["const enum", ["const enum E { A = 1 }\nE.A", 1], ["E.A", 1]],
  [
    "an enum that is declared again",
    ["enum A { X }", undefined],
    ["enum A { Y }\nObject.keys(A).join()", "0,Y"],
  ],
  ["an enum in two parts", ["enum A { X }\nenum A { Y = 1 }\nObject.keys(A).join()", "0,1,X,Y"]],
  ["an exported enum", ["export enum E { A = 5 }\nE.A", 5], ["E.A", 5]],
  ["an enum in a function", ["function f(): number { enum E { A = 2 } return E.A }\nf() + f()", 4]],
  ["interfaces", ["interface I { x: number }\nconst v: I = {x:1}; v.x", 1]],
  [
    "generic arrow functions",
    ["const id = <T,>(x: T): T => x; id(4)", 4],
    ["const id2 = <T>(x: T): T => x; id2<number>(4)", 4],
  ],
  ["angle bracket casts", ["const v = <number>(5 as any); v", 5]],
  [
    "satisfies",
    ["({a:1} satisfies object)", { a: 1 }],
    ["const o = {a: 1} satisfies Record<string, number>; o.a!", 1],
  ],
  ["optional properties and non-null assertions", ["const o: {a?:number} = {a:2}; o!.a!", 2]],
  [
    "field types",
    ["class P { name: string; age: number = 3; constructor(n: string){ this.name=n } }\nnew P('a').age", 3],
  ],
  [
    "parameter properties",
    [
      "class Q { constructor(public x: number, private y = 2) {} sum(){ return this.x+this.y } }\nnew Q(5).sum()",
      7,
    ],
  ],
  [
    "modifiers",
    [
      "class K { private readonly z = 1; static override s?: number = 2; get(){ return this.z } }\nnew K().get()",
      1,
    ],
  ],
  [
    "abstract classes",
    [
      "abstract class S { abstract area(): number; d(){ return this.area() } }\nclass T extends S { area(){ return 4 } }\nnew T().d()",
      4,
    ],
  ],
  ["implements", ["interface I { a(): void }\nclass C implements I { a(){} }\ntypeof C", "function"]],
  ["index signatures", ["class M { [k: string]: any; x = 1 }\nnew M().x", 1]],
  ["optional methods", ["class O { m?(): void; x = 2 }\nnew O().x", 2]],
  ["definite fields", ["class D { z!: number; x = 1 }\nnew D().x", 1]],
  ["overloads of methods", ["class K2 { m(a: string): string; m(a: any) { return a } }\nnew K2().m(9)", 9]],
  [
    "override",
    ["class A1 { m(){return 1} }\nclass B1 extends A1 { override m(){return 2} }\nnew B1().m()", 2],
  ],
  ["generic superclasses", ["class L extends Array<number> {}\nnew L().length", 0]],
  ["this parameters", ["function g(this: any, a: number) { return a }\ng(2)", 2]],
  ["overloads of functions", ["function f(a: string): string;\nfunction f(a: any) { return a }\nf(3)", 3]],
  ["import type and export type", ["import type { X } from 'y';\nexport type { Z } from 'z';\n1+1", 2]],
  ["inline type imports", ["import { type X } from 'y'; const a: X = 1; a", 1]],
  [
    "declare",
    ["declare const foo: number;\ndeclare function q(): void;\ntypeof foo + typeof q", "undefinedundefined"],
  ],
  ["declare namespace", ["declare namespace N { namespace M { const x: number } }\n3", 3]],
  [
    "namespaces that hold only types",
    [
      "namespace T { export interface A { x: number } export type B = { class: A }; namespace U { type C = 1 } }\n4",
      4,
    ],
    ["declare global { namespace G { const x: number } interface Window { let: 1 } }\n5", 5],
  ],
  ["catch types", ["try { throw new Error('x') } catch (e: any) { e.message }", "x"]],
  [
    "as const, keyof, typeof, predicates",
    [
      "const xs = ['a', 'b'] as const; type X = (typeof xs)[number]; const is = (x: unknown): x is X => xs.includes(x as X); is('a')",
      true,
    ],
  ],
  [
    "types with a top-level return",
    [
      "const n: number = 2;\nif (n > 1) return 'n is ' + n;\nfunction f(x: number): number { return x }",
      "n is 2",
    ],
    ["f(1)", 1],
  ],
  ["types with a constant that is assigned", ["const n: number = 2\nn = 3", constant("2:1")]],
  [
    "type arguments that are also comparisons",
    ["new Set<string>(['a']).size", 1],
    ["const id3 = (x) => x; id3<Foo>(3)", 3],
  ],
  [
    "comparisons that are no type arguments",
    ["const a=1,b=2,c=3; a<b>(c)", false],
    ["[1 < 2, 3 > (2)]", [true, true]],
  ],
  ["strings that look like namespaces", ["const s: string = 'namespace X {'; s", "namespace X {"]],
  [
    "an object literal of arrays with casts",
    ["const xs: Array<{a: number}> = [{a: 1}]; (xs as any[]).map((x): number => x.a)", [1]],
  ],
  [
    "reports the position of a run-time error",
    ["const a: number = 1;\n  foo(a as any, b!);", /^ReferenceError: .*foo.* @2:3$/],
  ],
  [
    "reports the position behind erased types",
    [
      "const f = (x: number, y: string): never => { throw new RangeError('r') }; f(1, '')",
      /^RangeError: r @1:66$/,
    ],
  ],
]);

table("wrapping around code", [
  [
    "a fence",
    ["```js\n1+1\n```", 2],
    ["```\nconst a: number = 2; a\n```\n", 2],
    ["  ```TypeScript\nconst b: number = 3; b\n  ```", 3],
  ],
  ["a fence on one line", ["```js 1+1```", 2], ["```1+2```", 3]],
  ["a fence of tildes", ["~~~js\n4\n~~~", 4]],
  ["an unclosed fence", ["```js\nconst s = 'x'; s", "x"]],
  ["only a closing fence", ["1+1\n```", 2]],
  ["half a closing tag", ["1+1\n</code", 2], ["1+1\n</code>\n</tool_call>", 2]],
  ["escaped line breaks", ["const a = 2;\\nconst b = 3;\\na * b", 6]],
  ["escaped line breaks around strings with escapes", ['const s = "x\\ny";\\ns.length', 3]],
  ["escaped line breaks and quotes", ['const s = \\"hi\\";\\ns', "hi"]],
  [
    "escaped line breaks behind a comment",
    ["// plan\\nconst a2 = 2;\\na2", 2],
    ["// split at \\\\n", undefined],
  ],
  ["a pair of tags", ["<code>\n1+1\n</code>", 2], ["<js>const t: number = 4; t</js>", 4]],
  ["escaped line breaks with types", ["const a: number = 2;\\na", 2]],
  [
    "fences in strings",
    ["const md = '```js\\nx\\n```'; md.length", 11],
    ["const md2 = `\\`\\`\\`js`; md2", "```js"],
  ],
  ["escapes in strings", ["'a\\nb'.length", 3]],
  ["lines counted with the fence", ["```js\n1;\nnope()\n```", /@3:1$/]],
  ["columns counted with the escapes", ["1;\\nnope()", /@1:5$/]],
]);

table("commands", [
  [
    "explains a command that is an expression",
    ["ls -la", /^ReferenceError: ls is not defined\. This tool runs JavaScript, not shell commands/],
  ],
  ["explains a bare command", ["pwd", /^ReferenceError: pwd is not defined\. This tool runs JavaScript/]],
  [
    "explains commands that are operators",
    ["cd /tmp && ls", /^ReferenceError: cd is not defined\. This tool runs JavaScript/],
  ],
  ["runs a variable of that name", ["const ls = 5, la = 2", undefined], ["ls -la", 3], ["ls", 5]],
]);
