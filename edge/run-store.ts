/**
 * The runs of this thread: table `agent_run`, one row per run, and `agent_request`, what the client asked for, in
 * chunks because an input may be larger than a row.
 */
import { textChunks } from "./text-chunks.js";

export type RunStatus = "pending" | "running" | "error" | "success" | "timeout" | "interrupted";
export type MultitaskStrategy = "reject" | "interrupt" | "rollback" | "enqueue";

export interface RunRow {
  readonly runId: string;
  readonly assistantId: string;
  readonly status: RunStatus;
  /** How often it was begun. */
  readonly attempts: number;
  /** Attempts in a row that ended without a new checkpoint. */
  readonly stalled: number;
  readonly metadata: Record<string, unknown>;
  readonly multitaskStrategy: MultitaskStrategy;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Not before this time, in ms since 1970. */
  readonly due: number;
  /** The thread's newest checkpoint when the run began: whatever is newer was written by the run. */
  readonly headBefore: string | null;
  /** The newest checkpoint when the latest attempt began. */
  readonly headSeen: string | null;
}

type Stored = {
  run_id: string;
  assistant_id: string;
  status: string;
  attempts: number;
  stalled: number;
  metadata: string;
  strategy: string;
  created_at: string;
  updated_at: string;
  due: number;
  head_before: string | null;
  head_seen: string | null;
};

export class RunStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  insert(
    run: Pick<RunRow, "runId" | "assistantId" | "metadata" | "multitaskStrategy" | "due">,
    request: unknown,
  ) {
    const now = new Date().toISOString();
    this.#sql.exec(
      `INSERT INTO agent_run (run_id, assistant_id, status, metadata, strategy, created_at, updated_at, due)
       VALUES (?, ?, 'pending', ?, ?, ?, ?, ?)`,
      run.runId,
      run.assistantId,
      JSON.stringify(run.metadata),
      run.multitaskStrategy,
      now,
      now,
      run.due,
    );
    let part = 0;
    for (const text of textChunks(JSON.stringify(request)))
      this.#sql.exec("INSERT INTO agent_request VALUES (?, ?, ?)", run.runId, part++, text);
    return this.get(run.runId)!;
  }

  get(runId: string): RunRow | undefined {
    return this.#select("WHERE run_id = ?", runId)[0];
  }

  request(runId: string): unknown {
    const parts = this.#sql
      .exec<{ text: string }>("SELECT text FROM agent_request WHERE run_id = ? ORDER BY part", runId)
      .toArray();
    return JSON.parse(parts.map((part) => part.text).join(""));
  }

  list(options: { limit: number; offset: number; status?: string | undefined }): RunRow[] {
    const { limit, offset, status } = options;
    return status === undefined
      ? this.#select("ORDER BY n DESC LIMIT ? OFFSET ?", limit, offset)
      : this.#select("WHERE status = ? ORDER BY n DESC LIMIT ? OFFSET ?", status, limit, offset);
  }

  /** Runs that are not over, oldest first. */
  unfinished(): RunRow[] {
    return this.#select("WHERE status IN ('pending', 'running') ORDER BY n");
  }

  /** The run to execute now: first one that was cut off, then the oldest that is due. */
  next(now: number): RunRow | undefined {
    return this.#select(
      "WHERE status = 'running' OR (status = 'pending' AND due <= ?) ORDER BY status = 'pending', n LIMIT 1",
      now,
    )[0];
  }

  /** Begins an attempt. `head` is the thread's newest checkpoint now. */
  start(run: RunRow, head: string | null): RunRow {
    const first = run.attempts === 0;
    this.#sql.exec(
      `UPDATE agent_run SET status = 'running', attempts = ?, stalled = ?, head_before = ?, head_seen = ?,
       updated_at = ? WHERE run_id = ?`,
      run.attempts + 1,
      first || head !== run.headSeen ? 0 : run.stalled + 1,
      first ? head : run.headBefore,
      head,
      new Date().toISOString(),
      run.runId,
    );
    return this.get(run.runId)!;
  }

  setStatus(runId: string, status: RunStatus): void {
    this.#sql.exec(
      "UPDATE agent_run SET status = ?, updated_at = ? WHERE run_id = ?",
      status,
      new Date().toISOString(),
      runId,
    );
  }

  delete(runId: string): void {
    this.#sql.exec("DELETE FROM agent_run WHERE run_id = ?", runId);
    this.#sql.exec("DELETE FROM agent_request WHERE run_id = ?", runId);
  }

  #select(clause: string, ...bindings: (string | number)[]): RunRow[] {
    return this.#sql
      .exec<Stored>(`SELECT * FROM agent_run ${clause}`, ...bindings)
      .toArray()
      .map((row) => ({
        runId: row.run_id,
        assistantId: row.assistant_id,
        status: row.status as RunStatus,
        attempts: row.attempts,
        stalled: row.stalled,
        metadata: JSON.parse(row.metadata),
        multitaskStrategy: row.strategy as MultitaskStrategy,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        due: row.due,
        headBefore: row.head_before,
        headSeen: row.head_seen,
      }));
  }
}
