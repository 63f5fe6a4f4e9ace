/** A connection to the page's database: opened when it is needed, given up when another tab has to upgrade it. */
import type { IDBPDatabase } from "idb";
import { invalidOption, StoreError } from "../src/errors.js";
import type { StoreStatus } from "../src/store.js";
import { isNamed, isPassing } from "./database-errors.js";
import { type DatabaseSchema, type DatabaseTransaction, type Names, openWithin } from "./database-schema.js";

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

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself.
  }
}
