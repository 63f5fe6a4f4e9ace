import { transformTable } from "../../support/transform-rows.js";

transformTable("top-level return", [
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

transformTable("completion values", [
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

transformTable("what JavaScript allows in a script", [
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

transformTable("unsafe characters in the source", [
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

transformTable("wrapping around code", [
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

transformTable("commands", [
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
