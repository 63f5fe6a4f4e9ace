import { type Row, withTools } from "./row.js";

/** Values on their way to a tool and back, as code sees them. */
export const boundaryRows: readonly Row[] = [
  [
    "keeps NUL and half a pair in a value",
    "const s = 'x\\u0000y\\ud83d'; (await tools.echo(s)) === s",
    "→ true",
    withTools,
  ],
  [
    "keeps NUL and half a pair in a key",
    "const k = 'x\\u0000y\\ud83d'; Object.keys(await tools.echo({ [k]: 1 }))[0] === k",
    "→ true",
    withTools,
  ],
  ["keeps NUL and half a pair in the source", "const s = 'a\u0000b\ud83dc'; s.length", "→ 5"],
  ["keeps U+2028 in a value", "(await tools.echo('a\\u2028b')).length", "→ 3", withTools],
  [
    "keeps bytes",
    "await tools.echo({ b: new Uint8Array([255]) })",
    '→ {"b": Uint8Array(1) [255]}',
    withTools,
  ],
  [
    "keeps the kind of a typed array",
    "await tools.echo([new Int8Array([-1]), new Float64Array([0.5]), new ArrayBuffer(1)])",
    "→ [Int8Array(1) [-1], Float64Array(1) [0.5], ArrayBuffer(1) [0]]",
    withTools,
  ],
  [
    "keeps undefined",
    "await tools.echo({ q: undefined, list: [1, undefined] })",
    '→ {"q": undefined, "list": [1, undefined]}',
    withTools,
  ],
  ["gives undefined where no argument is", "await tools.echo()", "→ undefined", withTools],
  [
    "keeps null apart from undefined",
    "[await tools.echo(null), await tools.echo(undefined)]",
    "→ [null, undefined]",
    withTools,
  ],
  ["keeps BigInt", "await tools.echo({ n: 2n ** 70n })", '→ {"n": 1180591620717411303424n}', withTools],
  [
    "keeps NaN, -0 and Infinity",
    "await tools.echo([NaN, -0, -Infinity])",
    "→ [NaN, -0, -Infinity]",
    withTools,
  ],
  ["keeps holes", "await tools.echo([1, , 3])", "→ [1, <1 empty>, 3]", withTools],
  [
    "keeps cycles",
    "const o = { n: 1 }; o.self = o; const b = await tools.echo(o); b.self === b",
    "→ true",
    withTools,
  ],
  [
    "keeps shared references",
    "const s = {}; const b = await tools.echo([s, s]); b[0] === b[1]",
    "→ true",
    withTools,
  ],
  [
    "keeps a __proto__ key as a key",
    'const b = await tools.echo(JSON.parse(\'{"__proto__": {"a": 1}}\')); [Object.keys(b), b.a]',
    '→ [["__proto__"], undefined]',
    withTools,
  ],
  [
    "keeps errors with their cause",
    "const e = await tools.echo(new RangeError('far', { cause: new Error('deep') })); [e instanceof RangeError, e.message, e.cause.message]",
    '→ [true, "far", "deep"]',
    withTools,
  ],
  [
    "keeps a null prototype",
    "Object.getPrototypeOf(await tools.echo(Object.assign(Object.create(null), { a: 1 })))",
    "→ null",
    withTools,
  ],
  ["keeps regular expressions", "await tools.echo(/a/gi)", "→ /a/gi", withTools],
  ["keeps a large value", "(await tools.echo('x'.repeat(1e6))).length", "→ 1000000", withTools],
  [
    "refuses a function as an argument",
    "await tools.echo({ f() {} })",
    "TypeError: tools.echo: the argument.f is a function and cannot be passed. Pass data instead.\n  at eval 1, line 1, column 17\n    await tools.echo({ f() {} })",
    withTools,
  ],
  [
    "refuses a promise as an argument",
    "await tools.echo({ p: tools.num({}) })",
    "TypeError: tools.echo: the argument.p is a Promise and cannot be passed. Await it first.\n  at eval 1, line 1, column 17\n    await tools.echo({ p: tools.num({}) })",
    withTools,
  ],
  [
    "refuses two arguments",
    "await tools.echo(1, 2)",
    "TypeError: tools.echo takes one argument, an object with its inputs, but was given 2.\n  at eval 1, line 1, column 17\n    await tools.echo(1, 2)",
    withTools,
  ],
  [
    "refuses a symbol as an argument",
    "await tools.echo(Symbol('s'))",
    "TypeError: tools.echo: the argument is a symbol and cannot be passed. Pass data instead.\n  at eval 1, line 1, column 17\n    await tools.echo(Symbol('s'))",
    withTools,
  ],
  [
    "runs a getter of an argument within the eval's time",
    "await tools.echo({ get a() { while (true) {} } })",
    /^Timeout: /,
    { eval: { ...withTools.eval, limits: { executionTimeoutMs: 60 } } },
  ],
  [
    "takes class instances by their fields",
    "class P { x = 1; #y = 2 } await tools.echo(new P())",
    '→ {"x": 1}',
    withTools,
  ],
  [
    "says where a value is that no memory is left for",
    "const t = { s: 'a'.repeat(7e6) }; t",
    /^(?:→ \{\n {2}"s": "a+" \.\.\. \d+ more characters \.\.\. "a+"\n\}\n\(shortened; the whole value is in t\)|Out of memory: )/,
    { interpreter: { limits: { memoryLimitBytes: 32 * 1024 * 1024 } } },
  ],
  [
    "keeps an error's data",
    "try { await tools.limit({}) } catch (e) { e.data.retryAfter }",
    "→ 30",
    {
      eval: {
        tools: {
          limit: () => {
            throw Object.assign(new Error("slow down"), { data: { retryAfter: 30 } });
          },
        },
      },
    },
  ],
  [
    "takes what a tool throws that is no error",
    "try { await tools.odd({}) } catch (e) { e }",
    '→ {"code": 1}',
    {
      eval: {
        tools: {
          odd: () => {
            throw { code: 1 };
          },
        },
      },
    },
  ],
];
