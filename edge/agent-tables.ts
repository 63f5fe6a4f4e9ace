/**
 * What an object stores about its thread and runs, beside the saver's and the snapshot store's own tables:
 * - `agent_thread`: one row, the thread
 * - `agent_run`: one row per run; `n` is their order
 * - `agent_request`: what the client asked of a run, in chunks because an input may be larger than a row
 * - `agent_event`: what a run sent, numbered from 1, in chunks for the same reason
 *
 * They come with the thread and not before: an object that was only asked about stays empty and costs nothing.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS agent_thread (
    only INTEGER PRIMARY KEY CHECK (only = 1), thread_id TEXT NOT NULL, created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL, status TEXT NOT NULL, metadata TEXT NOT NULL, error TEXT, expires_at INTEGER);
  CREATE TABLE IF NOT EXISTS agent_run (
    n INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL UNIQUE, assistant_id TEXT NOT NULL,
    status TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, stalled INTEGER NOT NULL DEFAULT 0,
    metadata TEXT NOT NULL, strategy TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    due INTEGER NOT NULL, head_before TEXT, head_seen TEXT);
  CREATE INDEX IF NOT EXISTS agent_run_status ON agent_run (status, n);
  CREATE TABLE IF NOT EXISTS agent_request (
    run_id TEXT NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (run_id, part));
  CREATE TABLE IF NOT EXISTS agent_event (
    run_id TEXT NOT NULL, seq INTEGER NOT NULL, part INTEGER NOT NULL, name TEXT NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (run_id, seq, part));
`;

export function createTables(sql: SqlStorage): void {
  sql.exec(TABLES);
}

export function hasTables(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'agent_thread'").toArray().length > 0;
}
