import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { resolveCapacity } from "../../src/capacity.js";
import { createInterpreter } from "../../src/interpreter.js";
import { sharedPool } from "../../src/session/session-pool.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("a session whose owner is gone in the middle of an eval takes no room for ever", async () => {
  const figures = { maxTotalMemoryBytes: 20 * 1024 * 1024 };
  const pool = sharedPool(resolveCapacity(figures));
  // As an evicted object leaves it: nothing will ever settle the call, nobody disposes of anything.
  const abandon = async () => {
    const session = await (await createInterpreter(figures)).open();
    const tools = { wait: () => new Promise(() => {}) };
    void session.eval("await tools.wait({})", { tools, limits: { waitTimeoutMs: null } });
  };
  await abandon();
  expect(pool.liveBytes).toBeGreaterThan(0);
  await expect
    .poll(() => {
      collectGarbage();
      return pool.liveBytes;
    })
    .toBe(0);
  expect((await (await createInterpreter(figures)).open()).memoryBytes).toBeGreaterThan(0);
});
