import { expect, test } from "vitest";
import { createInterpreter, type InterpreterOptions } from "../../src/interpreter.js";
import { evalValue } from "../support/results.js";

const numbers =
  "[Math.random(), Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(4)).join()]";

async function first(options: InterpreterOptions): Promise<unknown> {
  const session = await (await createInterpreter(options)).open();
  return evalValue(session, numbers);
}

test("a seed gives the same random values in every session of every interpreter", async () => {
  expect(await first({ random: 7 })).toEqual(await first({ random: 7 }));
  expect(await first({ random: "seed" })).toEqual(await first({ random: "seed" }));
  expect(await first({ random: 7 })).not.toEqual(await first({ random: 8 }));
});

test("without a seed no two sessions share random values, restored ones included", async () => {
  const interpreter = await createInterpreter();
  const session = await interpreter.open();
  await session.eval("1");
  const snapshot = await session.snapshot();
  const seen = [
    await evalValue(session, numbers),
    await evalValue(await interpreter.restore(snapshot), numbers),
    await evalValue(await interpreter.restore(snapshot), numbers),
    await first({}),
  ];
  expect(new Set(seen.map((value) => JSON.stringify(value))).size).toBe(4);
});

test("with a seed a restored session goes on with the numbers that come next", async () => {
  const interpreter = await createInterpreter({ random: 7 });
  const session = await interpreter.open();
  await session.eval(numbers);
  const restored = await interpreter.restore(await session.snapshot());
  expect(await evalValue(restored, numbers)).toEqual(await evalValue(session, numbers));
});

test("the guest's clock is the app's, read at each use, and timers wait all the same", async () => {
  let now = 1000;
  const interpreter = await createInterpreter({ clock: () => now });
  const session = await interpreter.open();
  expect(await evalValue(session, "[Date.now(), +new Date()]")).toEqual([1000, 1000]);
  now = 2500;
  expect(await evalValue(session, "await new Promise((r) => setTimeout(r, 1)); Date.now()")).toBe(2500);
  const restored = await interpreter.restore(await session.snapshot());
  now = 4000;
  expect(await evalValue(restored, "Date.now()")).toBe(4000);
});

test("waiting for a timer takes no time that code may run", async () => {
  let now = 0;
  const time = {
    now: () => now,
    after: (ms: number, ring: () => void) => {
      let isOn = true;
      queueMicrotask(() => {
        if (!isOn) return;
        now += ms;
        ring();
      });
      return () => {
        isOn = false;
      };
    },
  };
  const limits = { executionTimeoutMs: 50, waitTimeoutMs: null };
  const session = await (await createInterpreter({ time, limits })).open();
  const source = "for (let i = 0; i < 4; i++) await new Promise((r) => setTimeout(r, 60_000)); 'waited'";
  const result = await session.eval(source);
  expect(result.status === "completed" && result.value).toBe("waited");
  expect(result.statistics).toMatchObject({ guestMs: 0, totalMs: 240_000 });
});
