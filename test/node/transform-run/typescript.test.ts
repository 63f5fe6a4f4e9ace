import { constantAt, transformTable } from "../../support/transform-rows.js";

transformTable("TypeScript", [
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
  ["types with a constant that is assigned", ["const n: number = 2\nn = 3", constantAt("2:1")]],
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
