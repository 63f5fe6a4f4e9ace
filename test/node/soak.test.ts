import { expect, test } from "vitest";
import { createInterpreter } from "../../src/interpreter.js";
import { manyEvals, manySessions, soak } from "../support/soak.mjs";

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => unhandled.push(error);

async function watched<T>(work: () => Promise<T>): Promise<T> {
  process.on("unhandledRejection", onUnhandled);
  try {
    const result = await work();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return result;
  } finally {
    process.off("unhandledRejection", onUnhandled);
  }
}

/** Timers and the like that keep the process busy. */
const measure = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("many threads with faults: no wrong answer, no unhandled error, nothing left behind", async () => {
  const figures = await watched(() => soak(createInterpreter, { evals: 600, threads: 24, measure }));
  expect(figures).toMatchObject({ evals: 600, wrong: 0, liveAtEnd: 0 });
  expect(figures.faults).toBeGreaterThan(100);
  expect(figures.rebuilt).toBeGreaterThan(10);
  expect(unhandled).toEqual([]);
});

test("ten thousand evals leave a session as large as they found it", async () => {
  const { first, last, wrong } = await manyEvals(createInterpreter, { evals: 10_000, measure });
  expect(wrong).toBe(0);
  expect(last.memoryBytes).toBe(first.memoryBytes);
  expect(last.snapshotBytes).toBeLessThan(first.snapshotBytes * 1.2);
});

test("a thousand sessions, opened and disposed of with work pending, are all gone", async () => {
  const figures = await watched(() => manySessions(createInterpreter, { sessions: 1000, measure }));
  expect(figures).toMatchObject({ wrong: 0, liveSessions: 0 });
  // Their timers are gone with them.
  expect(figures.atEnd).toBeLessThanOrEqual(figures.atStart);
  expect(unhandled).toEqual([]);
});
