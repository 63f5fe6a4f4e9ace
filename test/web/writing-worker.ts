import { pattern } from "../../src/testing/assert.js";
import { indexedDBStore } from "../../web/indexeddb-store.js";

/** Writes one value after the other, larger and smaller, and says which ones `put` has confirmed. */
self.onmessage = async ({ data: databaseName }: MessageEvent<string>) => {
  const store = indexedDBStore({ databaseName, fallback: "error" });
  const current = await store.get("key");
  let version = current?.version ?? null;
  for (let seed = (current?.bytes[0] ?? 0) + 1; ; seed++) {
    const bytes = pattern(100_000 + (seed % 3) * 200_000, seed);
    bytes[0] = seed;
    version = await store.put("key", bytes, { replaces: version });
    self.postMessage(seed);
  }
};
