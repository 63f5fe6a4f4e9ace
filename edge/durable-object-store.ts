/**
 * Tables, under the prefix (`edge_interpreter_` by default):
 * - `snapshots`: `key`, `version`, `size`, and `id` that grows with every write
 * - `snapshot_chunks`: the bytes of a snapshot's `id`, at most 1 MiB each, in the order of `part`
 */
import { invalidOption, StoreError } from "../src/errors.js";
import {
  randomVersion,
  refuseStaleWrite,
  type SnapshotStore,
  type StoredSnapshot,
  type StoreEntry,
  type StorePutOptions,
  type StoreSupport,
  storeFull,
} from "../src/store.js";
import {
  chunksOf,
  fromText,
  isOutOfSpace,
  joinChunks,
  requireSql,
  requireTablePrefix,
  type SqlObjectStorage,
  toText,
} from "./sql-storage.js";

export interface DurableObjectStoreOptions {
  /** @default "edge_interpreter_" */
  readonly tablePrefix?: string;
  /**
   * Largest value; a larger one is refused before anything is written. An object holds 10 GB, but reading a value
   * needs its size in the memory of the isolate, which has 128 MB for all of its objects.
   *
   * @default 64 MiB
   */
  readonly maxValueBytes?: number;
}

/**
 * A `SnapshotStore` in the SQLite of a Durable Object: `durableObjectStore(ctx.storage)`.
 *
 * A put is one transaction that compares the version, writes the chunks and removes those of the value before, so an
 * object that is evicted or deployed anew at any moment has either value, whole. It resolves when the write is on disk.
 *
 * @throws {StoreError} `STORE_UNAVAILABLE` when the object's class has no SQLite
 */
export function durableObjectStore(
  storage: SqlObjectStorage,
  options: DurableObjectStoreOptions = {},
): SnapshotStore {
  const { tablePrefix = "edge_interpreter_", maxValueBytes = 64 * 1024 * 1024 } = options;
  if (typeof maxValueBytes !== "number" || !(maxValueBytes > 0))
    throw invalidOption("maxValueBytes", maxValueBytes, "a number of bytes above 0");
  requireSql(storage);
  return new DurableObjectStore(storage, requireTablePrefix(tablePrefix), maxValueBytes);
}

type SnapshotRow = { id: number; key: string; version: string; size: number };

class DurableObjectStore implements SnapshotStore {
  readonly supports: StoreSupport = { durable: true, shared: false };
  readonly #storage: SqlObjectStorage;
  readonly #snapshots: string;
  readonly #chunks: string;
  readonly #maxValueBytes: number;
  #prepared = false;

  constructor(storage: SqlObjectStorage, prefix: string, maxValueBytes: number) {
    this.#storage = storage;
    this.#snapshots = `${prefix}snapshots`;
    this.#chunks = `${prefix}snapshot_chunks`;
    this.#maxValueBytes = maxValueBytes;
  }

  async get(key: string): Promise<StoredSnapshot | undefined> {
    return this.#attempt("STORE_READ", `read the snapshot ${JSON.stringify(key)}`, () => {
      const row = this.#find(key);
      if (!row) return undefined;
      const query = `SELECT bytes FROM ${this.#chunks} WHERE id = ? ORDER BY part`;
      const chunks = this.#storage.sql.exec<{ bytes: ArrayBuffer }>(query, row.id);
      return {
        bytes: joinChunks(
          row.size,
          map(chunks, ({ bytes }) => bytes),
        ),
        version: row.version,
      };
    });
  }

  async put(key: string, bytes: Uint8Array, options: StorePutOptions = {}): Promise<string> {
    const size = bytes.length;
    if (size > this.#maxValueBytes)
      throw storeFull(
        key,
        size,
        `the largest value of this store is ${this.#maxValueBytes} bytes (\`maxValueBytes\`)`,
      );
    const version = randomVersion();
    // Everything up to `sync` happens before `put` returns its promise, so the bytes need no copy.
    this.#attempt("STORE_WRITE", `write the snapshot ${JSON.stringify(key)} of ${size} bytes`, () => {
      const previous = this.#find(key);
      refuseStaleWrite(key, previous?.version, options.replaces);
      if (previous) this.#remove(previous.id);
      const insert = `INSERT INTO ${this.#snapshots} (key, version, size) VALUES (?, ?, ?) RETURNING id`;
      const { id } = this.#storage.sql.exec<{ id: number }>(insert, toText(key), version, size).one();
      let part = 0;
      for (const chunk of chunksOf(bytes)) {
        const insertChunk = `INSERT INTO ${this.#chunks} (id, part, bytes) VALUES (?, ?, ?)`;
        this.#storage.sql.exec(insertChunk, id, part++, chunk);
      }
    });
    await this.#sync();
    return version;
  }

  async delete(key: string): Promise<void> {
    this.#attempt("STORE_WRITE", `delete the snapshot ${JSON.stringify(key)}`, () => {
      const row = this.#find(key);
      if (row) this.#remove(row.id);
    });
    await this.#sync();
  }

  async list(prefix = ""): Promise<StoreEntry[]> {
    return this.#attempt("STORE_READ", "list the snapshots", () => {
      const rows = this.#storage.sql.exec<SnapshotRow>(`SELECT * FROM ${this.#snapshots} ORDER BY id`);
      const entries = [...map(rows, ({ key, version, size }) => ({ key: fromText(key), version, size }))];
      return entries.filter((entry) => entry.key.startsWith(prefix));
    });
  }

  #find(key: string): SnapshotRow | undefined {
    const query = `SELECT * FROM ${this.#snapshots} WHERE key = ?`;
    return this.#storage.sql.exec<SnapshotRow>(query, toText(key)).toArray()[0];
  }

  #remove(id: number): void {
    this.#storage.sql.exec(`DELETE FROM ${this.#chunks} WHERE id = ?`, id);
    this.#storage.sql.exec(`DELETE FROM ${this.#snapshots} WHERE id = ?`, id);
  }

  #attempt<Result>(code: "STORE_READ" | "STORE_WRITE", what: string, body: () => Result): Result {
    try {
      return this.#storage.transactionSync(() => {
        this.#prepare();
        return body();
      });
    } catch (cause) {
      this.#prepared = false;
      if (cause instanceof StoreError) throw cause;
      const text = `SQLite could not ${what}.`;
      throw new StoreError(isOutOfSpace(cause) ? "STORE_FULL" : code, text, { cause });
    }
  }

  /** On first use and inside its transaction: creating tables in a constructor would bill a write to every object. */
  #prepare(): void {
    if (this.#prepared) return;
    // AUTOINCREMENT: an id is never used again, so chunks of a removed value can belong to no other.
    this.#storage.sql.exec(`CREATE TABLE IF NOT EXISTS ${this.#snapshots} (
      id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, version TEXT NOT NULL, size INTEGER NOT NULL)`);
    this.#storage.sql.exec(`CREATE TABLE IF NOT EXISTS ${this.#chunks} (
      id INTEGER NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (id, part))`);
    this.#prepared = true;
  }

  async #sync(): Promise<void> {
    try {
      await this.#storage.sync();
    } catch (cause) {
      throw new StoreError("STORE_WRITE", "The Durable Object's storage could not be brought to disk.", {
        cause,
      });
    }
  }
}

function* map<From, To>(items: Iterable<From>, convert: (item: From) => To): Generator<To> {
  for (const item of items) yield convert(item);
}
