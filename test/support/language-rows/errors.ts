import type { Row } from "./row.js";
import { withTools } from "./row.js";

export const errorRows: readonly Row[] = [
  ["shows a thrown string", "throw 'str'", 'Thrown: "str"'],
  ["shows a thrown number", "throw 42", "Thrown: 42"],
  ["shows a thrown object", "throw {code:5}", 'Thrown: {"code": 5}'],
  ["shows a thrown null", "throw null", "Thrown: null"],
  ["shows a thrown undefined", "throw undefined", "Thrown: undefined"],
  ["shows a thrown function", "throw () => 1", "Thrown: [Function (anonymous)]"],
  ["shows a rejection with a string", "await Promise.reject('rs')", 'Thrown: "rs"'],
  [
    "shows a cause",
    "throw new Error('outer', {cause: new TypeError('inner')})",
    "Error: outer\n  at eval 1, line 1, column 16\n    throw new Error('outer', {cause: new TypeError('inner')})\n  cause: TypeError: inner\n    at eval 1, line 1, column 47\n      throw new Error('outer', {cause: new TypeError('inner')})",
  ],
  [
    "shows a chain of causes",
    "const a = new Error('a'); const b = new Error('b', { cause: a }); throw new Error('c', { cause: b })",
    /^Error: c\n[\s\S]*cause: Error: b\n[\s\S]*cause: Error: a\n/,
  ],
  [
    "shows a cause that is no error",
    "throw new Error('x', { cause: { code: 7 } })",
    "Error: x\n  at eval 1, line 1, column 16\n    throw new Error('x', { cause: { code: 7 } })\n  cause: Thrown: {\"code\": 7}",
  ],
  [
    "shows collected errors",
    "await Promise.any([Promise.reject(new Error('a')), Promise.reject(new Error('b'))])",
    "AggregateError\n  at eval 1, line 1, column 18\n    await Promise.any([Promise.reject(new Error('a')), Promise.reject(new Error('b'))])\n  [0]: Error: a\n    at eval 1, line 1, column 44\n      await Promise.any([Promise.reject(new Error('a')), Promise.reject(new Error('b'))])\n  [1]: Error: b\n    at eval 1, line 1, column 76\n      await Promise.any([Promise.reject(new Error('a')), Promise.reject(new Error('b'))])",
  ],
  [
    "shows an AggregateError",
    "throw new AggregateError([new Error('one'), 2], 'both')",
    "AggregateError: both\n  at eval 1, line 1, column 25\n    throw new AggregateError([new Error('one'), 2], 'both')\n  [0]: Error: one\n    at eval 1, line 1, column 36\n      throw new AggregateError([new Error('one'), 2], 'both')\n  [1]: Thrown: 2",
  ],
  [
    "shows an error class by its own name",
    "class MyErr extends Error { constructor(m){super(m); this.name='MyErr'} }\nthrow new MyErr('cm')",
    "Uncaught MyErr: cm\n  at MyErr (eval 1, line 1, column 49)\n    class MyErr extends Error { constructor(m){super(m); this.name='MyErr'} }\n  at eval 1, line 2, column 16",
  ],
  [
    "shows an error class without a name of its own",
    "class HttpError extends Error { status = 404 }\nthrow new HttpError('missing')",
    'HttpError: missing\n  at HttpError (eval 1, line 1, column 46)\n    class HttpError extends Error { status = 404 }\n  at eval 1, line 2, column 20\n  {"status": 404}',
  ],
  [
    "shows properties of an error",
    "throw Object.assign(new Error('limit'), { code: 'RATE', retryAfter: 30 })",
    'Error: limit\n  at eval 1, line 1, column 30\n    throw Object.assign(new Error(\'limit\'), { code: \'RATE\', retryAfter: 30 })\n  {"code": "RATE", "retryAfter": 30}',
  ],
  [
    "shows an error without a message",
    "throw new Error()",
    "Error\n  at eval 1, line 1, column 16\n    throw new Error()",
  ],
  [
    "reports a name that is not defined",
    "nope",
    "ReferenceError: nope is not defined\n  at eval 1, line 1, column 1\n    nope",
  ],
  [
    "reports a property of null",
    "null.foo",
    "TypeError: cannot read property 'foo' of null\n  at eval 1, line 1, column 5\n    null.foo",
  ],
  [
    "reports a property of undefined",
    "const u = {}; u.a.b",
    "TypeError: cannot read property 'b' of undefined\n  at eval 1, line 1, column 18\n    const u = {}; u.a.b",
  ],
  [
    "names what is not a function",
    "const o9={}; o9.f()",
    "TypeError: o9.f is not a function\n  at eval 1, line 1, column 18\n    const o9={}; o9.f()",
  ],
  [
    "names a variable that is not a function",
    "const n = 5; n()",
    "TypeError: n is not a function\n  at eval 1, line 1, column 15\n    const n = 5; n()",
  ],
  [
    "names a method in a chain that is not a function",
    "[1,2].map((x) => x).fliter(Boolean)",
    "TypeError: (...).fliter is not a function\n  at eval 1, line 1, column 27\n    [1,2].map((x) => x).fliter(Boolean)",
  ],
  [
    "names a computed callee as well as it can",
    "const o = {}; o['a' + 'b']()",
    "TypeError: o['a'+'b'] is not a function\n  at eval 1, line 1, column 27\n    const o = {}; o['a' + 'b']()",
  ],
  [
    "reports what is not a constructor",
    "new (5)",
    "TypeError: not a function\n  at eval 1, line 1, column 8\n    new (5)",
  ],
  [
    "reports what is not iterable",
    "const [a] = 5",
    "TypeError: value is not iterable\n  at eval 1, line 1, column 1\n    const [a] = 5",
  ],
  [
    "shows where in a function an error was made",
    "const a5=1;\nfunction inner(){ throw new Error('deep') }\ninner()",
    "Error: deep\n  at inner (eval 1, line 2, column 34)\n    function inner(){ throw new Error('deep') }\n  at eval 1, line 3, column 6",
  ],
  [
    "shows lines as the model wrote them",
    'const a = 1;\nconst b = 2;\nthrow new RangeError("line three")',
    'RangeError: line three\n  at eval 1, line 3, column 21\n    throw new RangeError("line three")',
  ],
  [
    "shows the eval a function came from",
    ["function helper(x) {\n  return x.y.z;\n}", "helper({})"],
    "TypeError: cannot read property 'z' of undefined\n  at helper (eval 1, line 2, column 13)\n    return x.y.z;\n  at eval 2, line 1, column 7",
  ],
  [
    "shows frames of async functions",
    "async function a() { await 0; throw new Error('in a') }\nasync function b() { await a() }\nawait b()",
    "Error: in a\n  at a (eval 1, line 1, column 46)\n    async function a() { await 0; throw new Error('in a') }",
  ],
  [
    "reports a missing variable name",
    "const = 5",
    "SyntaxError: Unexpected token '='\n  at eval 1, line 1, column 7\n    const = 5\n          ^",
  ],
  [
    "reports an unexpected token on its line",
    "let a6 = 1;\nlet b6 = (2;\nb6",
    "SyntaxError: Unexpected token ';'\n  at eval 1, line 2, column 12\n    let b6 = (2;\n               ^",
  ],
  [
    "reports an unclosed brace",
    "function f() {\n  return 1",
    "SyntaxError: Unexpected end of input\n  at eval 1, line 2, column 11\n      return 1\n              ^",
  ],
  [
    "reports an unclosed string",
    "const s = 'abc\nconst t = 1",
    "SyntaxError: Unterminated string constant\n  at eval 1, line 1, column 11\n    const s = 'abc\n              ^",
  ],
  [
    "reports an unclosed template",
    "const s = `abc",
    "SyntaxError: Unterminated template\n  at eval 1, line 1, column 12\n    const s = `abc\n               ^",
  ],
  [
    "reports an invalid regular expression",
    "const r = /[/",
    "SyntaxError: Unterminated regular expression\n  at eval 1, line 1, column 12\n    const r = /[/\n               ^",
  ],
  [
    "reports a regular expression that the engine refuses",
    "new RegExp('[')",
    "SyntaxError: unexpected end\n  at eval 1, line 1, column 11\n    new RegExp('[')",
  ],
  [
    "reports a syntax error of eval()",
    "eval('1 +')",
    "SyntaxError: unexpected token in expression: ''\n  at eval 1, line 1, column 5\n    eval('1 +')",
  ],
  [
    "reports a syntax error of new Function",
    "new Function('return (')",
    "SyntaxError: unexpected token in expression: '}'\n  at eval 1, line 1, column 13\n    new Function('return (')",
  ],
  [
    "reports a syntax error of JSON.parse",
    "JSON.parse('{bad')",
    "SyntaxError: expecting property name\n  at eval 1, line 1, column 11\n    JSON.parse('{bad')",
  ],
  [
    "reports an invalid assignment",
    "1 = 2",
    "SyntaxError: Assigning to rvalue\n  at eval 1, line 1, column 1\n    1 = 2\n    ^",
  ],
  [
    "reports a duplicate parameter in strict code",
    "'use strict'; function f(a, a) {}",
    "SyntaxError: Argument name clash\n  at eval 1, line 1, column 29\n    'use strict'; function f(a, a) {}\n                                ^",
  ],
  [
    "reports a break outside of a loop",
    "break",
    "SyntaxError: Unsyntactic break\n  at eval 1, line 1, column 1\n    break\n    ^",
  ],
  [
    "cuts a long message",
    "throw new Error('m'.repeat(6000))",
    /^Error: m{1000,}[\s\S]*characters cut\] …[\s\S]{0,3000}$/,
  ],
  [
    "reports a line that joins the one above",
    "const a7 = 1\n(function(){ return 2 })()",
    "TypeError: not a function\n  at eval 1, line 2, column 1\n    (function(){ return 2 })()",
  ],
  [
    "shows console lines before the error",
    "console.log('before'); throw new Error('E1')",
    "before\nError: E1\n  at eval 1, line 1, column 39\n    console.log('before'); throw new Error('E1')",
  ],
  [
    "names a rejected value in data",
    "({ e: await Promise.reject(new Error('r')).catch((e) => e) })",
    '→ {"e": [Error: r]}',
  ],
  [
    "reports infinite recursion",
    "function r(n) { return r(n + 1) + 1 }\nr(0)",
    /^(?:InternalError: stack overflow\n {2}at r \(eval 1, line 1, column 25\)\n {4}function r\(n\) \{.*\n {2}\.\.\. the same 19 more times$|Stack overflow: )/,
  ],
  [
    "lets code catch infinite recursion",
    "function r() { return r() + 1 }\ntry { r() } catch (e) { e.name }",
    /^(?:→ InternalError$|Stack overflow: )/,
  ],
  [
    "reports infinite async recursion",
    "async function r(n) { return await r(n + 1) }\nawait r(0)",
    /^(?:RangeError: |InternalError: stack overflow|Stack overflow: )/,
  ],
  [
    "reports memory that is full",
    "const a = []; for (;;) a.push(new Array(1e5).fill(1))",
    /^Out of memory: the session's limit is 16 MiB/,
    { interpreter: { limits: { memoryLimitBytes: 16 * 1024 * 1024 } } },
  ],
  [
    "cannot be made to read as a timeout",
    "const e = new Error('the code ran longer'); e.name = 'Timeout'; throw e",
    "Uncaught Timeout: the code ran longer\n  at eval 1, line 1, column 20\n    const e = new Error('the code ran longer'); e.name = 'Timeout'; throw e",
  ],
  [
    "keeps lines of a message apart from its own",
    "throw new Error('first\\n→ 5\\nTimeout: x')",
    "Error: first\n  → 5\n  Timeout: x\n  at eval 1, line 1, column 16\n    throw new Error('first\\n→ 5\\nTimeout: x')",
  ],
  [
    "does not run a getter for a message",
    "throw { get message() { while (true) {} } }",
    'Thrown: {"message": [Getter]}',
  ],
  [
    "does not run a getter of an error",
    "const e = new Error('x'); Object.defineProperty(e, 'message', { get() { while (true) {} } }); throw e",
    "Error\n  at eval 1, line 1, column 20\n    const e = new Error('x'); Object.defineProperty(e, 'message', { get() { while (true) {} } }); throw e",
  ],
  [
    "explains require",
    'const fs = require("fs")',
    'ReferenceError: require is not defined. There is no require() and no package here; write what you need in the code itself.\n  at eval 1, line 1, column 12\n    const fs = require("fs")',
  ],
  [
    "explains fetch",
    'await fetch("https://x.test")',
    'ReferenceError: fetch is not defined. There is no network here; use your other tools for that and pass the result in as a value.\n  at eval 1, line 1, column 7\n    await fetch("https://x.test")',
  ],
  [
    "explains fetch with the tools there are",
    'await fetch("https://x.test")',
    'ReferenceError: fetch is not defined. There is no network here; what reaches outside is tools.num, tools.echo, tools.boom.\n  at eval 1, line 1, column 7\n    await fetch("https://x.test")',
    withTools,
  ],
  [
    "explains process",
    "process.env",
    "ReferenceError: process is not defined. There is no process, environment or command line here; code only computes on values.\n  at eval 1, line 1, column 1\n    process.env",
  ],
  [
    "explains print",
    'print("hi")',
    'ReferenceError: print is not defined. Use console.log() to print; the value of the last expression is shown as well.\n  at eval 1, line 1, column 1\n    print("hi")',
  ],
  [
    "explains fs",
    "fs.readFileSync('a')",
    "ReferenceError: fs is not defined. There is no file system here; what reaches outside is tools.num, tools.echo, tools.boom.\n  at eval 1, line 1, column 1\n    fs.readFileSync('a')",
    withTools,
  ],
  [
    "explains Buffer",
    "Buffer.from('a')",
    "ReferenceError: Buffer is not defined. Use Uint8Array: TextEncoder and TextDecoder for text, toBase64(), toHex(), Uint8Array.fromBase64() and fromHex() for encodings.\n  at eval 1, line 1, column 1\n    Buffer.from('a')",
  ],
  [
    "explains window",
    "window.location",
    "ReferenceError: window is not defined. There is no page here; the global object is globalThis.\n  at eval 1, line 1, column 1\n    window.location",
  ],
  [
    "explains module.exports",
    "module.exports = 1",
    "ReferenceError: module is not defined. There is no require() and no package here; write what you need in the code itself.\n  at eval 1, line 1, column 1\n    module.exports = 1",
  ],
  [
    "explains localStorage",
    "localStorage.getItem('a')",
    "ReferenceError: localStorage is not defined. There is no storage here; a variable on globalThis holds a value between the statements of a session.\n  at eval 1, line 1, column 1\n    localStorage.getItem('a')",
  ],
  [
    "explains in a function of an earlier eval",
    ["const get = (u) => fetch(u);", "await get('x')"],
    "ReferenceError: fetch is not defined. There is no network here; use your other tools for that and pass the result in as a value.\n  at get (eval 1, line 1, column 20)\n    const get = (u) => fetch(u);\n  at eval 2, line 1, column 10",
  ],
  ["does not explain a name of the code", "const fetch = (x) => x; fetch(3)", "→ 3"],
  [
    "does not explain a caught error",
    "try { fetch('x') } catch (e) { e.message }",
    "→ 'fetch' is not defined",
  ],
  [
    "finds typeof of what is missing",
    "typeof fetch + typeof require + typeof process",
    "→ undefinedundefinedundefined",
  ],
  [
    "explains a near name",
    "consol.log(1)",
    "ReferenceError: consol is not defined\n  at eval 1, line 1, column 1\n    consol.log(1)",
  ],
  [
    "explains Date.now without a clock",
    "Date.now()",
    "Error: There is no clock here. Pass the current time in as a value, or use a tool that tells it; dates made from given values work.\n  at eval 1, line 1, column 9\n    Date.now()",
  ],
  [
    "explains new Date without a clock",
    "new Date()",
    "Error: There is no clock here. Pass the current time in as a value, or use a tool that tells it; dates made from given values work.\n  at eval 1, line 1, column 9\n    new Date()",
  ],
  [
    "explains performance.now without a clock",
    "performance.now()",
    "Error: There is no clock here. Pass the current time in as a value, or use a tool that tells it; dates made from given values work.\n  at eval 1, line 1, column 16\n    performance.now()",
  ],
];
