import { beforeAll, expect, test } from "vitest";
import type { EvalOptions } from "../../src/eval/eval-options.js";
import { CallHeld } from "../../src/eval/host-functions.js";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import type { EvalResult } from "../../src/result/outcome.js";
import type { Session } from "../../src/session/session.js";

let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
});

const moved = async (session: Session, attachment?: string) =>
  interpreter.restore(await session.snapshot(attachment === undefined ? {} : { attachment }));
const valueIn = (result: EvalResult): unknown => (result.status === "completed" ? result.value : result);
const pausedNames = (result: EvalResult) =>
  result.status === "paused" ? result.calls.map(({ name }) => name) : result.status;

test("a call that is held pauses the eval and runs again when it is resumed, in a restored session too", async () => {
  let answer: string | undefined;
  const runs: number[] = [];
  const options: EvalOptions = {
    tools: {
      ask: (_input, { id }) => {
        runs.push(id);
        if (answer === undefined) throw new CallHeld();
        return answer;
      },
    },
  };
  const session = await interpreter.open();
  const first = await session.eval(
    "console.log('once'); const got = await tools.ask({}); got + '!'",
    options,
  );
  expect(pausedNames(first)).toEqual(["ask"]);
  const other = await moved(session, "a note");
  expect(other.attachment).toBe("a note");
  const [call] = other.pausedCalls;
  answer = "yes";
  const end = await other.resume(new Map([[call!.id, { type: "run", input: call!.input }]]), options);
  expect(valueIn(end)).toBe("yes!");
  expect(end.logs.map(({ text }) => text)).toEqual(["once"]);
  expect(runs).toEqual([call!.id, call!.id]);
});

test("whether a call is gated may be decided later; calls beside it go on", async () => {
  const options: EvalOptions = {
    tools: { send: (input) => input, free: () => "free" },
    isGated: async ({ name, input }) => {
      await Promise.resolve();
      if (input === "broken") throw new Error("no policy");
      return name === "send" && input !== "small";
    },
  };
  const session = await interpreter.open();
  const first = await session.eval(
    "const all = await Promise.allSettled([tools.send('big'), tools.send('small'), tools.send('broken'), tools.free()]); all.map((one) => one.value ?? one.reason.message)",
    options,
  );
  expect(first.status === "paused" && first.calls.map(({ input }) => input)).toEqual(["big"]);
  const [call] = session.pausedCalls;
  const end = await session.resume(new Map([[call!.id, { type: "run", input: "edited" }]]), options);
  expect(valueIn(end)).toEqual(["edited", "small", "no policy", "free"]);
});

test("inputs of paused calls keep their values through a snapshot", async () => {
  const options: EvalOptions = { tools: { send: (input) => input }, isGated: () => true };
  const session = await interpreter.open();
  await session.eval(
    "await tools.send({ at: new Date(5), bytes: new Uint8Array([1, 2]), big: 1n })",
    options,
  );
  const other = await moved(session);
  expect(other.pausedCalls[0]?.input).toEqual({ at: new Date(5), bytes: new Uint8Array([1, 2]), big: 1n });
});

test("a paused eval that is dropped leaves its variables and runs no further", async () => {
  const options: EvalOptions = { tools: { send: (input) => input }, isGated: () => true };
  const session = await interpreter.open();
  await session.eval("let n = 1; try { await tools.send({}) } finally { n = 2 }", options);
  const other = await moved(session);
  await other.drop();
  expect(valueIn(await other.eval("n"))).toBe(1);
});

test("errors after the pause point into the source that is given again", async () => {
  const source = "const a = 1;\nawait tools.send({});\nthrow new RangeError('late')";
  const options: EvalOptions = { tools: { send: (input) => input }, isGated: () => true };
  const session = await interpreter.open();
  await session.eval(source, options);
  const other = await moved(session);
  const [call] = other.pausedCalls;
  const end = await other.resume(new Map([[call!.id, { type: "run", input: {} }]]), { ...options, source });
  expect(end.status === "failed" && end.error.frames[0]).toMatchObject({
    line: 3,
    sourceLine: "throw new RangeError('late')",
  });
});
