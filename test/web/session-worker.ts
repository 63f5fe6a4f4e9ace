import { createInterpreter } from "../../src/interpreter.js";
import { indexedDBStore } from "../../web/indexeddb-store.js";

/** A session that goes on from its last snapshot, and says before and after each save how far it is. */
self.onmessage = async ({ data: databaseName }: MessageEvent<string>) => {
  const interpreter = await createInterpreter();
  const store = indexedDBStore({ databaseName, fallback: "error" });
  const stored = await store.get("session");
  const session = stored ? await interpreter.restore(stored.bytes) : await interpreter.open();
  let version = stored?.version ?? null;
  for (;;) {
    const result = await session.eval(
      "globalThis.log ??= []; const step = () => log.push({ at: log.length, noise: Math.random() }); step(); log.length",
    );
    const bytes = await session.snapshot();
    const at = result.status === "completed" ? result.value : undefined;
    self.postMessage({ saving: at });
    version = await store.put("session", bytes, { replaces: version });
    self.postMessage({ saved: at });
  }
};
