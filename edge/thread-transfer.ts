/**
 * The object's side of copying a thread: what it holds, part by part, and taking that over in an object that is empty.
 *
 * Rows go as they are, ids included: a copy has the very checkpoints, with their ids, and the very snapshots. Runs and
 * what they sent stay with the original. Until the last part is there the copy has no thread, and an alarm clears up
 * after a copy that was broken off.
 */
import { parseSnapshotKey, threadPrefix } from "../src/langchain/sessions/snapshot-keys.js";
import type { AgentThread } from "./agent-thread.js";
import { fromText, toText } from "./sql-storage.js";

type Value = string | number | null | ArrayBuffer;

export interface ThreadRows {
  readonly table: string;
  readonly columns: string[];
  readonly rows: Value[][];
}

/** Where the next part begins: after row `after` of table number `table`. */
export interface TransferPlace {
  readonly table: number;
  readonly after: number;
}

export interface ThreadPart {
  /** Says which state of the thread this is of: parts with different stamps do not fit together. */
  readonly stamp: string;
  /** Statements that make the tables. */
  readonly tables: string[];
  readonly content: ThreadRows[];
  readonly next: TransferPlace | null;
  readonly metadata: string;
}

/** A call between objects may carry 32 MiB. */
const PART_BYTES = 4 * 1024 * 1024;
const ABANDONED_MS = 3_600_000;

/** The part at `place`; "busy" while a run may change what is read. */
export function readPart(thread: AgentThread, place: TransferPlace): ThreadPart | "absent" | "busy" {
  const row = thread.store.get();
  if (!row) return "absent";
  if (thread.runs.unfinished().length > 0) return "busy";
  const { sql } = thread.storage;
  // The saver's tables and the snapshot store's; not those of runs, and not an application's own.
  const tables = sql
    .exec<{ name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name LIKE 'edge\\_interpreter\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .toArray();
  const content: ThreadRows[] = [];
  let bytes = 0;
  let next: TransferPlace | null = null;
  for (let index = place.table; index < tables.length && !next; index++) {
    const table = tables[index]!.name;
    const after = index === place.table ? place.after : 0;
    const cursor = sql.exec<Record<string, Value>>(
      `SELECT rowid AS transfer_row, * FROM ${table} WHERE rowid > ? ORDER BY rowid`,
      after,
    );
    const columns = cursor.columnNames.slice(1);
    const rows: Value[][] = [];
    for (const [rowId, ...values] of cursor.raw<Value[]>()) {
      rows.push(values);
      bytes += values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
      if (bytes < PART_BYTES) continue;
      next = { table: index, after: Number(rowId) };
      break;
    }
    if (rows.length > 0) content.push({ table, columns, rows });
  }
  return {
    stamp: `${row.updatedAt} ${thread.runs.list({ limit: 1, offset: 0 })[0]?.runId ?? ""}`,
    tables: place.table === 0 && place.after === 0 ? tables.map((table) => table.sql) : [],
    content,
    next,
    metadata: JSON.stringify(row.metadata),
  };
}

/** @throws when this object has a thread already */
export function writePart({ storage, store }: AgentThread, part: ThreadPart): void {
  if (store.get()) throw new Error("A copy goes into an empty object.");
  void storage.setAlarm(Date.now() + ABANDONED_MS);
  storage.transactionSync(() => {
    for (const statement of part.tables) storage.sql.exec(statement);
    for (const { table, columns, rows } of part.content) {
      const insert = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
      for (const row of rows) storage.sql.exec(insert, ...row);
    }
  });
}

/** Everything is there: from now on this object holds the thread `to`. */
export async function finishCopy(
  thread: AgentThread,
  { from, to, metadata }: { from: string; to: string; metadata: string },
): Promise<void> {
  const { storage, store } = thread;
  storage.transactionSync(() => {
    renameCheckpoints(storage.sql, from, to);
    renameNotes(storage.sql, from, to);
    store.create(to, JSON.parse(metadata));
  });
  await storage.deleteAlarm();
  await thread.loop.refreshStatus();
}

function renameCheckpoints(sql: SqlStorage, from: string, to: string): void {
  if (!hasTable(sql, "edge_interpreter_checkpoint_rows")) return;
  sql.exec(
    "UPDATE edge_interpreter_checkpoint_rows SET thread = ? WHERE thread = ?",
    toText(to),
    toText(from),
  );
}

/** What is found by the thread's id, such as a paused eval. Snapshots keep their keys: checkpoints name them. */
function renameNotes(sql: SqlStorage, from: string, to: string): void {
  if (!hasTable(sql, "edge_interpreter_snapshots")) return;
  const stored = sql.exec<{ key: string }>("SELECT key FROM edge_interpreter_snapshots").toArray();
  for (const { key: text } of stored) {
    const key = fromText(text);
    if (!key.startsWith(threadPrefix(from)) || parseSnapshotKey(key)) continue;
    const renamed = threadPrefix(to) + key.slice(threadPrefix(from).length);
    sql.exec("UPDATE edge_interpreter_snapshots SET key = ? WHERE key = ?", toText(renamed), text);
  }
}

function hasTable(sql: SqlStorage, name: string): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = ?", name).toArray().length > 0;
}

function sizeOf(value: Value): number {
  if (value instanceof ArrayBuffer) return value.byteLength;
  return typeof value === "string" ? value.length * 2 : 8;
}
