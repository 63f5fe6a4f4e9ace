import { afterAll, beforeAll, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import { formatResult } from "../../src/result/result-text.js";
import type { Session } from "../../src/session/session.js";
import { chaoticTools, Random, randomProgram } from "../support/chaos.js";

/** Longer by hand: `FUZZ_SECONDS=600 npx vitest ... test/node/fuzz.test.ts`; one seed: `FUZZ_SEED=17`. */
const seconds = Number(process.env["FUZZ_SECONDS"] ?? 45);
const onlySeed = process.env["FUZZ_SEED"];
/** Seeds that once failed. */
const failedBefore: readonly number[] = [];

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => unhandled.push(error);
let interpreter: Interpreter;
let witness: Session;
beforeAll(async () => {
  process.on("unhandledRejection", onUnhandled);
  process.on("uncaughtException", onUnhandled);
  interpreter = await createInterpreter({
    limits: { memoryLimitBytes: 20 * 1024 * 1024, maxHostCalls: 50 },
    maxLiveSessions: 6,
  });
  witness = await interpreter.open();
  await witness.eval("var n = 0; const counter = () => ++n");
});
afterAll(() => {
  process.off("unhandledRejection", onUnhandled);
  process.off("uncaughtException", onUnhandled);
  interpreter.dispose();
});

let witnessed = 0;

/** A session's life: evals with trouble, then it still computes and the others never noticed. */
async function live(seed: number): Promise<void> {
  const random = new Random(seed);
  let session = await interpreter.open();
  const evals = 1 + random.below(4);
  for (let index = 0; index < evals; index++) {
    const source = randomProgram(random);
    const controller = new AbortController();
    const abortAfter = random.chance(0.2) ? random.below(20) : undefined;
    if (abortAfter !== undefined) setTimeout(() => controller.abort(), abortAfter);
    const isGated = random.chance(0.1) ? () => true : () => false;
    const options = {
      tools: chaoticTools(random),
      signal: controller.signal,
      isGated,
      limits: { executionTimeoutMs: 5 + random.below(40), waitTimeoutMs: 5 + random.below(60) },
    };
    let result = await session.eval(source, options);
    if (result.status === "paused") {
      if (random.chance(0.5)) session = await interpreter.restore(await session.snapshot());
      const decisions = new Map(
        session.pausedCalls.map(({ id, input }) => [
          id,
          random.chance(0.5)
            ? { type: "run" as const, input }
            : { type: "reject" as const, error: new Error("refused") },
        ]),
      );
      result = await session.resume(decisions, { ...options, isGated: () => false });
    }
    expect(["completed", "failed"], source).toContain(result.status);
    const text = formatResult(result, { maxResultChars: 4000 });
    expect(text.length, source).toBeLessThanOrEqual(4000);
    if (random.chance(0.3)) await session.snapshot(random.chance(0.5) ? {} : { layers: "image" });
    if (random.chance(0.2)) await session.variables();
  }
  await session.eval("globalThis.hoard = undefined");
  const sum = await session.eval("1 + 1");
  expect(sum).toMatchObject({ status: "completed", text: "2" });
  if (random.chance(0.2)) {
    const result = await witness.eval("counter()");
    expect(result).toMatchObject({ status: "completed", value: ++witnessed });
  }
  session.dispose();
}

test(
  "whatever a program does, its session computes afterwards, others are unharmed and the host sees no error",
  async () => {
    const start = performance.now();
    const seeds = onlySeed === undefined ? [...failedBefore] : [Number(onlySeed)];
    let rounds = 0;
    for (let seed = 1; ; seed++) {
      const next = seeds.shift() ?? (onlySeed === undefined ? seed : undefined);
      if (next === undefined || performance.now() - start > seconds * 1000) break;
      try {
        await live(next);
      } catch (error) {
        throw new Error(`seed ${next}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
      expect(unhandled, `seed ${next}`).toEqual([]);
      rounds++;
    }
    expect(rounds).toBeGreaterThan(0);
  },
  (seconds + 60) * 1000,
);
