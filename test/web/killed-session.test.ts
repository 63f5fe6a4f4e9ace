import { expect, test } from "vitest";
import { createInterpreter } from "../../src/interpreter.js";
import { indexedDBStore } from "../../web/indexeddb-store.js";
import { freshDatabaseName } from "../support/indexeddb-store-under-test.js";
import { randomFrom } from "../support/snapshots.js";

/** Ends the session's worker at its `limit`th word; answers what it said to have saved last. */
function runUntil(databaseName: string, limit: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./session-worker.ts", import.meta.url), { type: "module" });
    let saved = 0;
    let words = 0;
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }: MessageEvent<{ saved?: number }>) => {
      saved = data.saved ?? saved;
      if (++words < limit) return;
      worker.terminate();
      resolve(saved);
    };
    worker.postMessage(databaseName);
  });
}

test("a session whose worker is killed at any moment of 200 saves has the state of its last saved eval", async () => {
  const databaseName = freshDatabaseName();
  const interpreter = await createInterpreter();
  const random = randomFrom(79);
  let reached = 0;
  while (reached < 200) {
    const saved = Math.max(reached, await runUntil(databaseName, 1 + random(60)));
    const stored = await indexedDBStore({ databaseName, fallback: "error" }).get("session");
    if (!stored) {
      expect(saved).toBe(0);
      continue;
    }
    const session = await interpreter.restore(stored.bytes);
    const result = await session.eval("[log.length, log.every(({ at }, i) => at === i), typeof step]");
    if (result.status !== "completed") throw new Error(JSON.stringify(result));
    const [length, whole, step] = result.value as [number, boolean, string];
    expect([whole, step]).toEqual([true, "function"]);
    // It may have saved more than it was heard to say: its words wait while this page is busy.
    expect(length).toBeGreaterThanOrEqual(saved);
    reached = length;
    session.dispose();
  }
}, 300_000);
