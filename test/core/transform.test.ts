import { describe, expect, test } from "vitest";
import { type Transformed, type TransformOptions, transformSource } from "../../src/transform/index.js";

/** What the transform says about a text: the script, the kind, the names, the refusals. It runs without an engine. */
async function accept(source: string, options?: TransformOptions): Promise<Transformed> {
  const result = await transformSource(source, options);
  if (!result.ok) throw new Error(`refused: ${result.failure.message}`);
  return result;
}

async function refuse(source: string, options?: TransformOptions) {
  const result = await transformSource(source, options);
  if (result.ok) throw new Error(`accepted as: ${result.code}`);
  const { failure } = result;
  const { line, column, sourceLine } = failure.frames[0]!;
  return { ...failure, at: `${line}:${column}`, sourceLine };
}

describe("the script", () => {
  test.each([
    ["leaves an expression alone", "1 + 1", "1 + 1"],
    ["keeps columns of const", "const a = 1", "var   a = 1"],
    ["keeps columns of let", "let a = 1, b", "var a = 1, b = void 0"],
    ["drops a namespace of types", "namespace T { type A = `const` }\n(1 as number)", "\n(1 )"],
    ["leaves var alone", "var a, b = 1", "var a, b = 1"],
    [
      "leaves block variables alone",
      "{ let a; const b = 1 }; for (let i;;) break",
      "{ let a; const b = 1 }; for (let i;;) break",
    ],
    ["makes a class an expression", "class A {}", "var A = class A {};"],
    [
      "keeps lines",
      "const a =\n  1\nclass B {\n}\nlet c",
      "var   a =\n  1\nvar B = class B {\n};\nvar c = void 0",
    ],
    ["puts a return into a labelled block", "return 5;", "result:{{    ( 5);break result}}"],
    ["picks a label that is not taken", "result: return", "result_1:{result: {void 0;break result_1}}"],
    [
      "keeps a directive in front",
      "'use strict'; return 1",
      "'use strict'; result:{{    ( 1);break result}}",
    ],
    [
      "moves functions behind a return, lines kept",
      "function f() {\n}\nreturn 1",
      "result:{\n\n{    ( 1);break result}}\nfunction f() {\n}",
    ],
    ["blanks exports", "export const a = 1\nexport { a as b }", ";      var   a = 1\n;                "],
    ["blanks types", "let a: number = 1", "var a = 1"],
    ["wraps a leading object", "{ a: 1 } // x", "({ a: 1 }) // x"],
    ["escapes NUL in strings and drops it from comments", "'\0' // \0", "'\\u0000' // \ufffd"],
  ])("%s", async (_title, source, code) => {
    expect((await accept(source)).code).toBe(code);
  });

  test("is given at once for JavaScript, and for TypeScript once the compiler is there", async () => {
    expect(transformSource("const once = 1")).not.toBeInstanceOf(Promise);
    await transformSource("let typed: number = 1");
    expect(transformSource("let typed: number = 2")).not.toBeInstanceOf(Promise);
  });

  test("is the same object for the same text", () => {
    expect(transformSource("const same = 1")).toBe(transformSource("const same = 1"));
  });
});

describe("kind and declared names", () => {
  test.each([
    ["", "empty", ""],
    [" \n\t", "empty", ""],
    ["// plan: do x", "empty", ""],
    ["/* a */ ;; // b", "empty", ""],
    ["interface Only { a: number }", "empty", ""],
    ["const a = 1", "declarations", "a"],
    ["let { a, b: [c], ...d } = x, e; var f", "declarations", "a,c,d,e,f"],
    ["class A {}", "declarations", "A"],
    ["function f() {} function g() {}", "declarations", "f,g"],
    ["enum Color { Red }", "declarations", "Color"],
    ["export const a = 1; export { a as b }", "declarations", "a"],
    ["const f = () => 1", "declarations", "f"],
    ["function main() { return 1 }", "function", "main"],
    ["async function main(): Promise<number> { return 1 }", "function", "main"],
    ["async () => { return 9 }", "function", ""],
    ["(async (tools) => tools);", "function", ""],
    ["(function () {})", "function", ""],
    ["export default async (tools) => 1", "function", ""],
    ["export default function main() {}", "function", "main"],
    ["(() => 1)()", "program", ""],
    ["const f = () => 1; f()", "program", "f"],
    ["for (var i of [1]) { if (i) { var j = function k() { var l } } }", "program", "i,j"],
    ["if (x) { function f() {} }", "program", "f"],
    ["'use strict'", "program", ""],
    ["1", "program", ""],
  ])("%j is %s of %j", async (source, kind, declared) => {
    const result = await accept(source);
    expect([result.kind, result.declared.join()]).toEqual([kind, declared]);
  });
});

describe("notes", () => {
  test.each([
    ["1 + 1", []],
    ["```js\n1\n```", ["Read as the content of the code fence."]],
    ["```js\n1", ["Read as the content of an unclosed code fence."]],
    ["1\n```", ["Read without the code fence at the end."]],
    ["1\n</code>", ["Read without the `</code>` at the end."]],
    ["1;\\n2", ["Read with its escaped line breaks as line breaks."]],
    ["const tools = 1", ["`tools` is reserved: your own `tools` is local to this eval."]],
    ["new Set<Key>(x)", ["Read as TypeScript: `<...>(` as type arguments, not as comparisons."]],
    ["type A = string", ["Only types, which leave nothing to run."]],
    ["const s = '```'; s", []],
  ])("%j: %j", async (source, notes) => {
    expect((await accept(source)).notes).toEqual(notes);
  });

  test("names further reserved globals", async () => {
    const { code, declared } = await accept("const frozen = 2; frozen", { reserved: ["frozen"] });
    expect([code, declared]).toEqual(["var   frozen_local = 2; frozen_local", []]);
  });
});

describe("syntax errors", () => {
  test.each([
    ["const = 5", "Unexpected token '='", "1:7", "const = 5"],
    ["let a6 = 1;\nlet b6 = (2;\nb6", "Unexpected token ';'", "2:12", "let b6 = (2;"],
    ["foo(1, 2", "Unexpected end of input", "1:9", "foo(1, 2"],
    ["let x = 1\nlet x = 2", "Identifier 'x' has already been declared", "2:5", "let x = 2"],
    [
      "const x = 1; { var x = 2 }",
      "Identifier 'x' has already been declared",
      "1:20",
      "const x = 1; { var x = 2 }",
    ],
    ["const a = 'abc\n", "Unterminated string constant", "1:11", "const a = 'abc"],
    ["const a = 1 const b = 2", "Unexpected identifier 'const'", "1:13", "const a = 1 const b = 2"],
    [
      "const a = 1\n{ a, b: 2 }",
      "Unexpected token ':': a statement that starts with an object literal needs parentheses around it",
      "2:7",
      "{ a, b: 2 }",
    ],
    ["f('a' 'b')", "Unexpected string", "1:7", "f('a' 'b')"],
    ["'use strict'; with (a) {}", "'with' in strict mode", "1:15", "'use strict'; with (a) {}"],
    ["break", "Unsyntactic break", "1:1", "break"],
    [
      "function f9(){ await 1 }",
      "await is only valid in async functions and at the top level",
      "1:22",
      "function f9(){ await 1 }",
    ],
    ["const a: number = (2;", "Unexpected token ';'", "1:21", "const a: number = (2;"],
    ["const x: number = 1\nconst y = ;", "Unexpected token ';'", "2:11", "const y = ;"],
    ["interface A { a: }\n1", "Unexpected token '}'", "1:18", "interface A { a: }"],
    ["const x: number = 1\r\nlet x = 2\r\n", "Identifier 'x' has already been declared", "2:5", "let x = 2"],
    [
      "const x: string = `${1}`; let x = 2",
      "Identifier 'x' has already been declared",
      "1:31",
      "const x: string = `${1}`; let x = 2",
    ],
    ["```js\nconst = 5\n```", "Unexpected token '='", "2:7", "const = 5"],
  ])("%j: %s", async (source, message, at, sourceLine) => {
    const failure = await refuse(source);
    expect(failure).toMatchObject({ code: "GUEST_SYNTAX", name: "SyntaxError", message, at, sourceLine });
  });

  test("carry the label of the eval", async () => {
    const { frames } = await refuse("1 +", { label: "eval 7" });
    expect(frames).toEqual([{ functionName: "", label: "eval 7", line: 1, column: 4, sourceLine: "1 +" }]);
  });
});

describe("refusals by name", () => {
  test.each([
    ["import _ from 'lodash'; 1", /^Cannot import "lodash": there are no modules here\./, "1:1"],
    ["1\nimport 'side'", /^Cannot import "side"/, "2:1"],
    ["const fs = await import('node:fs')", /^Cannot import "node:fs"/, "1:18"],
    ["const f = () => import(name)", /^Cannot import a module/, "1:17"],
    ["export * from 'x'", /^Cannot import "x"/, "1:1"],
    ["export { y } from 'x'", /^Cannot import "x"/, "1:1"],
    ["const a: number = 1; import z from 'z'", /^Cannot import "z"/, "1:22"],
    ["if (true) { import x from 'y' }", /^'import' may only stand at the top level/, "1:13"],
    ["() => { export const a = 1 }", /^'export' may only stand at the top level/, "1:9"],
    ["import.meta.url", /^import\.meta is not available/, "1:1"],
    ["import fs = require('fs');\n1", /^`import x = require\(\)` is not supported/, "1:1"],
    ["let a: number\nexport = a", /^`export =` is not supported/, "2:1"],
    ["namespace N { export const x = 1 }\nN.x", /^TypeScript namespaces are not supported/, "1:1"],
    [
      "let a: number = 1\nexport module M { export const x = 1 }",
      /^TypeScript namespaces are not supported/,
      "2:8",
    ],
    [
      "namespace T { export namespace N { export const x = 1 } }",
      /^TypeScript namespaces are not supported/,
      "1:22",
    ],
    [
      "declare namespace D { const y: 1 }\nnamespace N { const x = 1 }",
      /^TypeScript namespaces are not supported/,
      "2:1",
    ],
    [
      "const a = '\u{1f600}'; namespace N { const x = 1 }",
      /^TypeScript namespaces are not supported/,
      "1:17",
    ],
    ["function d(t){return t}\n@d class A2 {}", /^Decorators are not supported/, "2:1"],
    ["class A2 { @log m(): void {} }", /^Decorators are not supported/, "1:12"],
    ["const el = <div>hi</div>; el", /^JSX is not supported/, "1:12"],
    ["const el: Node = <App a={1} />; el", /^JSX is not supported/, "1:18"],
    ["const el = <div>hi</div>", /^JSX is not supported/, "1:12"],
    ["using y = open()", /^`using` declarations are not supported/, "1:1"],
    ["async function f() { await using y = open() }", /^`using` declarations are not supported/, "1:22"],
    ["for (using y of ys) {}", /^`using` declarations are not supported/, "1:6"],
  ])("%j", async (source, message, at) => {
    const failure = await refuse(source);
    expect(failure).toMatchObject({ code: "GUEST_SYNTAX", at });
    expect(failure.message).toMatch(message);
  });
});

describe("texts that are no code", () => {
  test.each([
    ["Here is the code:\n```ts\nconst a: number = 2; a\n```", /got prose mixed with code/],
    ["First:\n```js\n1\n```\nthen\n```js\n2\n```", /got 2 code blocks/],
    ["```js\n1\n```\n```js\n2\n```", /got 2 code blocks/],
    ["```js\n1\n```\n\n```js\n2\n```\n```js\n3\n```", /got 3 code blocks/],
    ["$ pwd", /not shell commands such as `\$ pwd`/],
    ["cat notes.txt | head", /not shell commands such as `cat notes.txt \| head`/],
    ["npm install x", /not shell commands/],
    ["cd /tmp && cat x", /not shell commands/],
    ["curl -s https://x.test", /not shell commands/],
    ["python3 script.py", /not shell commands/],
    ["def foo():\n  return 1", /not Python/],
    ["import os\nprint(os.getcwd())", /not Python/],
    ["for x in range(3):\n    print(x)", /not Python/],
    ["Let me think about this problem.", /text that is not code/],
    ["I will now compute the sum", /text that is not code/],
  ])("%j", async (source, message) => {
    const failure = await refuse(source);
    expect(failure.code).toBe("GUEST_SYNTAX");
    expect(failure.message).toMatch(/^This tool runs /);
    expect(failure.message).toMatch(message);
  });
});

describe("long texts", () => {
  // Each of these once took time to the square of its length, or worse.
  test.each([
    ["one long word", `const s = "${"QUJD".repeat(100_000)}"`],
    ["blank space", `1${" ".repeat(200_000)}x y`],
    ["blank lines", `1${"\n".repeat(100_000)}{ a, b: x }`],
    ["half tags", `x y ${"</a ".repeat(50_000)}x`],
    ["backticks", `x y ${"`".repeat(100_000)} x`],
    ["NULs", `[${"'\0',".repeat(20_000)}]`],
    [
      "names like that of the label",
      `return 1 // ${Array.from({ length: 10_000 }, (_, at) => `result_${at}`)}`,
    ],
    [
      "statements with types",
      Array.from({ length: 5_000 }, (_, at) => `let a${at}: number = ${at};`).join("\n"),
    ],
  ])("of %s are answered", async (_title, source) => {
    await expect(Promise.resolve(transformSource(source))).resolves.toHaveProperty("ok");
  });
});

describe("deep nesting", () => {
  const nest = (open: string, middle: string, close: string, depth: number) =>
    open.repeat(depth) + middle + close.repeat(depth);

  test.each([
    ["arrays", nest("[", "", "]", 10_000)],
    ["many arrays", nest("[", "", "]", 200_000)],
    ["only opening brackets", "[".repeat(200_000)],
    ["parentheses", nest("(", "1", ")", 10_000)],
    ["objects", `(${nest("{a:", "1", "}", 10_000)})`],
    ["a leading object", nest("{a:", "1", "}", 10_000)],
    ["templates", nest("`$" + "{", "1", "}`", 10_000)],
    ["functions", nest("(() => {", "", "})()", 300)],
    ["types", `let a: ${nest("Array<", "string", ">", 3_000)} = []; ${nest("[", "", "]", 300)}`],
    ["type arguments in parentheses", `let x: number = ${nest("<T>(", "1", ")", 60)}`],
    ["sums", `${"1 + ".repeat(50_000)}1`],
    ["operators", `${"- ".repeat(20_000)}1`],
    ["arrow functions", `${"x=>".repeat(3_000)}1`],
    ["conditionals", `${"1?1:".repeat(20_000)}1`],
    ["statements", `${"if(1)".repeat(3_000)};`],
    ["assignments", `${"a=".repeat(6_000)}1`],
    ["tokens behind a string that does not end", `'abc\n${"(".repeat(50_000)}`],
  ])("of %s is a failure, not an overflow", async (_title, source) => {
    const failure = await refuse(source);
    expect(["STACK", "GUEST_SYNTAX"]).toContain(failure.code);
    expect(failure.message.length).toBeLessThan(200);
  });

  test.each([
    ["brackets in strings", `const s = "${"(".repeat(5_000)}"; s.length`],
    ["brackets in comments", `/* ${"{".repeat(5_000)} */ 1`],
    ["brackets in regular expressions", `/${"\\(".repeat(500)}/.source.length`],
    ["long sums", `${"1 + ".repeat(1_500)}1`],
    ["long method chains", `q${".a()".repeat(1_500)}`],
    ["long arrays", `[${"[1],".repeat(5_000)}]`],
    ["type arguments side by side", `let x: number = 1; ${"f<T>(<T>(x)); ".repeat(100)}`],
    ["everyday nesting", nest("[", "", "]", 150)],
  ])("%s are no deep nesting", async (_title, source) => {
    expect((await accept(source)).kind).toBe("program");
  });
});
