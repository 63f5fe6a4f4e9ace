import { beforeAll, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import { byOtherEngine } from "../support/other-engine.js";
import { errorFrom, evalValue, expectHealthy, valueFrom } from "../support/results.js";

const MIB = 1024 * 1024;

let interpreter: Interpreter;
/** Its clock never moves, so that a step for each byte would use the time up. */
let frozen: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
  frozen = await createInterpreter({ time: { now: () => 0, after: (_, run) => queued(run) } });
});

function queued(run: () => void): () => void {
  const timer = setTimeout(run, 0);
  return () => clearTimeout(timer);
}

const tools = { echo: (input: unknown) => input };

test("bytes cross to a tool, back and out of the eval without a step for each", async () => {
  const session = await frozen.open();
  const source = `const bytes = new Uint8Array(${8 * MIB}).fill(7); bytes[${MIB}] = 9; const echoed = await tools.echo({ bytes, part: new Float64Array(bytes.buffer, 8, 2) });
    [echoed.bytes.length, echoed.bytes[${MIB}], echoed.part.length, echoed.bytes]`;
  const value = await evalValue(session, source, { tools, limits: { executionTimeoutMs: 40 } });
  expect((value as unknown[]).slice(0, 3)).toEqual([8 * MIB, 9, 2]);
  expect((value as Uint8Array[])[3]?.[MIB]).toBe(9);
});

test("bytes that fill a third of the memory are kept as data, and an upgrade finds them", async () => {
  const session = await interpreter.open();
  await session.eval(
    `var bytes = new Uint8Array(${20 * MIB}).fill(7); var part = new Uint16Array(bytes.buffer, 2, 3); var empty = new ArrayBuffer(0); bytes[2] = 1; 0`,
  );
  const restored = await interpreter.restore(byOtherEngine(await session.snapshot()));
  expect(
    await evalValue(
      restored,
      "[bytes.length, bytes.at(-1), part[0], part.buffer === bytes.buffer, empty.byteLength]",
    ),
  ).toEqual([20 * MIB, 7, 0x0701, true, 0]);
});

test("many views of one buffer are not more bytes than the memory has", async () => {
  const session = await interpreter.open();
  const source = `var buffer = new ArrayBuffer(${8 * MIB}); await tools.echo(Array.from({ length: 1000 }, () => new Uint8Array(buffer)))`;
  expect(errorFrom(await session.eval(source, { tools })).message).toMatch(/more bytes together/);
  await expectHealthy(session);
});

test("a flood of small buffers costs what it holds, in time too", async () => {
  const session = await interpreter.open();
  const source =
    "const many = Array.from({ length: 30_000 }, (_, i) => new Uint8Array([i])); const back = await tools.echo(many); [back.length, back[20_000][0]]";
  expect(await evalValue(session, source, { tools, limits: { executionTimeoutMs: 60_000 } })).toEqual([
    30_000,
    20_000 % 256,
  ]);
});

test("bytes count for the size of an argument and of a result", async () => {
  const small = await createInterpreter({ limits: { maxValueChars: 10_000 } });
  const session = await small.open();
  const big = () => new Uint8Array(20_000);
  expect(errorFrom(await session.eval("await tools.echo(new Uint8Array(20000))", { tools })).message).toMatch(
    /larger than 10000 characters/,
  );
  expect(errorFrom(await session.eval("await tools.big({})", { tools: { big } })).message).toMatch(
    /more than the 10000 that fit/,
  );
  await expectHealthy(session);
});

test("calls made while an argument is read keep its bytes apart", async () => {
  const session = await interpreter.open();
  const seen: unknown[] = [];
  const note = (input: unknown) => {
    seen.push(input);
    return 1;
  };
  const source =
    "let inner; await tools.note({ a: new Uint8Array([1, 2]), get b() { inner = tools.note(new Uint8Array([9])); return new Int8Array([3]) } }); await inner";
  await evalValue(session, source, { tools: { note } });
  expect(seen).toEqual([new Uint8Array([9]), { a: new Uint8Array([1, 2]), b: new Int8Array([3]) }]);
});

test("what a tool does with its buffer afterwards does not reach the guest", async () => {
  const session = await interpreter.open();
  const own = new Uint8Array([1, 2, 3]);
  const give = () => {
    setTimeout(() => own.fill(0), 0);
    queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => own.fill(0))));
    return own;
  };
  expect(await evalValue(session, "[...await tools.give({})]", { tools: { give } })).toEqual([1, 2, 3]);
  expect(own[0]).toBe(0);
});

test("an eval that ended with bytes before it paused still has them", async () => {
  const session = await interpreter.open();
  const options = { tools, isGated: () => true };
  const paused = await session.eval("tools.echo({}); new Uint8Array([1, 2, 255])", options);
  expect(paused.status).toBe("paused");
  const restored = await interpreter.restore(await session.snapshot());
  const [call] = restored.pausedCalls;
  const decisions = new Map([[call?.id as number, { type: "resolve" as const, value: 1 }]]);
  expect(valueFrom(await restored.resume(decisions, options))).toEqual(new Uint8Array([1, 2, 255]));
});

test.each([
  ["a shared buffer", "const s = new SharedArrayBuffer(4); new Uint8Array(s)[1] = 5; new Uint8Array(s)", 4],
  ["a view of a part", "new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2)", 2],
  ["nothing at all", "new Uint8Array(0)", 0],
])("%s crosses as what it is", async (_, source, length) => {
  const session = await interpreter.open();
  const value = (await evalValue(session, source)) as ArrayBuffer | Uint8Array | undefined;
  expect(value?.byteLength).toBe(length);
  await expectHealthy(session);
});
