import { beforeAll, describe, expect, test } from "vitest";
import type { Timekeeper } from "../../src/clock.js";
import type { EvalOptions } from "../../src/eval/eval-options.js";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import { errorFrom, evalCode, evalValue, expectHealthy, valueFrom } from "../support/results.js";

/** As in a deployed Worker: time stands still while code runs, and goes on when the event loop turns. */
function frozenTime(): Timekeeper {
  let now = performance.now();
  return {
    now: () => now,
    after(ms, callback) {
      const timer = setTimeout(() => {
        now = performance.now();
        callback();
      }, ms);
      return () => clearTimeout(timer);
    },
  };
}

let interpreter: Interpreter;
let frozen: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
  frozen = await createInterpreter({ time: frozenTime() });
});

const never = () => new Promise(() => {});
const tools = { echo: (input: unknown) => input, never };

/** Each would run for ever. */
const loops: Record<string, string> = {
  "a loop": "while (true) {}",
  "a loop that catches": "for (;;) { try { for (;;) {} } catch {} }",
  "a loop in finally": "try { throw 1 } finally { for (;;) {} }",
  "recursion through promises": "const f = () => Promise.resolve().then(f); await f()",
  "an endless chain of awaits": "for (;;) await null",
  "an async generator": "async function* g() { for (;;) yield 1 } for await (const x of g()) {}",
  "a generator": "function* g() { for (;;) yield 1 } for (const x of g()) {}",
  "a catastrophic regular expression": "/^(a+)+$/.test('a'.repeat(40) + '!')",
  "a sort callback": "[2, 1].sort(() => { for (;;) {} })",
  "a getter of a result of a tool": "const o = { get x() { for (;;) {} } }; await tools.echo(o)",
  "a proxy handed to a tool": "await tools.echo(new Proxy({}, { ownKeys() { for (;;) {} } }))",
  "a job that nobody awaits": "Promise.resolve().then(() => { for (;;) {} }); 1",
  "a thenable": "await { then() { for (;;) {} } }",
  "toString of a thrown value": "throw { toString() { for (;;) {} } } + ''",
  "async functions in a loop": "for (;;) (async () => { for (;;) {} })()",
  "async functions in a loop that use services": "for (;;) (async () => { console.error([1, , 3]) })()",
  "async functions that catch":
    "for (;;) (async () => { try { for (;;) {} } catch {} finally { for (;;) {} } })()",
  "nested async functions":
    "const f = async () => { await 0; for (;;) (async () => { for (;;) {} })() }; for (;;) f()",
  microtasks: "const f = () => queueMicrotask(f); f(); await new Promise(() => {})",
  "console in a loop": "for (;;) console.log('x'.repeat(10_000))",
  "calls in a loop": "for (;;) tools.echo({}).catch(() => {})",
  "a timer callback": "await new Promise(() => setTimeout(() => { for (;;) {} }, 0))",
  "JSON.parse reviver": "JSON.parse('[1]', () => { for (;;) {} })",
};

describe.each([
  ["by the clock", () => interpreter],
  ["by ticks where the clock stands still", () => frozen],
] as const)("ends %s:", (_, get) => {
  test.each(Object.entries(loops))("%s", async (_, source) => {
    const session = await get().open();
    await session.eval("var kept = 1");
    const error = errorFrom(
      await session.eval(`kept = 2; ${source}`, { tools, limits: { executionTimeoutMs: 60 } }),
    );
    expect(error).toMatchObject({
      code: "TIMEOUT",
      message: expect.stringContaining("60 ms (executionTimeoutMs)"),
    });
    expect(await evalValue(session, "kept")).toBe(2);
    await expectHealthy(session);
    session.dispose();
  });
});

test("where the clock stands still, what the host does for the code counts as its time", async () => {
  const session = await frozen.open();
  let lines = 0;
  const flood = "for (;;) console.log('x'.repeat(10_000))";
  await session.eval(flood, { limits: { executionTimeoutMs: 60 }, onLog: () => lines++ });
  // 0.1 ms each; by the engine's own steps it would be 40 000 lines and five seconds.
  expect(lines).toBeLessThan(2000);
  session.dispose();
});

/** What prints runs no guest code; where it did, the eval would not end. */
test("reading a value to show it runs no getter, toJSON or proxy trap", async () => {
  const session = await interpreter.open();
  const forever = "{ for (;;) {} }";
  const source = `const o = { get a() ${forever}, toJSON() ${forever} }; console.log(o, new Proxy({}, { get() ${forever}, ownKeys() ${forever} }));
    class E extends Error { get message() ${forever} get stack() ${forever} } console.log(new E()); [o, new Proxy([], { get() ${forever} })]`;
  expect(await evalCode(session, source, { limits: { executionTimeoutMs: 2000 } })).toBe("completed");
  expect(await evalCode(session, "throw new E()", { limits: { executionTimeoutMs: 2000 } })).toBe(
    "GUEST_THROW",
  );
  await session.snapshot();
  await expectHealthy(session);
});

test("waiting costs no guest time", async () => {
  const session = await interpreter.open();
  const slow = () => new Promise((resolve) => setTimeout(() => resolve("slow"), 150));
  const result = await session.eval("await tools.slow({}); await tools.slow({})", {
    tools: { slow },
    limits: { executionTimeoutMs: 100 },
  });
  expect(valueFrom(result)).toBe("slow");
  expect(result.statistics.guestMs).toBeLessThan(result.statistics.totalMs);
});

test("the work of a tool itself is not the guest's", async () => {
  const session = await interpreter.open();
  const busy = () => {
    const end = performance.now() + 120;
    while (performance.now() < end);
    return "done";
  };
  expect(
    await evalValue(session, "await tools.busy({})", { tools: { busy }, limits: { executionTimeoutMs: 60 } }),
  ).toBe("done");
});

test("the limit of the whole eval names itself and the calls that are pending", async () => {
  const session = await interpreter.open();
  const signals: AbortSignal[] = [];
  const options: EvalOptions = {
    tools: {
      slow: (_input, { signal }) => {
        signals.push(signal);
        return never();
      },
      quick: () => 1,
    },
    limits: { waitTimeoutMs: 40 },
  };
  const source =
    "var log = []; await tools.quick({}); await Promise.all([tools.slow({}), tools.slow({})]).finally(() => log.push('late')); log.push('never')";
  expect(errorFrom(await session.eval(source, options))).toMatchObject({
    code: "WAIT_TIMEOUT",
    message:
      "the eval took longer than 40 ms (waitTimeoutMs); still pending: slow, slow; what it changed until then stays",
  });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(await evalValue(session, "await 0; log.length")).toBe(0);
});

test("a promise that nothing can settle is told at once, timers and calls aside", async () => {
  const session = await interpreter.open();
  for (const source of [
    "await new Promise(() => {})",
    "const { promise } = Promise.withResolvers(); await promise",
    "await { then() {} }",
    "(async () => { await new Promise(() => {}) })()",
  ])
    expect(await evalCode(session, source)).toBe("GUEST_UNSETTLED");
});

describe("what settles after the end of an eval", () => {
  test.each([
    ["resolves", (resolve: (value: unknown) => void) => resolve("late")],
    ["rejects", (_: unknown, reject: (error: unknown) => void) => reject(new Error("late"))],
    [
      "settles twice",
      (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
        resolve(1);
        reject(2);
      },
    ],
  ])("is ignored when it %s", async (_, settle) => {
    const session = await interpreter.open();
    let late = () => {};
    const slow = () =>
      new Promise((resolve, reject) => {
        late = () => settle(resolve, reject);
      });
    const source =
      "var log = []; try { log.push(await tools.slow({})) } catch (e) { log.push('caught') } finally { log.push('finally') }";
    expect(await evalCode(session, source, { tools: { slow }, limits: { waitTimeoutMs: 20 } })).toBe(
      "WAIT_TIMEOUT",
    );
    const next = session.eval("await new Promise((resolve) => setTimeout(resolve, 5)); log.length");
    late();
    expect(valueFrom(await next)).toBe(0);
    expect(await evalValue(session, "log.length")).toBe(0);
  });
});

test("nothing of an ended eval runs in a later one", async () => {
  const session = await interpreter.open();
  await session.eval(
    "var log = []; const f = () => Promise.resolve().then(() => { log.push(1) }).then(f); setInterval(() => log.push('t'), 0); f(); await new Promise(() => {})",
    { limits: { executionTimeoutMs: 30 } },
  );
  const length = await evalValue(session, "log.length");
  await session.eval(
    "for (let i = 0; i < 50; i++) await null; await new Promise((resolve) => setTimeout(resolve, 5))",
  );
  expect(await evalValue(session, "log.length")).toBe(length);
});

test("an interval that nobody awaits ends with its eval, one that is awaited with the whole eval's limit", async () => {
  const session = await interpreter.open();
  const result = await session.eval("var n = 0; setInterval(() => n++, 0); 'done'");
  expect(valueFrom(result)).toBe("done");
  expect(result.notes.join()).toMatch(/1 timer/);
  expect(
    await evalCode(session, "await new Promise(() => setInterval(() => n++, 0))", {
      limits: { waitTimeoutMs: 30 },
    }),
  ).toBe("WAIT_TIMEOUT");
  const n = await evalValue(session, "n");
  expect(await evalValue(session, "await new Promise((resolve) => setTimeout(resolve, 5)); n")).toBe(n);
});

test("more timers than a program needs are refused", async () => {
  const session = await interpreter.open();
  expect(errorFrom(await session.eval("for (;;) setTimeout(() => {}, 1e6)")).message).toMatch(/10000 timers/);
  await expectHealthy(session);
});

test("no limit means none", async () => {
  const session = await interpreter.open();
  const limits = { executionTimeoutMs: null, waitTimeoutMs: null };
  expect(await evalValue(session, "let n = 0; for (let i = 0; i < 1e6; i++) n++; n", { limits })).toBe(1e6);
});

test("calls beyond the budget are refused without being started, with how many ran", async () => {
  const session = await interpreter.open();
  let started = 0;
  const save = async () => ++started;
  const source =
    "const all = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => tools.save({ i }))); all.filter((r) => r.status === 'rejected').map((r) => r.reason.message)";
  const messages = (await evalValue(session, source, {
    tools: { save },
    limits: { maxHostCalls: 26 },
  })) as string[];
  expect(started).toBe(26);
  expect(messages).toHaveLength(4);
  expect(messages[0]).toBe("PTC call budget exceeded (limit=26, attempted=27, function=save). 26 calls ran.");
});
