import type { StoreUnderTest } from "../../src/testing/store-under-test.js";
import { BrowserDatabase } from "../../web/database.js";
import { indexedDBStore } from "../../web/indexeddb-store.js";

let databases = 0;
export const freshDatabaseName = (): string => `test-${++databases}-${crypto.randomUUID()}`;

/** A store on a new database, closed afterwards. Its second store has a connection of its own, as another tab has. */
export async function useIndexedDBStore(run: (subject: StoreUnderTest) => Promise<void>): Promise<void> {
  const databaseName = freshDatabaseName();
  const open: BrowserDatabase[] = [];
  const openStore = () => {
    const database = new BrowserDatabase({ databaseName, fallback: "error" });
    open.push(database);
    return indexedDBStore({ database });
  };
  try {
    await run({ store: openStore(), reopen: async () => openStore(), failing: failingRequests });
  } finally {
    for (const database of open) await database.close();
    indexedDB.deleteDatabase(databaseName);
  }
}

/** The requests of an object store that read, and those that write. */
const methods = { read: ["get", "openCursor"], write: ["put", "delete"] } as const;

/** Makes requests throw; with `after`, only those that follow the first `after`. */
export function failingRequests(operation: "read" | "write", error: Error, after = 0): () => void {
  const prototype = IDBObjectStore.prototype as unknown as Record<string, (...input: unknown[]) => unknown>;
  const originals = methods[operation].map((name) => [name, prototype[name]!] as const);
  let left = after;
  for (const [name, original] of originals)
    prototype[name] = function (this: unknown, ...input: unknown[]) {
      if (left-- <= 0) throw error;
      return original.apply(this, input);
    };
  return () => {
    for (const [name, original] of originals) prototype[name] = original;
  };
}
