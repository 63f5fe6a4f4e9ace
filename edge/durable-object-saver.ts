/**
 * Tables, under the prefix (`edge_interpreter_` by default):
 * - `checkpoint_rows`: the rows of src/langchain/savers/checkpoint-rows.ts; the parts of their key, `head`, and as `body` the
 *   first MiB of `size` bytes
 * - `checkpoint_parts`: what comes after the first MiB of the row `id`, in parts of at most 1 MiB
 */
import { StoreError } from "../src/errors.js";
import {
  type Plan,
  type Row,
  type RowAnswer,
  type RowKey,
  type RowKind,
  type RowPrefix,
  type RowRequest,
  runPlan,
} from "../src/langchain/savers/checkpoint-rows.js";
import {
  type CheckpointSaverOptions,
  RowCheckpointSaver,
} from "../src/langchain/savers/row-checkpoint-saver.js";
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

export interface DurableObjectSaverOptions extends CheckpointSaverOptions {
  /** @default "edge_interpreter_" */
  readonly tablePrefix?: string;
}

/**
 * A LangGraph checkpoint saver in the SQLite of a Durable Object: `new DurableObjectSaver(ctx.storage)`.
 *
 * Every call that writes is one transaction and resolves when that is on disk. What the object sends is held back until
 * its writes are there in any case (https://developers.cloudflare.com/durable-objects/reference/glossary/#output-gate),
 * but a step that only computes sends nothing: without waiting, an object that is lost in it would forget the step
 * before, too, although the graph was told that it is saved. Runs with LangGraph's default `durability` do not wait.
 */
export class DurableObjectSaver extends RowCheckpointSaver {
  readonly #storage: SqlObjectStorage;
  readonly #rows: string;
  readonly #parts: string;
  #prepared = false;

  /** @throws {StoreError} `STORE_UNAVAILABLE` when the object's class has no SQLite */
  constructor(storage: SqlObjectStorage, options: DurableObjectSaverOptions = {}) {
    super(options);
    requireSql(storage);
    const prefix = requireTablePrefix(options.tablePrefix ?? "edge_interpreter_");
    this.#storage = storage;
    this.#rows = `${prefix}checkpoint_rows`;
    this.#parts = `${prefix}checkpoint_parts`;
  }

  protected override async transact<Result>(
    mode: "readonly" | "readwrite",
    plan: Plan<Result>,
  ): Promise<Result> {
    try {
      const result = this.#storage.transactionSync(() => {
        this.#prepare();
        return runPlan(plan, (request) => this.#answer(request));
      });
      if (mode === "readwrite") await this.#storage.sync();
      return result;
    } catch (cause) {
      this.#prepared = false;
      if (isOutOfSpace(cause))
        throw new StoreError("STORE_FULL", "SQLite has no space for the checkpoint.", { cause });
      const what = mode === "readonly" ? "read" : "write";
      throw new StoreError(
        `STORE_${mode === "readonly" ? "READ" : "WRITE"}`,
        `SQLite could not ${what} a checkpoint.`,
        {
          cause,
        },
      );
    }
  }

  #answer(request: RowRequest): RowAnswer {
    switch (request.type) {
      case "get":
        return request.keys.map((key) => this.#get(key));
      case "keys":
        return this.#keys(request.prefix, "ASC");
      case "last":
        return this.#keys(request.prefix, "DESC LIMIT 1")[0];
      case "put":
        for (const row of request.rows) this.#put(row);
        return undefined;
      case "delete":
        for (const prefix of request.prefixes) this.#delete(prefix);
        return undefined;
    }
  }

  #get(key: RowKey): Row | undefined {
    const { condition, values } = where(key);
    const query = `SELECT id, head, size, body FROM ${this.#rows} WHERE ${condition}`;
    const row = this.#storage.sql
      .exec<{ id: number; head: string; size: number; body: ArrayBuffer }>(query, ...values)
      .toArray()[0];
    if (!row) return undefined;
    const chunks = [row.body];
    if (row.size > row.body.byteLength) {
      const parts = `SELECT bytes FROM ${this.#parts} WHERE id = ? ORDER BY part`;
      for (const part of this.#storage.sql.exec<{ bytes: ArrayBuffer }>(parts, row.id))
        chunks.push(part.bytes);
    }
    return { key, head: row.head, body: joinChunks(row.size, chunks) };
  }

  #keys(prefix: RowPrefix, order: "ASC" | "DESC LIMIT 1"): RowKey[] {
    const { condition, values } = where(prefix);
    const direction = order.split(" ")[0];
    // The columns of the prefix are constant, so the order is that of the index from either end.
    const columns = keyColumns.map((column) => `${column} ${direction}`).join(", ");
    const query = `SELECT ${keyColumns.join(", ")} FROM ${this.#rows} WHERE ${condition} ORDER BY ${columns}${order.slice(direction!.length)}`;
    return Array.from(this.#storage.sql.exec<KeyRow>(query, ...values), toKey);
  }

  #put(row: Row): void {
    this.#delete(row.key);
    const [first, ...others] = chunksOf(row.body);
    const insert = `INSERT INTO ${this.#rows} (${keyColumns.join(", ")}, head, size, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;
    const values = row.key.map((part) => (typeof part === "string" ? toText(part) : part));
    const { id } = this.#storage.sql
      .exec<{ id: number }>(insert, ...values, row.head, row.body.length, first)
      .one();
    for (const [part, chunk] of others.entries())
      this.#storage.sql.exec(
        `INSERT INTO ${this.#parts} (id, part, bytes) VALUES (?, ?, ?)`,
        id,
        part,
        chunk,
      );
  }

  #delete(prefix: RowPrefix): void {
    const { condition, values } = where(prefix);
    const ids = `SELECT id FROM ${this.#rows} WHERE ${condition}`;
    this.#storage.sql.exec(`DELETE FROM ${this.#parts} WHERE id IN (${ids})`, ...values);
    this.#storage.sql.exec(`DELETE FROM ${this.#rows} WHERE ${condition}`, ...values);
  }

  #prepare(): void {
    if (this.#prepared) return;
    this.#storage.sql.exec(`CREATE TABLE IF NOT EXISTS ${this.#rows} (
      id INTEGER PRIMARY KEY, kind TEXT NOT NULL, thread TEXT NOT NULL, namespace TEXT NOT NULL, a TEXT NOT NULL,
      b TEXT NOT NULL, position INTEGER NOT NULL, head TEXT NOT NULL, size INTEGER NOT NULL, body BLOB NOT NULL,
      UNIQUE (${keyColumns.join(", ")}))`);
    this.#storage.sql.exec(`CREATE TABLE IF NOT EXISTS ${this.#parts} (
      id INTEGER NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (id, part))`);
    this.#prepared = true;
  }
}

/** In the order of `RowKey`. */
const keyColumns = ["kind", "thread", "namespace", "a", "b", "position"] as const;

type KeyRow = { kind: string; thread: string; namespace: string; a: string; b: string; position: number };

function toKey(row: KeyRow): RowKey {
  const text = [row.thread, row.namespace, row.a, row.b].map(fromText) as [string, string, string, string];
  return [row.kind as RowKind, ...text, row.position];
}

function where(prefix: RowPrefix): { condition: string; values: (string | number)[] } {
  const condition = keyColumns.slice(0, prefix.length).map((column) => `${column} = ?`);
  const values = prefix.map((part) => (typeof part === "string" ? toText(part) : part));
  return { condition: condition.join(" AND "), values };
}
