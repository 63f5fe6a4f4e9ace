import { expect, test } from "vitest";
import { assertBytes, pattern } from "../../src/testing/assert.js";
import { indexedDBStore } from "../../web/indexeddb-store.js";
import { freshDatabaseName } from "../support/indexeddb-store-under-test.js";

/** Ends the writer while it is at the write after the `count`th that was confirmed. */
function writeUntil(databaseName: string, count: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./writing-worker.ts", import.meta.url), { type: "module" });
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }: MessageEvent<number>) => {
      if (--count > 0) return;
      worker.terminate();
      resolve(data);
    };
    worker.postMessage(databaseName);
  });
}

test("a writer that is killed in the middle of a write leaves the last confirmed value or the whole next one", async () => {
  const databaseName = freshDatabaseName();
  for (const count of [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]) {
    const confirmed = await writeUntil(databaseName, count);
    const stored = await indexedDBStore({ databaseName, fallback: "error" }).get("key");
    const seed = stored!.bytes[0]!;
    expect(seed).toBeGreaterThanOrEqual(confirmed);
    const whole = pattern(100_000 + (seed % 3) * 200_000, seed);
    whole[0] = seed;
    assertBytes(stored?.bytes, whole);
  }
}, 60_000);
