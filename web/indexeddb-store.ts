import { StoreError } from "../src/errors.js";
import {
  memoryStore,
  randomVersion,
  refuseStaleWrite,
  type SnapshotStore,
  type StoredSnapshot,
  type StoreEntry,
  type StorePutOptions,
  type StoreStatus,
  type StoreSupport,
  storeFull,
} from "../src/store.js";
import { BrowserDatabase, type DatabaseOptions } from "./database.js";
import { isNamed } from "./database-errors.js";
import type { DatabaseTransaction } from "./database-schema.js";

export interface IndexedDBStoreOptions extends DatabaseOptions {
  /** The connection to use, when something else uses it too. The other options are then its own. */
  readonly database?: BrowserDatabase;
}

/**
 * A `SnapshotStore` in the page's IndexedDB; several tabs may use it at once.
 *
 * A put resolves when its transaction is complete with strict durability. Compare and set happen in that transaction,
 * so of two tabs that replace one version exactly one succeeds, with or without `withThreadLock`. The browser may evict
 * everything of a site at any time unless the page was granted `navigator.storage.persist()`
 * (https://developer.mozilla.org/en-US/docs/Web/API/Storage_API/Storage_quotas_and_eviction_criteria): a key is then
 * simply not there any more. Where there is no IndexedDB, see `DatabaseOptions.fallback`.
 */
export function indexedDBStore(options: IndexedDBStoreOptions = {}): SnapshotStore {
  return new IndexedDBStore(options.database ?? new BrowserDatabase(options));
}

class IndexedDBStore implements SnapshotStore {
  readonly #database: BrowserDatabase;
  readonly #memory = memoryStore();

  constructor(database: BrowserDatabase) {
    this.#database = database;
  }

  get supports(): StoreSupport {
    return this.status.fallback ? this.#memory.supports : { durable: true, shared: true };
  }

  get status(): StoreStatus {
    return this.#database.status;
  }

  async get(key: string): Promise<StoredSnapshot | undefined> {
    if ((await this.#database.place()) === "memory") return this.#memory.get(key);
    return this.#attempt(
      "STORE_READ",
      `read the snapshot ${JSON.stringify(key)}`,
      "readonly",
      async (transaction) => {
        const [entry, bytes] = await Promise.all([
          transaction.objectStore("snapshots").get(key),
          transaction.objectStore("snapshot-bytes").get(key),
        ]);
        if (!entry) return undefined;
        if (bytes?.length !== entry.size)
          throw new Error(`It has ${bytes?.length ?? "no"} bytes of ${entry.size}.`);
        return { bytes, version: entry.version };
      },
    );
  }

  async put(key: string, bytes: Uint8Array, options: StorePutOptions = {}): Promise<string> {
    // Before the first await, so that the caller may go on with its bytes. A copy is needed in any case: IndexedDB
    // stores the whole buffer behind a view, which for a view of wasm memory is all of that memory.
    const copy = bytes.slice();
    if ((await this.#database.place()) === "memory") return this.#memory.put(key, copy, options);
    const version = randomVersion();
    const text = `write the snapshot ${JSON.stringify(key)} of ${copy.length} bytes`;
    try {
      await this.#attempt("STORE_WRITE", text, "readwrite", async (transaction) => {
        const snapshots = transaction.objectStore("snapshots");
        const [current, last] = await Promise.all([
          snapshots.get(key),
          snapshots.index("order").openKeyCursor(null, "prev"),
        ]);
        refuseStaleWrite(key, current?.version, options.replaces);
        await transaction.objectStore("snapshot-bytes").put(copy, key);
        await snapshots.put({ version, size: copy.length, order: (last?.key ?? 0) + 1 }, key);
      });
    } catch (error) {
      if (error instanceof StoreError && isNamed(error.cause, "QuotaExceededError"))
        throw storeFull(key, copy.length, "the browser's storage for this site is used up", error.cause);
      throw error;
    }
    return version;
  }

  async delete(key: string): Promise<void> {
    if ((await this.#database.place()) === "memory") return this.#memory.delete(key);
    await this.#attempt(
      "STORE_WRITE",
      `delete the snapshot ${JSON.stringify(key)}`,
      "readwrite",
      async (transaction) => {
        await transaction.objectStore("snapshots").delete(key);
        await transaction.objectStore("snapshot-bytes").delete(key);
      },
    );
  }

  async list(prefix = ""): Promise<StoreEntry[]> {
    if ((await this.#database.place()) === "memory") return this.#memory.list(prefix);
    return this.#attempt("STORE_READ", "list the snapshots", "readonly", async (transaction) => {
      const found: (StoreEntry & { order: number })[] = [];
      const range = prefix === "" ? null : IDBKeyRange.lowerBound(prefix);
      let cursor = await transaction.objectStore("snapshots").openCursor(range);
      while (cursor?.key.startsWith(prefix)) {
        found.push({ key: cursor.key, ...cursor.value });
        cursor = await cursor.continue();
      }
      found.sort((a, b) => a.order - b.order);
      return found.map(({ key, version, size }) => ({ key, version, size }));
    });
  }

  async #attempt<Mode extends "readonly" | "readwrite", Result>(
    code: "STORE_READ" | "STORE_WRITE",
    what: string,
    mode: Mode,
    body: (transaction: DatabaseTransaction<Mode>) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#database.run(mode, ["snapshots", "snapshot-bytes"], body);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw new StoreError(code, `IndexedDB could not ${what}.`, { cause: error });
    }
  }
}
