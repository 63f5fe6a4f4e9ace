import { describe, expect, test } from "vitest";
import { createInterpreter } from "../../src/interpreter.js";
import { codeFrom, errorFrom, evalCode, evalValue, expectHealthy, valueFrom } from "../support/results.js";

const never = () => new Promise(() => {});

describe("an abort", () => {
  test("before the start keeps anything from running", async () => {
    const session = await (await createInterpreter()).open();
    await session.eval("var n = 1");
    expect(await evalCode(session, "n = 2", { signal: AbortSignal.abort() })).toBe("ABORTED");
    expect(await evalValue(session, "n")).toBe(1);
    await expectHealthy(session);
  });

  test("reaches guest code that runs in jobs", async () => {
    const session = await (await createInterpreter()).open();
    const controller = new AbortController();
    const result = session.eval("var n = 0; for (;;) { n++; await null }", {
      signal: controller.signal,
      limits: { executionTimeoutMs: null },
    });
    setTimeout(() => controller.abort(), 20);
    expect(codeFrom(await result)).toBe("ABORTED");
    const n = await evalValue(session, "n");
    await session.eval("for (let i = 0; i < 20; i++) await null");
    expect(await evalValue(session, "n")).toBe(n);
  });

  test("from an observer stops the loop that is running", async () => {
    const session = await (await createInterpreter()).open();
    const controller = new AbortController();
    const result = await session.eval("for (let i = 0; ; i++) { if (i === 5) console.log('now') }", {
      signal: controller.signal,
      limits: { executionTimeoutMs: null },
      onLog: () => controller.abort(),
    });
    expect(codeFrom(result)).toBe("ABORTED");
    await expectHealthy(session);
  });

  test("that is asked for while code runs stops a loop which no event can reach, and keeps what it changed", async () => {
    const session = await (await createInterpreter()).open();
    let asked = 0;
    const options = { isAborted: () => ++asked > 3, limits: { executionTimeoutMs: null } };
    expect(await evalCode(session, "var n = 1; for (;;) n = 2;", options)).toBe("ABORTED");
    expect(await evalValue(session, "n")).toBe(2);
    await expectHealthy(session);
  });

  test("is passed on to running calls, and nothing they do later has an effect", async () => {
    const session = await (await createInterpreter()).open();
    const controller = new AbortController();
    const reasons: unknown[] = [];
    let late = (_: unknown) => {};
    const slow = (_input: unknown, { signal }: { signal: AbortSignal }) => {
      signal.addEventListener("abort", () => reasons.push(signal.aborted));
      setTimeout(() => controller.abort(), 5);
      return new Promise((resolve) => {
        late = resolve;
      });
    };
    const source = "var log = []; try { log.push(await tools.slow({})) } finally { log.push('finally') }";
    expect(await evalCode(session, source, { tools: { slow }, signal: controller.signal })).toBe("ABORTED");
    late("late");
    expect(reasons).toEqual([true]);
    expect(await evalValue(session, "await 0; log.length")).toBe(0);
    await expectHealthy(session);
  });

  test("while a snapshot is written leaves both whole", async () => {
    const interpreter = await createInterpreter();
    const session = await interpreter.open();
    await session.eval("var data = Array.from({ length: 20000 }, (_, i) => ({ i }))");
    const controller = new AbortController();
    const snapshot = session.snapshot();
    const result = session.eval("data = null; await tools.never({})", {
      tools: { never },
      signal: controller.signal,
    });
    controller.abort();
    expect(codeFrom(await result)).toBe("ABORTED");
    const restored = await interpreter.restore(await snapshot);
    expect(await evalValue(restored, "data.length")).toBe(20000);
    expect(await evalValue(session, "data.length")).toBe(20000);
  });
});

describe("disposing a session", () => {
  test("twice, or with an eval in progress, ends that as aborted and refuses what comes after", async () => {
    const session = await (await createInterpreter()).open();
    const running = session.eval("await tools.never({})", { tools: { never } });
    const queued = session.eval("1");
    await new Promise((resolve) => setTimeout(resolve, 5));
    session.dispose();
    session.dispose();
    expect(codeFrom(await running)).toBe("ABORTED");
    await expect(queued).rejects.toMatchObject({ code: "SESSION_DISPOSED" });
    await expect(session.eval("1")).rejects.toMatchObject({ code: "SESSION_DISPOSED" });
    await expect(session.snapshot()).rejects.toMatchObject({ code: "SESSION_DISPOSED" });
  });

  test("from inside one of its own calls is safe", async () => {
    const session = await (await createInterpreter()).open();
    const end = () => session.dispose();
    expect(errorFrom(await session.eval("await tools.end({}); for (;;) {}", { tools: { end } })).code).toBe(
      "ABORTED",
    );
  });

  test("while it sleeps or wakes is safe", async () => {
    const interpreter = await createInterpreter({ maxLiveSessions: 1 });
    const [one, two] = [await interpreter.open(), await interpreter.open()];
    const waking = one.eval("1");
    one.dispose();
    await expect(waking).rejects.toMatchObject({ code: "SESSION_DISPOSED" });
    await expectHealthy(two);
    interpreter.dispose();
    expect(interpreter.liveSessions).toBe(0);
  });

  test("is what happens to a session that is opened while its interpreter is disposed", async () => {
    const interpreter = await createInterpreter();
    const snapshot = await (await interpreter.open()).snapshot();
    const both = Promise.allSettled([interpreter.open(), interpreter.restore(snapshot)]);
    interpreter.dispose();
    const disposed = { status: "rejected", reason: expect.objectContaining({ code: "SESSION_DISPOSED" }) };
    expect(await both).toEqual([disposed, disposed]);
    expect(interpreter.liveSessions).toBe(0);
  });
});

test("evals of one session run in order; those of another do not wait for its tools", async () => {
  const interpreter = await createInterpreter();
  const [one, other] = [await interpreter.open(), await interpreter.open()];
  let open = (_: unknown) => {};
  const gate = () =>
    new Promise((resolve) => {
      open = resolve;
    });
  const first = one.eval("var log = ['a']; await tools.gate({}); log.push('b')", { tools: { gate } });
  const second = one.eval("log.push('c'); log");
  await expectHealthy(other);
  open(1);
  await first;
  expect(valueFrom(await second)).toEqual(["a", "b", "c"]);
});

test("two evals at once have a budget, a log and an end of their own", async () => {
  const session = await (await createInterpreter()).open();
  const [one, two] = await Promise.all([
    session.eval("console.log('one'); for (;;) {}", { limits: { executionTimeoutMs: 30 } }),
    session.eval("console.log('two'); await tools.ok({})", {
      tools: { ok: () => 1 },
      limits: { maxHostCalls: 1 },
    }),
  ]);
  expect(codeFrom(one)).toBe("TIMEOUT");
  expect(one.logs.map(({ text }) => text)).toEqual(["one"]);
  expect(valueFrom(two)).toBe(1);
  expect(two.logs.map(({ text }) => text)).toEqual(["two"]);
});

describe("what a host function does wrong", () => {
  const cases: Record<string, () => unknown> = {
    "throws at once": () => {
      throw new Error("sync");
    },
    "throws something that is no error": () => {
      throw undefined;
    },
    "rejects with a hostile error": () =>
      Promise.reject(
        Object.defineProperty(new Error("x"), "message", {
          get() {
            throw new Error("trap");
          },
        }),
      ),
    "answers a proxy that throws": () =>
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error("trap");
          },
        },
      ),
    "answers a value with a throwing getter": () => ({
      get x() {
        throw new Error("trap");
      },
    }),
    "answers a thenable that settles twice": () => ({
      // biome-ignore lint/suspicious/noThenProperty: a badly made thenable
      then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
        resolve(1);
        reject(new Error("second"));
        throw new Error("third");
      },
    }),
    "answers a function": () => () => 1,
    "answers a symbol": () => Symbol("x"),
  };
  test.each(Object.entries(cases))("costs at most the call: %s", async (_, bad) => {
    const session = await (await createInterpreter()).open();
    const result = await session.eval(
      "let out; try { out = String(await tools.bad({})) } catch (e) { out = 'caught' } out",
      {
        tools: { bad },
        describeError: (error) => error,
      },
    );
    expect(typeof valueFrom(result)).toBe("string");
    await expectHealthy(session);
  });

  test("an observer or a policy that throws costs nothing", async () => {
    const session = await (await createInterpreter()).open();
    const boom = () => {
      throw new Error("observer");
    };
    const result = await session.eval(
      "console.log(1); try { await tools.fail({}) } catch (e) { e.message }",
      {
        tools: { fail: boom },
        onLog: boom,
        onCall: boom,
        describeError: boom,
      },
    );
    expect(valueFrom(result)).toBe("fail failed.");
    await expectHealthy(session);
  });
});
