/**
 * The one thread of this object, table `agent_thread`: a single row. Status is derived from the runs and the state
 * when they change and stored, so that reading a thread does not need the agent.
 */
import { createTables, hasTables } from "./agent-tables.js";

export type ThreadStatus = "idle" | "busy" | "interrupted" | "error";

export interface ThreadRow {
  readonly threadId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: ThreadStatus;
  readonly metadata: Record<string, unknown>;
  readonly error: { error: string; message: string } | null;
  /** When the thread deletes itself, in ms since 1970; null keeps it. */
  readonly expiresAt: number | null;
}

type Stored = {
  thread_id: string;
  created_at: string;
  updated_at: string;
  status: string;
  metadata: string;
  error: string | null;
  expires_at: number | null;
};

export class ThreadStore {
  readonly #sql: SqlStorage;
  #exists: boolean;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#exists = hasTables(sql);
  }

  get(): ThreadRow | undefined {
    if (!this.#exists) return undefined;
    const row = this.#sql.exec<Stored>("SELECT * FROM agent_thread").toArray()[0];
    if (!row) return undefined;
    return {
      threadId: row.thread_id,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      status: row.status as ThreadStatus,
      metadata: JSON.parse(row.metadata),
      error: row.error === null ? null : JSON.parse(row.error),
      expiresAt: row.expires_at,
    };
  }

  create(threadId: string, metadata: Record<string, unknown>): ThreadRow {
    createTables(this.#sql);
    this.#exists = true;
    this.#sql.exec(
      "INSERT INTO agent_thread VALUES (1, ?, ?, ?, 'idle', ?, NULL, NULL)",
      threadId,
      now(),
      now(),
      JSON.stringify(metadata),
    );
    return this.get()!;
  }

  /** Adds to the metadata, as the platform does; a key is removed by nothing but deleting the thread. */
  mergeMetadata(metadata: Record<string, unknown>): ThreadRow {
    const merged = { ...this.get()?.metadata, ...metadata };
    this.#sql.exec("UPDATE agent_thread SET metadata = ?, updated_at = ?", JSON.stringify(merged), now());
    return this.get()!;
  }

  setStatus(status: ThreadStatus): void {
    this.#sql.exec("UPDATE agent_thread SET status = ?, error = NULL, updated_at = ?", status, now());
  }

  setError(error: NonNullable<ThreadRow["error"]>): void {
    this.#sql.exec("UPDATE agent_thread SET error = ?", JSON.stringify(error));
  }

  setExpiry(expiresAt: number | null): void {
    this.#sql.exec("UPDATE agent_thread SET expires_at = ?", expiresAt);
  }
}

const now = () => new Date().toISOString();
