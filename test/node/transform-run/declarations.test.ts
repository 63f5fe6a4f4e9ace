import { expect, test } from "vitest";
import { transformSource } from "../../../src/transform/index.js";
import { constantAt, transformTable, unbornAt } from "../../support/transform-rows.js";

transformTable("bindings persist", [
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

transformTable("constants", [
  ["refuses an assignment", ["const k=1; k=2; k", constantAt("1:12")]],
  [
    "refuses an assignment on a line without semicolons",
    ["const k = 1\nlet z = 4\nk = z", constantAt("3:5")],
  ],
  ["refuses an increment", ["const k = 1; k++", constantAt("1:15")]],
  ["refuses a prefix decrement", ["const k = 1; --k", constantAt("1:14")]],
  ["refuses a compound assignment", ["const k = 1; k += 2", constantAt("1:16")]],
  [
    "refuses an assignment in a function",
    ["const k = 1; const f = () => { k = 2 }; f()", constantAt("1:32")],
  ],
  ["refuses an array pattern", ["const k=1; [k] = [2]", constantAt("1:13")]],
  ["refuses an object pattern", ["const k=1; ({k} = {k:2})", constantAt("1:14")]],
  ["refuses an object pattern with a default", ["const k=1; ({k = 4} = {})", constantAt("1:14")]],
  ["refuses a nested pattern with rest", ["const k=1; [{ a: [...k] }] = [{ a: [2] }]", constantAt("1:22")]],
  ["refuses a for-of head", ["const k=1; for (k of [1]);", constantAt("1:17")]],
  ["refuses a for-in head", ["const k=1; for (k in {a:1});", constantAt("1:17")]],
  ["refuses a destructured constant", ["const { k } = { k: 1 }; k = 2", constantAt("1:25")]],
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

transformTable("use before declaration", [
  ["refuses a read", ["const t = tt; let tt = 1; t", unbornAt("1:11")]],
  ["refuses a write", ["tt = 5; let tt = 1", unbornAt("1:1")]],
  ["refuses typeof", ["typeof tt; let tt = 1", unbornAt("1:8")]],
  ["refuses a call", ["go(); const go = () => 1", unbornAt("1:1")]],
  ["refuses the own initialiser", ["let q = q;", unbornAt("1:9")]],
  ["refuses a later declarator", ["let a = b, b = 1", unbornAt("1:9")]],
  ["refuses a class", ["new Foo(); class Foo {}", unbornAt("1:5")]],
  ["refuses a superclass", ["class B extends A {}\nclass A {}", unbornAt("1:17")]],
  ["refuses a shorthand property", ["const o = {zz}; const zz = 1", unbornAt("1:12")]],
  ["refuses a pattern's default", ["const {b = a, a} = {a: 1}; b", unbornAt("1:12")]],
  ["refuses a loop's source", ["for (const x of xs) {}; const xs = [1]", unbornAt("1:17")]],
  [
    "refuses the value of an earlier eval",
    ["let old = 1", undefined],
    ["const copy = old; let old = 2", unbornAt("1:14")],
  ],
  ["allows an earlier name of the same pattern", ["const {a, b = a} = {a: 1}; b", 1]],
  ["allows an earlier declarator", ["let a = 1, b = a + 1; b", 2]],
  [
    "allows the value of an earlier eval behind `var`",
    ["var old = 1", undefined],
    ["var old = old + 1; old", 2],
  ],
]);

transformTable("exports", [
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
