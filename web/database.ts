/**
 * The page's one IndexedDB database: one name, one version, one upgrade path for snapshots and checkpoints.
 *
 * Object stores:
 * - `snapshots`: key -> `{ version, size, order }`, index `order`
 * - `snapshot-bytes`: key -> bytes, apart from the former so that a list reads no values
 * - `checkpoints`: `RowKey` as an array -> `{ head, body }`, see src/langchain/checkpoint-rows.ts
 *
 * The version changes only with this layout, never with what is in it: an upgrade needs every other tab to let go of
 * the database, and a third tab that waits gets no event at all (https://github.com/w3c/IndexedDB/issues/223). So a
 * connection closes itself when another one wants to upgrade, and an open has a time limit.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";
import { invalidOption, StoreError } from "../src/errors.js";
import type { StoreStatus } from "../src/store.js";

export interface DatabaseSchema extends DBSchema {
  snapshots: {
    key: string;
    value: { version: string; size: number; order: number };
    indexes: { order: number };
  };
  "snapshot-bytes": { key: string; value: Uint8Array };
  checkpoints: { key: (string | number)[]; value: { head: string; body: Uint8Array } };
}

const schemaVersion = 1;

export interface DatabaseOptions {
  /** @default "edge-interpreter" */
  readonly databaseName?: string;
  /**
   * What to do where the page cannot have a database at all (no IndexedDB, access denied, a private window that refuses
   * it, a disk without space): keep everything in memory until the page closes, which `status` then says, or throw
   * `STORE_UNAVAILABLE`. A database that is only busy with another tab throws in both cases, as does one that worked once.
   *
   * @default "memory"
   */
  readonly fallback?: "memory" | "error";
  /** Called once when the fallback is taken. @default a line on `console.warn` */
  readonly onFallback?: (reason: StoreError) => void;
  /** How long an open may wait for other tabs. @default 10000 */
  readonly openTimeoutMs?: number;
}

type Names = StoreNames<DatabaseSchema>;
export type DatabaseTransaction<Mode extends IDBTransactionMode> = IDBPTransaction<
  DatabaseSchema,
  Names[],
  Mode
>;

/** A connection to the page's database that opens itself when needed. Pass one to the store and to the saver. */
export class BrowserDatabase {
  readonly name: string;
  readonly #fallback: "memory" | "error";
  readonly #onFallback: (reason: StoreError) => void;
  readonly #openTimeoutMs: number;
  #connection: Promise<IDBPDatabase<DatabaseSchema>> | undefined;
  /** Decided by the first open and then kept: a store that changes places loses data. */
  #place: "unknown" | "database" | "memory" = "unknown";
  #reason: StoreError | undefined;

  constructor(options: DatabaseOptions = {}) {
    const { databaseName = "edge-interpreter", fallback = "memory", openTimeoutMs = 10_000 } = options;
    if (typeof databaseName !== "string") throw invalidOption("databaseName", databaseName, "a string");
    if (fallback !== "memory" && fallback !== "error")
      throw invalidOption("fallback", fallback, '"memory" or "error"');
    if (typeof openTimeoutMs !== "number" || !(openTimeoutMs > 0))
      throw invalidOption("openTimeoutMs", openTimeoutMs, "a number of milliseconds above 0");
    this.name = databaseName;
    this.#fallback = fallback;
    this.#onFallback =
      options.onFallback ?? ((reason) => console.warn(`${reason.message} Kept in memory instead.`));
    this.#openTimeoutMs = openTimeoutMs;
  }

  get status(): StoreStatus {
    return this.#reason ? { fallback: "memory", reason: this.#reason } : {};
  }

  /**
   * Whether the database is used or the fallback; asks the browser the first time.
   *
   * @throws {StoreError} `STORE_UNAVAILABLE`
   */
  async place(): Promise<"database" | "memory"> {
    if (this.#place !== "unknown") return this.#place;
    try {
      await this.#open();
      this.#place = "database";
    } catch (error) {
      if (this.#fallback === "error" || !(error instanceof StoreError) || isPassing(error)) throw error;
      // Two first calls wait for one open, and both arrive here.
      if (this.#reason) return "memory";
      this.#place = "memory";
      this.#reason = error;
      this.#onFallback(error);
    }
    return this.#place;
  }

  /**
   * Runs `body` in one transaction and resolves when it is complete; when `body` throws, nothing of it is kept.
   * `body` must await its own requests and nothing else: a transaction ends as soon as no request is waiting.
   *
   * @throws the error of `body`, of the transaction, or `STORE_UNAVAILABLE`
   */
  async run<Mode extends "readonly" | "readwrite", Result>(
    mode: Mode,
    names: Names[],
    body: (transaction: DatabaseTransaction<Mode>) => Promise<Result>,
  ): Promise<Result> {
    const transaction = await this.#begin(mode, names);
    let failure: unknown;
    const done = transaction.done.then(
      () => true,
      (error: unknown) => {
        failure = error;
        return false;
      },
    );
    let result: Result;
    try {
      result = await body(transaction);
    } catch (error) {
      abort(transaction);
      await done;
      // A request of an aborted transaction only says that it was aborted; the transaction knows why (quota).
      throw isNamed(error, "AbortError") && failure ? failure : error;
    }
    if (!(await done)) throw failure;
    return result;
  }

  /** Lets go of the database; the next use opens it again. */
  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    (await connection?.catch(() => undefined))?.close();
  }

  async #begin<Mode extends "readonly" | "readwrite">(mode: Mode, names: Names[]) {
    // The default leaves the write in the operating system's cache: "complete" would not mean that it survives.
    const options = { durability: mode === "readwrite" ? "strict" : "default" } as const;
    const opening = this.#open();
    const connection = await opening;
    try {
      return connection.transaction(names, mode, options);
    } catch (error) {
      // InvalidStateError: closed by the browser (data cleared, process gone) or by another tab's upgrade. Nothing
      // was asked of it yet, so asking a new connection is safe; a second failure is for the caller.
      if (!isNamed(error, "InvalidStateError")) throw error;
      this.#forget(opening);
      return (await this.#open()).transaction(names, mode, options);
    }
  }

  #open(): Promise<IDBPDatabase<DatabaseSchema>> {
    if (this.#connection) return this.#connection;
    const opening: Promise<IDBPDatabase<DatabaseSchema>> = openWithin(this.name, this.#openTimeoutMs, () =>
      this.#forget(opening),
    );
    this.#connection = opening;
    // A failed open must not be the answer for ever.
    opening.catch(() => this.#forget(opening));
    return opening;
  }

  #forget(opening: Promise<IDBPDatabase<DatabaseSchema>>): void {
    if (this.#connection === opening) this.#connection = undefined;
    opening.then(
      (connection) => connection.close(),
      () => {},
    );
  }
}

function openWithin(
  name: string,
  timeoutMs: number,
  onClosed: () => void,
): Promise<IDBPDatabase<DatabaseSchema>> {
  return new Promise((resolve, reject) => {
    let blocked = false;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      const why = blocked
        ? "another tab holds an older version of it open. Close that tab or reload it"
        : "the browser did not answer. Another tab may hold it";
      const cause = new DOMException(`The open took longer than ${timeoutMs} ms`, "TimeoutError");
      reject(unavailable(name, why, cause));
    }, timeoutMs);
    try {
      // Some browsers throw from the getter when storage is blocked for the site.
      if (globalThis.indexedDB === undefined) throw new Error("This runtime has no `indexedDB`.");
      const opening = openDB<DatabaseSchema>(name, schemaVersion, {
        upgrade,
        blocked: () => {
          blocked = true;
        },
        blocking: onClosed,
        terminated: onClosed,
      });
      opening.then(
        (open) => {
          clearTimeout(timer);
          if (late) open.close();
          else resolve(open);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(unavailable(name, explain(error), error));
        },
      );
    } catch (error) {
      clearTimeout(timer);
      reject(unavailable(name, explain(error), error));
    }
  });
}

/** The one upgrade path. A step per version, each from the version before it; a released step is never changed. */
function upgrade(database: IDBPDatabase<DatabaseSchema>, oldVersion: number): void {
  if (oldVersion < 1) {
    database.createObjectStore("snapshots").createIndex("order", "order");
    database.createObjectStore("snapshot-bytes");
    database.createObjectStore("checkpoints");
  }
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself.
  }
}

/** True for a failure that may be over the next time, or that only another version of the page can handle. */
function isPassing(error: StoreError): boolean {
  return isNamed(error.cause, "TimeoutError") || isNamed(error.cause, "VersionError");
}

export function isNamed(error: unknown, name: string): boolean {
  return typeof error === "object" && error !== null && "name" in error && error.name === name;
}

function explain(error: unknown): string {
  if (isNamed(error, "VersionError")) return "a newer version of this page has upgraded it. Reload the page";
  return error instanceof Error || error instanceof DOMException
    ? `${error.name}: ${error.message}`
    : String(error);
}

function unavailable(name: string, why: string, cause: unknown): StoreError {
  return new StoreError(
    "STORE_UNAVAILABLE",
    `The database ${JSON.stringify(name)} cannot be opened: ${why}.`,
    {
      cause,
    },
  );
}
