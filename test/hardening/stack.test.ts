import { beforeAll, describe, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import { formatResult } from "../../src/result/result-text.js";
import { codeFrom, errorFrom, evalCode, evalValue, expectHealthy, valueFrom } from "../support/results.js";

let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
});

const tools = { echo: (input: unknown) => input };

/** Deep recursion in every shape; each must end as a value, an error of the guest's, or an overflow. */
const dives: Record<string, string> = {
  "a plain function": "function r() { return r() + 1 } r()",
  "an async function": "async function r() { return await r() } await r()",
  "a generator": "function* r() { yield* r() } r().next()",
  "a sort callback": "function r() { [1, 2].sort(() => { r(); return 0 }) } r()",
  "a replace callback": "function r() { 'a'.replace(/a/, () => { r(); return '' }) } r()",
  toString: "const o = { toString() { return '' + o } }; '' + o",
  "a getter": "const o = { get x() { return o.x } }; o.x",
  "a proxy trap": "const p = new Proxy({}, { get() { return p.x } }); p.x",
  "nested proxies": "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x",
  "a JSON.parse reviver": "function r() { JSON.parse('[1]', () => r()) } r()",
  "a JSON.stringify replacer": "function r() { JSON.stringify([1], () => r()) } r()",
  toJSON: "const o = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o)",
  "eval()": "function r() { return eval('r()') } r()",
  "a constructor": "function R() { Reflect.construct(R, []) } new R()",
  "an iterator": "const o = { [Symbol.iterator]() { return [...o] } }; [...o]",
  "a map callback": "function r() { [1].map(r) } r()",
  "bound functions": "let f = () => 1; for (let i = 0; i < 3000; i++) f = f.bind(null); f()",
  "a promise executor": "function r() { return new Promise(() => r()) } r()",
  "Symbol.species":
    "class A extends Array { static get [Symbol.species]() { return new A().map((x) => x) } } new A(3).map((x) => x)",
};

/** Deep data and deep source. */
const depths: Record<string, string> = {
  "JSON.parse": "JSON.parse('['.repeat(200_000))",
  "JSON.stringify": "let o = null; for (let i = 0; i < 1e5; i++) o = { o }; JSON.stringify(o).length",
  "String of arrays": "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; String(a).length",
  flat: "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; a.flat(Infinity).length",
  structuredClone: "let a = []; for (let i = 0; i < 1e4; i++) a = [a]; structuredClone(a).length",
  "the value of an eval": "let o = null; for (let i = 0; i < 1e4; i++) o = { o }; o",
  "a console line": "let o = null; for (let i = 0; i < 1e5; i++) o = { o }; console.log(o)",
  "a thrown value": "let o = null; for (let i = 0; i < 1e5; i++) o = { o }; throw o",
  "causes of an error":
    "let e = new Error('x'); for (let i = 0; i < 1e4; i++) e = new Error('x', { cause: e }); throw e",
  "the argument of a call": "let o = null; for (let i = 0; i < 1e4; i++) o = { o }; await tools.echo(o); 1",
  "a chain of promises":
    "let p = Promise.resolve(); for (let i = 0; i < 3e4; i++) p = p.then(() => i); await p",
  "a chain of prototypes": "let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); o.nothing",
  "a regular expression": "new RegExp('(?:'.repeat(3000) + 'a' + ')*'.repeat(3000)).test('a'.repeat(100))",
  "brackets in eval()": "eval('['.repeat(20_000) + ']'.repeat(20_000))",
  "operators in eval()": "eval('!'.repeat(100_000) + '1')",
  "templates in eval()": "eval('`${'.repeat(5000) + '1' + '}`'.repeat(5000))",
  "functions in eval()": "eval('()=>'.repeat(20_000) + '1')",
  "new Function": "new Function('return ' + '('.repeat(20_000) + '1' + ')'.repeat(20_000))()",
  "freed objects": "let o = null; for (let i = 0; i < 1e5; i++) o = { o }; o = null; 1",
  "source text": `${"[".repeat(5000)}${"]".repeat(5000)}`,
  "statements of source": `${"if (1) {".repeat(3000)}${"}".repeat(3000)}`,
};

const harmless = ["completed", "GUEST_THROW", "GUEST_SYNTAX", "GUEST_UNSETTLED", "STACK", "MEMORY"];

describe.each([
  ["recursion through", dives],
  ["depth of", depths],
])("%s", (_, sources) => {
  test.each(Object.entries(sources))("%s costs at most its own eval", async (_, source) => {
    const session = await interpreter.open();
    await session.eval(
      "var kept = { n: 1 }; const count = (() => { let n = 0; return () => ++n })(); count()",
    );
    expect(harmless).toContain(await evalCode(session, source, { tools }));
    expect(await evalValue(session, "[kept.n, count()]")).toEqual([1, 2]);
    await expectHealthy(session);
    session.dispose();
  });
});

test("recursion that is caught goes on", async () => {
  const session = await interpreter.open();
  const source =
    "let depth = 0; function r() { depth++; r() } let name; try { r() } catch (e) { name = e.name } [name, depth > 400]";
  expect(await evalValue(session, source)).toEqual([
    expect.stringMatching(/^(RangeError|InternalError)$/),
    true,
  ]);
});

test("overflowing a hundred times leaves the session as strong as before", async () => {
  const session = await interpreter.open();
  const depthOf = () =>
    evalValue(session, "var depth = 0; (function r() { depth++; r() })", {}).then(() =>
      evalValue(session, "depth = 0; try { (function r() { depth++; r() })() } catch {} depth"),
    );
  const before = await depthOf();
  await session.eval("var rounds = 0");
  const bytes = session.memoryBytes;
  const overflow = "JSON.parse('['.repeat(200_000))";
  for (let round = 1; round <= 100; round++) {
    expect(await evalValue(session, "++rounds")).toBe(round);
    expect(harmless).toContain(await evalCode(session, overflow));
  }
  expect(await depthOf()).toBe(before);
  expect(session.memoryBytes).toBe(bytes);
});

describe("an overflow says", () => {
  const overflow = "let o = null; for (let i = 0; i < 1e5; i++) o = { o }; JSON.stringify(o).length";

  test("that only its own changes are lost", async () => {
    const session = await interpreter.open();
    await session.eval("var kept = 1");
    const result = await session.eval(`kept = 2; ${overflow}`);
    expect(errorFrom(result)).toMatchObject({ code: "STACK", frames: [] });
    expect(formatResult(result, { maxResultChars: 400 })).toMatch(
      /^Stack overflow: .*nested too deep.*; the session is as it was before this eval, so only its own changes are lost$/,
    );
    expect(await evalValue(session, "kept")).toBe(1);
  });

  test("which evals are lost, where the session holds more than is copied before each", async () => {
    const session = await interpreter.open();
    await session.eval("var big = new Uint8Array(20 << 20).fill(1)");
    await session.snapshot({ layers: "image" });
    await session.eval("var two = 2");
    await session.eval("var three = 3");
    expect(errorFrom(await session.eval(overflow)).message).toMatch(
      /the session is as it was after eval 1: what evals 2 to 4 changed is lost$/,
    );
    expect(await evalValue(session, "[big.length, typeof two, typeof three]")).toEqual([
      20 << 20,
      "undefined",
      "undefined",
    ]);
  });

  test("that everything is lost, where there is nothing to go back to", async () => {
    const session = await interpreter.open();
    await session.eval("var big = new Uint8Array(20 << 20).fill(1)");
    expect(errorFrom(await session.eval(overflow)).message).toMatch(
      /the session starts empty: what evals 1 and 2 defined and changed is lost$/,
    );
    expect(await evalValue(session, "typeof big")).toBe("undefined");
    await expectHealthy(session);
  });
});

test("other sessions are untouched by an overflow", async () => {
  const [one, other] = [await interpreter.open(), await interpreter.open()];
  await other.eval("var mine = 7");
  const calls = other.eval("const answer = await tools.echo({ n: mine }); answer.n", {
    tools: {
      echo: async (input) => {
        await one.eval("JSON.parse('['.repeat(200_000))");
        return input;
      },
    },
  });
  expect(valueFrom(await calls)).toBe(7);
  expect(codeFrom(await one.eval("1"))).toBe("completed");
});
