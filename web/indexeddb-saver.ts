import { StoreError } from "../src/errors.js";
import {
  type Plan,
  type Row,
  type RowAnswer,
  type RowKey,
  type RowPrefix,
  type RowRequest,
  runPlan,
  runPlanAsync,
} from "../src/langchain/savers/checkpoint-rows.js";
import { MemoryRows } from "../src/langchain/savers/memory-rows.js";
import {
  type CheckpointSaverOptions,
  RowCheckpointSaver,
} from "../src/langchain/savers/row-checkpoint-saver.js";
import type { StoreStatus } from "../src/store.js";
import { BrowserDatabase, type DatabaseOptions } from "./database.js";
import { isNamed } from "./database-errors.js";
import type { DatabaseTransaction } from "./database-schema.js";

export interface IndexedDBSaverOptions extends CheckpointSaverOptions, DatabaseOptions {
  /** The connection to use, when something else uses it too. The other database options are then its own. */
  readonly database?: BrowserDatabase;
}

/**
 * A LangGraph checkpoint saver in the page's IndexedDB: conversations survive a reload.
 *
 * Every call that writes is one transaction and resolves when it is complete with strict durability. Two tabs that run
 * one thread at the same time fork it rather than damage it; `withThreadLock` keeps them apart. Where there is no
 * IndexedDB, see `DatabaseOptions.fallback` and `status`.
 */
export class IndexedDBSaver extends RowCheckpointSaver {
  readonly #database: BrowserDatabase;
  readonly #memory = new MemoryRows();

  constructor(options: IndexedDBSaverOptions = {}) {
    super(options);
    this.#database = options.database ?? new BrowserDatabase(options);
  }

  /** Whether checkpoints are where they are wanted. */
  get status(): StoreStatus {
    return this.#database.status;
  }

  protected override async transact<Result>(
    mode: "readonly" | "readwrite",
    plan: Plan<Result>,
  ): Promise<Result> {
    if ((await this.#database.place()) === "memory") return runPlan(plan, this.#memory.answer);
    try {
      return await this.#database.run(mode, ["checkpoints"], (transaction) =>
        runPlanAsync(plan, (request) => answer(transaction as DatabaseTransaction<"readwrite">, request)),
      );
    } catch (cause) {
      if (cause instanceof StoreError) throw cause;
      if (isNamed(cause, "QuotaExceededError"))
        throw new StoreError("STORE_FULL", "The browser's storage for this site is used up.", { cause });
      const what = mode === "readonly" ? "read" : "write";
      throw new StoreError(
        `STORE_${mode === "readonly" ? "READ" : "WRITE"}`,
        `IndexedDB could not ${what} a checkpoint.`,
        {
          cause,
        },
      );
    }
  }
}

async function answer(
  transaction: DatabaseTransaction<"readwrite">,
  request: RowRequest,
): Promise<RowAnswer> {
  const rows = transaction.objectStore("checkpoints");
  switch (request.type) {
    case "get":
      return Promise.all(
        request.keys.map(async (key): Promise<Row | undefined> => {
          const row = await rows.get([...key]);
          return row && { key, head: row.head, body: row.body };
        }),
      );
    case "keys":
      return (await rows.getAllKeys(range(request.prefix))) as unknown as RowKey[];
    case "last":
      return (await rows.openKeyCursor(range(request.prefix), "prev"))?.key as RowKey | undefined;
    case "put":
      // Asked for all at once; that the function is async turns a throw into a rejection like the others.
      await Promise.all(
        request.rows.map(async ({ key, head, body }) => {
          // A serializer of the app may give a view, and IndexedDB stores the whole buffer behind one.
          const whole = body.byteLength === body.buffer.byteLength ? body : body.slice();
          await rows.put({ head, body: whole }, [...key]);
        }),
      );
      return undefined;
    case "delete":
      for (const prefix of request.prefixes) await rows.delete(range(prefix));
      return undefined;
  }
}

/** Arrays are ordered by their items and an array comes after every string and number, so this is everything below it. */
function range(prefix: RowPrefix): IDBKeyRange {
  return IDBKeyRange.bound([...prefix], [...prefix, []]);
}
