import { beforeAll, describe, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import { codeFrom, errorFrom, evalCode, evalValue, expectHealthy } from "../support/results.js";

const MIB = 1024 * 1024;
const LIMIT = 24 * MIB;

let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter({ limits: { memoryLimitBytes: LIMIT } });
});

const tools = {
  echo: (input: unknown) => input,
  big: (input: unknown) => "x".repeat((input as { size: number }).size),
};

/** Each ends in the memory limit, whatever it is made of and wherever it happens. */
const floods: Record<string, string> = {
  "objects in a global": "globalThis.hoard = []; for (;;) hoard.push({ x: 1 })",
  ArrayBuffers: "globalThis.hoard = []; for (;;) hoard.push(new ArrayBuffer(1 << 20))",
  "typed arrays": "globalThis.hoard = []; for (;;) hoard.push(new Uint8Array(100_000).fill(1))",
  strings: "globalThis.hoard = []; for (let i = 0; ; i++) hoard.push('k'.repeat(1000) + i)",
  "a Map": "globalThis.hoard = new Map(); for (let i = 0; ; i++) hoard.set(i, { i })",
  "properties of globalThis": "for (let i = 0; ; i++) globalThis['key' + i] = i",
  promises: "globalThis.hoard = []; for (;;) hoard.push(new Promise(() => {}))",
  "queued jobs": "for (;;) Promise.resolve().then(() => {})",
  "functions made from text":
    "globalThis.hoard = []; for (let i = 0; ; i++) hoard.push(new Function('return ' + i))",
  "a job": "globalThis.hoard = []; await Promise.resolve().then(() => { for (;;) hoard.push({}) })",
  "an async loop":
    "globalThis.hoard = []; await (async () => { for (;;) { hoard.push(new Array(100).fill(0)); await 0 } })()",
  "a getter while the argument of a call is read":
    "globalThis.hoard = []; await tools.echo({ get x() { for (;;) hoard.push({}) } })",
  "a timer":
    "globalThis.hoard = []; await new Promise((_, reject) => setTimeout(() => { try { for (;;) hoard.push({}) } catch (e) { reject(e) } }, 0))",
  "the answer of a tool": "const answer = await tools.big({ size: 30_000_000 }); answer.length",
  "a chain of nested promises":
    "let p = Promise.resolve(1); for (let i = 0; i < 1e6; i++) { const inner = p; p = (async () => inner)() } await p",
};

describe("a flood of", () => {
  test.each(Object.entries(floods))(
    "%s ends as out of memory, within the limit, and the next eval works",
    async (_, source) => {
      const session = await interpreter.open();
      await session.eval("var kept = 'kept'");
      expect(
        errorFrom(await session.eval(source, { tools, limits: { executionTimeoutMs: 60_000 } })),
      ).toMatchObject({
        code: "MEMORY",
        message: expect.stringContaining("24 MiB (memoryLimitBytes)"),
      });
      expect(session.memoryBytes).toBeLessThanOrEqual(LIMIT);
      expect(await evalValue(session, "if (typeof hoard !== 'undefined') hoard = undefined; kept")).toBe(
        "kept",
      );
      await evalValue(
        session,
        "for (let i = 0; 'key' + i in globalThis; i++) delete globalThis['key' + i]; 0",
      );
      await expectHealthy(session);
      session.dispose();
    },
  );
});

test("memory that garbage filled is there again for the next eval", async () => {
  const session = await interpreter.open();
  for (let round = 0; round < 5; round++) {
    expect(await evalCode(session, "{ const hoard = []; for (;;) hoard.push({ hoard }) }")).toBe("MEMORY");
    expect(await evalValue(session, "new Uint8Array(8 << 20).length")).toBe(8 << 20);
  }
});

test("unreachable buffers that refer to each other are collected before the memory is full of them", async () => {
  const session = await interpreter.open();
  const source =
    "for (let i = 0; i < 12; i++) { const a = { bytes: new ArrayBuffer(1 << 20) }; a.self = a } 'done'";
  for (let round = 0; round < 5; round++) expect(await evalValue(session, source)).toBe("done");
});

test("out of memory can be caught, and what was caught is an error", async () => {
  const session = await interpreter.open();
  const source = `
    globalThis.hoard = [];
    let caught;
    try { for (;;) hoard.push(new Uint8Array(1 << 16)) } catch (error) { caught = error }
    hoard = undefined;
    [caught instanceof Error, String(caught)]`;
  expect(await evalValue(session, source)).toEqual([true, "InternalError: out of memory"]);
});

test("a session whose memory is full says so, and lets go of its variables one by one", async () => {
  const session = await interpreter.open();
  const full = await session.eval(
    "var rows = [], more = []; try { for (;;) rows.push({}) } catch {} try { for (;;) more.push({}) } catch {} rows.length > 1000",
  );
  expect(["MEMORY", "completed"]).toContain(codeFrom(full));
  expect(full.notes.join()).toMatch(/memory is full/);
  expect(await evalValue(session, "rows.length > 1000 && (more = undefined, 'some')")).toBe("some");
  expect(await evalValue(session, "rows = undefined; 'all'")).toBe("all");
  await expectHealthy(session);
});

test("a session that fills even what is kept back goes back to the state in which there was room", async () => {
  const session = await interpreter.open();
  await session.eval("var kept = 'kept'");
  const greedy =
    "globalThis.hoard ??= []; const more = () => { for (;;) { try { for (;;) hoard.push(new Array(64)) } catch {} try { for (;;) hoard.push({}) } catch {} try { for (let i = 0; i < 1e4; i++) hoard.push(i) } catch {} } }; more()";
  const codes = new Set<string>();
  for (let round = 0; round < 6; round++)
    codes.add(codeFrom(await session.eval(greedy, { limits: { executionTimeoutMs: 300 } })));
  for (const code of codes) expect(["MEMORY", "TIMEOUT"]).toContain(code);
  await session.eval("globalThis.hoard = undefined");
  expect(await evalValue(session, "kept")).toBe("kept");
  await expectHealthy(session);
});

test("an error that only says it is out of memory is the guest's own", async () => {
  const session = await interpreter.open();
  const forged = "const e = new InternalError('out of memory'); throw e";
  expect(errorFrom(await session.eval(forged)).code).toBe("GUEST_THROW");
  expect(errorFrom(await session.eval("throw null")).code).toBe("GUEST_THROW");
});

test("a snapshot of a session whose memory is full is taken, and goes on elsewhere", async () => {
  const session = await interpreter.open();
  await session.eval("var kept = 5; var rows = []; try { for (;;) rows.push({ a: 1 }) } catch {}");
  const restored = await interpreter.restore(await session.snapshot());
  expect(await evalValue(restored, "rows = undefined; kept")).toBe(5);
  await expectHealthy(restored);
});

test("jobs that a stopped eval left behind are freed", async () => {
  const session = await interpreter.open();
  const flood = "for (let i = 0; ; i++) Promise.resolve({ i }).then(() => {})";
  for (let round = 0; round < 10; round++)
    expect(["MEMORY", "TIMEOUT"]).toContain(
      await evalCode(session, flood, { limits: { executionTimeoutMs: 100 } }),
    );
  expect(await evalValue(session, "new Uint8Array(15 << 20).length")).toBe(15 << 20);
});

test("evals that are stopped leave nothing behind that adds up", async () => {
  const session = await interpreter.open();
  const bytesAfterTen = async () => {
    for (let round = 0; round < 10; round++)
      expect(await evalCode(session, "for (;;);", { limits: { executionTimeoutMs: 5 } })).toBe("TIMEOUT");
    return (await session.snapshot({ layers: "image" })).length;
  };
  const first = await bytesAfterTen();
  await bytesAfterTen();
  // A counter or two take another digit.
  expect(await bytesAfterTen()).toBeLessThan(first + 32);
});

test.each([
  ["promises", "var all = []; for (let i = 0; i < 100_000; i++) Promise.resolve(i); all = null"],
  ["timers", "for (let i = 0; i < 10_000; i++) setTimeout(() => {}, 1e6)"],
  ["counters", "for (let i = 0; i < 50_000; i++) console.count(`counter ${i}`)"],
])("a flood of %s leaves room in one piece", async (_, flood) => {
  const session = await interpreter.open();
  await evalValue(session, flood);
  // Counters last until the next eval begins.
  await session.eval("0");
  expect(await evalValue(session, "new Uint8Array(15 << 20).length")).toBe(15 << 20);
});
