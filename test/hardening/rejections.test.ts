import { beforeAll, describe, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import { codeFrom, evalValue, expectHealthy, valueFrom } from "../support/results.js";

let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
});

const tools = {
  ok: async () => "ok",
  fail: async () => {
    throw new Error("lost");
  },
  failLater: () => new Promise((_, reject) => setTimeout(() => reject(new Error("lost")), 5)),
};

const unhandled: Record<string, string> = {
  "a rejected promise": "Promise.reject(new Error('lost')); 5",
  "an async function called at once": "(async () => { throw new Error('lost') })(); 5",
  "an async function called at once, after a wait": "(async () => { await 0; throw new Error('lost') })(); 5",
  "a function of the eval": "async function f() { throw new Error('lost') } f(); 5",
  "an arrow of the eval": "const f = async () => { await 0; throw new Error('lost') }; f(); 5",
  "a statement behind void": "void (async () => { throw new Error('lost') })(); 5",
  "a condition": "true && Promise.reject(new Error('lost')); 5",
  "a statement in a function": "function g() { Promise.reject(new Error('lost')); return 5 } g()",
  "a chain": "Promise.resolve().then(() => { throw new Error('lost') }); 5",
  finally: "Promise.reject(new Error('lost')).finally(() => {}); 5",
  "Promise.all": "Promise.all([Promise.reject(new Error('lost'))]); 5",
  "new Promise": "new Promise((_, reject) => reject(new Error('lost'))); 5",
  "a call of a tool": "tools.fail({}); 5",
  "a call of a tool that fails later": "tools.failLater({}); 5",
  "a chain on a call": "tools.failLater({}).then((x) => x); 5",
  "async callbacks of forEach": "[1].forEach(async () => { await tools.fail({}) }); 5",
  "an async callback of a timer that is awaited":
    "await new Promise((resolve) => { setTimeout(async () => { resolve(); throw new Error('lost') }, 0) }); 5",
  "a throwing callback of a timer":
    "await new Promise((resolve) => { setTimeout(() => { resolve(); throw new Error('lost') }, 0) }); 5",
  "a promise in a variable": "globalThis.p = Promise.reject(new Error('lost')); 5",
};

describe("a rejection that nothing handles is told with the result, and costs nothing else:", () => {
  test.each(Object.entries(unhandled))("%s", async (_, source) => {
    const session = await interpreter.open();
    const result = await session.eval(source, { tools });
    expect(valueFrom(result)).toBe(5);
    expect(result.notes).toEqual(["unhandled rejection: Error: lost"]);
    await expectHealthy(session);
  });
});

const handled: Record<string, string> = {
  "handled at once": "Promise.reject(new Error('x')).catch(() => {}); 5",
  "handled late": "const p = Promise.reject(new Error('late')); await 0; p.catch(() => 0); 5",
  "handled by await": "try { await Promise.reject(new Error('x')) } catch {} 5",
  "the loser of a race": "await Promise.race([tools.ok({}), tools.failLater({})]); 5",
  "settled together": "await Promise.allSettled([tools.fail({}), Promise.reject(1)]); 5",
  "any of several": "await Promise.any([tools.fail({}), tools.ok({})]); 5",
  "handled by then": "tools.fail({}).then(null, () => {}); 5",
  "forEach whose callbacks catch": "[1].forEach(async () => { try { await tools.fail({}) } catch {} }); 5",
};

describe("a rejection that is handled stays quiet:", () => {
  test.each(Object.entries(handled))("%s", async (_, source) => {
    const session = await interpreter.open();
    const result = await session.eval(source, { tools });
    expect(valueFrom(result)).toBe(5);
    expect(result.notes).toEqual([]);
  });
});

test("it is told once, in the eval in which it happened", async () => {
  const session = await interpreter.open();
  await session.eval("globalThis.p = Promise.reject(new Error('lost')); 5");
  expect((await session.eval("1")).notes).toEqual([]);
});

test("at most five of many are told", async () => {
  const session = await interpreter.open();
  const result = await session.eval("for (let i = 0; i < 50; i++) Promise.reject(new Error('lost ' + i)); 5");
  expect(result.notes).toHaveLength(5);
});

test("a statement that is kept has the value it had", async () => {
  const session = await interpreter.open();
  expect(await evalValue(session, "let n = 0; if (true) { (async () => { n++ })() } await 0; n")).toBe(1);
  expect(codeFrom(await session.eval("async function f() {} f(); f()"))).toBe("completed");
  expect(
    await evalValue(session, "[1, 2].forEach(async function (x) { this.push(x) }, globalThis.out = []); out"),
  ).toEqual([1, 2]);
});
