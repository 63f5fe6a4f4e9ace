import { beforeAll, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import type { EvalResult } from "../../src/result/outcome.js";

let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
});

const valueFrom = (result: EvalResult): unknown => {
  if (result.status !== "completed") throw new Error(`not completed: ${JSON.stringify(result)}`);
  return result.value;
};
const codeFrom = (result: EvalResult): string =>
  result.status === "failed" ? result.error.code : result.status;

test("evaluates to the completion value and keeps top-level bindings", async () => {
  const session = await interpreter.open();
  expect(valueFrom(await session.eval("const a = await Promise.resolve(20); a + 1"))).toBe(21);
  expect(valueFrom(await session.eval("const a = 2; if (a > 1) { a * 10 }"))).toBe(20);
});

test("captures console lines in order", async () => {
  const session = await interpreter.open();
  const { logs } = await session.eval("console.log('one', { a: 1 }); console.warn('two'); 3");
  expect(logs).toEqual([
    { level: "log", text: 'one {"a": 1}' },
    { level: "warn", text: "two" },
  ]);
});

test("hands values of every kind to host functions and back", async () => {
  const session = await interpreter.open();
  const result = await session.eval(
    "const m = new Map([[1n, undefined]]); const o = { m, d: new Date(5), b: new Uint8Array([1, 2]), n: -0 }; o.self = o; await tools.echo(o)",
    { tools: { echo: (input) => input } },
  );
  const value = valueFrom(result) as Record<string, unknown>;
  expect(value["m"]).toEqual(new Map([[1n, undefined]]));
  expect(value["d"]).toEqual(new Date(5));
  expect(value["b"]).toEqual(new Uint8Array([1, 2]));
  expect(Object.is(value["n"], -0)).toBe(true);
  expect(value["self"]).toBe(value);
});

test("closures, private fields, generators and pending awaits continue in a restored session", async () => {
  const session = await interpreter.open();
  await session.eval(`
    const counter = (() => { let n = 0; return () => ++n; })(); counter();
    class Box { #x = 41; get() { return ++this.#x; } }
    const box = new Box();
    function* naturals() { let i = 0; while (true) yield i++; }
    const numbers = naturals(); numbers.next();
    let open; const gate = new Promise((resolve) => { open = resolve; });
    let seen = "waiting"; (async () => { seen = "resumed with " + (await gate); })(); 0;
  `);
  const restored = await interpreter.restore(await session.snapshot());
  expect(valueFrom(await restored.eval("[counter(), box.get(), numbers.next().value]"))).toEqual([2, 42, 1]);
  expect(valueFrom(await restored.eval("open('X'); await 0; await 0; seen"))).toBe("resumed with X");
  expect(valueFrom(await session.eval("counter()"))).toBe(2);
});

test("an infinite loop ends by the clock and the session goes on", async () => {
  const session = await interpreter.open();
  await session.eval("var kept = 1");
  expect(
    codeFrom(await session.eval("kept = 2; while (true) {}", { limits: { executionTimeoutMs: 50 } })),
  ).toBe("TIMEOUT");
  expect(valueFrom(await session.eval("kept"))).toBe(2);
});

test("an infinite loop ends where the clock stands still", async () => {
  const frozen = await createInterpreter({
    time: { now: () => 1000, after: () => () => {} },
    limits: { executionTimeoutMs: 100 },
  });
  const session = await frozen.open();
  expect(codeFrom(await session.eval("while (true) {}"))).toBe("TIMEOUT");
  expect(codeFrom(await session.eval("const f = () => Promise.resolve().then(f); await f()"))).toBe(
    "TIMEOUT",
  );
  expect(valueFrom(await session.eval("1 + 1"))).toBe(2);
});

test("memory is limited, buffers included, and the next eval works", async () => {
  const session = await interpreter.open();
  const greedy =
    "(() => { const a = []; for (let i = 0; i < 500; i++) a.push(new ArrayBuffer(1 << 20)); })()";
  expect(codeFrom(await session.eval(greedy))).toBe("MEMORY");
  expect(valueFrom(await session.eval("1 + 1"))).toBe(2);
  expect(session.memoryBytes).toBeLessThanOrEqual(64 * 1024 * 1024);
});

test("a promise that nothing can settle is reported at once", async () => {
  const session = await interpreter.open();
  expect(codeFrom(await session.eval("await new Promise(() => {})"))).toBe("GUEST_UNSETTLED");
});

test("an unfinished call is awaited, and a timer that was not is cancelled and told", async () => {
  const session = await interpreter.open();
  const result = await session.eval(
    "tools.slow({}).then((v) => console.log(v)); setTimeout(() => console.log('never'), 60_000); 7",
    {
      tools: { slow: () => new Promise((resolve) => setTimeout(() => resolve("late"), 5)) },
    },
  );
  expect(result.logs.map((line) => line.text)).toEqual(["late"]);
  expect(result.notes.join()).toMatch(/1 timer/);
});

test("an overflow of the host's stack costs the eval, not the session", async () => {
  const session = await interpreter.open();
  await session.eval("var kept = 1");
  const deep = "kept = 2; let o = null; for (let i = 0; i < 1e5; i++) o = { o }; JSON.stringify(o).length";
  expect(codeFrom(await session.eval(deep))).toBe("STACK");
  expect(valueFrom(await session.eval("[kept, typeof o]"))).toEqual([1, "undefined"]);
});

test("a rejection that nothing handles is told with the result", async () => {
  const session = await interpreter.open();
  const result = await session.eval("globalThis.p = Promise.reject(new Error('lost')); 5");
  expect(result.notes).toEqual(["unhandled rejection: Error: lost"]);
});

test("an eval that was given up does not answer for a later one", async () => {
  const session = await interpreter.open();
  const first =
    "let open; const gate = new Promise((resolve) => { open = resolve; }); (async () => { await gate; })()";
  expect(codeFrom(await session.eval(first))).toBe("GUEST_UNSETTLED");
  expect(valueFrom(await session.eval("open(); await 0; await 0; 'second'"))).toBe("second");
});
