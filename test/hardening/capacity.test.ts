import { describe, expect, test } from "vitest";
import { defaultCapacity } from "../../src/capacity.js";
import { createInterpreter } from "../../src/interpreter.js";
import { codeFrom, errorFrom, evalCode, evalValue, expectHealthy, valueFrom } from "../support/results.js";

const MIB = 1024 * 1024;

test("idle sessions beyond the limit sleep, least recently used first, and wake with everything they had", async () => {
  const interpreter = await createInterpreter({ maxLiveSessions: 3 });
  const sessions = await Promise.all(Array.from({ length: 8 }, () => interpreter.open()));
  expect(interpreter.liveSessions).toBeLessThanOrEqual(3);
  for (const [index, session] of sessions.entries()) {
    await session.eval(`
      const counter = (() => { let n = ${index}; return () => ++n })();
      class Box { #x = ${index}; get() { return ++this.#x } }
      const box = new Box(); function* g() { let i = 0; while (true) yield i++ } const it = g(); it.next();
      Math.random()`);
    expect(interpreter.liveSessions).toBeLessThanOrEqual(3);
  }
  expect(sessions.map((session) => session.memoryBytes > 0)).toEqual([
    ...Array(5).fill(false),
    true,
    true,
    true,
  ]);
  for (const [index, session] of sessions.entries()) {
    expect(await evalValue(session, "[counter(), box.get(), it.next().value]")).toEqual([
      index + 1,
      index + 1,
      1,
    ]);
    expect(interpreter.liveSessions).toBeLessThanOrEqual(3);
  }
  interpreter.dispose();
  expect(interpreter.liveSessions).toBe(0);
});

test("sleeping changes nothing: numbers, positions of errors and the count of evals go on", async () => {
  const plain = await (await createInterpreter({ random: 7 })).open();
  const interpreter = await createInterpreter({ random: 7, maxLiveSessions: 1 });
  const sleepy = await interpreter.open();
  const other = await interpreter.open();
  for (const source of ["[Math.random(), Math.random()]", "[Math.random()]", "Math.random()"]) {
    const wanted = await evalValue(plain, source);
    expect(await evalValue(sleepy, source)).toEqual(wanted);
    await other.eval("1");
    expect(sleepy.memoryBytes).toBe(0);
  }
  await sleepy.eval("function f() {\n  throw new Error('here')\n}");
  await other.eval("1");
  expect(errorFrom(await sleepy.eval("f()")).frames[0]).toMatchObject({ label: "eval 4", line: 2 });
  expect(sleepy.evalCount).toBe(5);
});

test("a paused eval sleeps too, and goes on where it was", async () => {
  const interpreter = await createInterpreter({ maxLiveSessions: 1 });
  const session = await interpreter.open();
  const other = await interpreter.open();
  const options = { tools: { send: () => "sent" }, isGated: () => true };
  const paused = await session.eval(
    "let log = []; try { log.push(await tools.send({})) } finally { log.push('once') } log",
    options,
  );
  expect(paused.status).toBe("paused");
  await other.eval("1");
  expect(session.memoryBytes).toBe(0);
  const [call] = session.pausedCalls;
  const decisions = new Map([[call?.id as number, { type: "run" as const, input: {} }]]);
  expect(valueFrom(await session.resume(decisions, options))).toEqual(["sent", "once"]);
});

test("a session that waits for its tools is never put to sleep", async () => {
  const interpreter = await createInterpreter({ maxLiveSessions: 1 });
  const waiting = await interpreter.open();
  let open = (_: unknown) => {};
  const gate = new Promise((resolve) => {
    open = resolve;
  });
  const result = waiting.eval("var n = 1; n += await tools.gate({}); n", { tools: { gate: () => gate } });
  const others = await Promise.all([interpreter.open(), interpreter.open()]);
  for (const other of others) expect(await evalValue(other, "1 + 1")).toBe(2);
  open(41);
  expect(valueFrom(await result)).toBe(42);
  await Promise.all(others.map(expectHealthy));
});

test("all live sessions together stay within their memory", async () => {
  const interpreter = await createInterpreter({
    limits: { memoryLimitBytes: 40 * MIB },
    maxTotalMemoryBytes: 64 * MIB,
  });
  const sessions = await Promise.all(Array.from({ length: 4 }, () => interpreter.open()));
  for (const session of sessions) {
    await session.eval("var data = new Uint8Array(12 << 20).fill(7)");
    const total = sessions.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
    expect(total).toBeLessThanOrEqual(64 * MIB);
  }
  for (const session of sessions)
    expect(await evalValue(session, "data[5] + data.length")).toBe(7 + (12 << 20));
});

test("running sessions cannot grow beyond what all may take, and are told which limit it was", async () => {
  const interpreter = await createInterpreter({
    limits: { memoryLimitBytes: 64 * MIB },
    maxTotalMemoryBytes: 64 * MIB,
  });
  const [big, small] = await Promise.all([interpreter.open(), interpreter.open()]);
  await small.eval("var data = new Uint8Array(20 << 20)");
  const inside = async () => codeFrom(await big.eval("new Uint8Array(40 << 20).length"));
  expect(await evalValue(small, "await tools.inside({})", { tools: { inside } })).toBe("MEMORY");
  const message = async () => errorFrom(await big.eval("new Uint8Array(40 << 20).length")).message;
  expect(await evalValue(small, "await tools.message({})", { tools: { message } })).toMatch(
    /maxTotalMemoryBytes/,
  );
  await small.eval("data = undefined");
  expect(await evalCode(big, "new Uint8Array(30 << 20).length")).toBe("completed");
});

describe("interpreters with the same figures", () => {
  const gate = () => {
    let open = (_?: unknown) => {};
    const opened = new Promise((resolve) => {
      open = resolve;
    });
    return { tools: { wait: () => opened }, open: () => open() };
  };

  test("share them: what one of them saved sleeps when another needs the place", async () => {
    const figures = { maxLiveSessions: 2, maxTotalMemoryBytes: 100 * MIB };
    const [one, two] = await Promise.all([createInterpreter(figures), createInterpreter(figures)]);
    const [saved, unsaved] = [await one.open(), await one.open()];
    await saved.eval("var n = 1");
    await saved.snapshot();
    await unsaved.eval("var n = 2");
    const other = await two.open();
    expect([saved, unsaved, other].map((session) => session.memoryBytes > 0)).toEqual([false, true, true]);
    expect([one.liveSessions, two.liveSessions]).toEqual([1, 1]);
    expect(await evalValue(saved, "n")).toBe(1);
    expect(await evalValue(unsaved, "n")).toBe(2);
    one.dispose();
    two.dispose();
  });

  test("let a session wait until one that runs has ended", async () => {
    const retries: (() => void)[] = [];
    const time = { now: () => 0, after: (_ms: number, retry: () => void) => keep(retries, retry) };
    const figures = { maxTotalMemoryBytes: 33 * MIB };
    const [one, two] = await Promise.all([
      createInterpreter(figures),
      createInterpreter({ ...figures, time }),
    ]);
    const { tools, open } = gate();
    const sessions = [await one.open(), await one.open()];
    const running = sessions.map((session) => session.eval("await tools.wait({})", { tools }));
    const third = two.open();
    await expect.poll(() => retries.length).toBe(1);
    retries[0]?.();
    await expect.poll(() => retries.length).toBe(2);
    open();
    await Promise.all(running);
    retries[1]?.();
    expect((await third).memoryBytes).toBeGreaterThan(0);
    one.dispose();
    two.dispose();
  });

  test("refuse a session that has waited in vain, and have room again later", async () => {
    const time = { now: () => 0, after: (_ms: number, retry: () => void) => soon(retry) };
    const figures = { maxTotalMemoryBytes: 17 * MIB };
    const [one, two] = await Promise.all([
      createInterpreter(figures),
      createInterpreter({ ...figures, time }),
    ]);
    const { tools, open } = gate();
    const session = await one.open();
    const running = session.eval("await tools.wait({})", { tools });
    await expect(two.open()).rejects.toMatchObject({ code: "SESSION_NO_ROOM" });
    open();
    await running;
    await expectHealthy(await one.open());
    one.dispose();
    two.dispose();
  });
});

function keep(list: (() => void)[], callback: () => void): () => void {
  list.push(callback);
  return () => {};
}

function soon(callback: () => void): () => void {
  void Promise.resolve().then(callback);
  return () => {};
}

describe("the defaults", () => {
  test("fit an isolate of 128 MB in a Worker, and are generous elsewhere", () => {
    expect(defaultCapacity("Cloudflare-Workers")).toEqual({
      maxLiveSessions: 4,
      maxTotalMemoryBytes: 80 * MIB,
    });
    expect(defaultCapacity("Mozilla/5.0 (X11; Linux x86_64)")).toEqual({
      maxLiveSessions: 64,
      maxTotalMemoryBytes: 1024 * MIB,
    });
    expect(defaultCapacity("")).toEqual({ maxLiveSessions: 256, maxTotalMemoryBytes: 4096 * MIB });
    expect(defaultCapacity("Node.js/24").maxLiveSessions).toBe(256);
  });
});
