/**
 * Every event a run sent, table `agent_event`: the only source a stream reads from, so a client that comes back with
 * the id of the last event it saw misses nothing, whoever it was connected to before.
 *
 * Appending is synchronous. The object's output gate holds a response back until the write is durable: no client
 * ever knows an id that a crash could take away.
 */
import { textChunks } from "./text-chunks.js";

export interface LoggedEvent {
  readonly seq: number;
  readonly name: string;
  /** JSON. */
  readonly data: string;
}

export interface RunLogOptions {
  /** Finished runs whose events are kept. @default 10 */
  readonly keepRuns?: number;
  /** Characters of one run's log; above it, `values` events that a newer one replaces go first. @default 16_000_000 */
  readonly maxCharactersPerRun?: number;
}

export class RunLog {
  readonly #sql: SqlStorage;
  readonly #keepRuns: number;
  readonly #maxCharacters: number;
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Characters appended since the size was last looked at. */
  #grown = 0;

  constructor(sql: SqlStorage, options: RunLogOptions = {}) {
    this.#sql = sql;
    this.#keepRuns = options.keepRuns ?? 10;
    this.#maxCharacters = options.maxCharactersPerRun ?? 16_000_000;
  }

  append(runId: string, name: string, data: string): void {
    const seq = this.lastSeq(runId) + 1;
    let part = 0;
    for (const text of textChunks(data))
      this.#sql.exec("INSERT INTO agent_event VALUES (?, ?, ?, ?, ?)", runId, seq, part++, name, text);
    this.#grown += data.length;
    if (this.#grown > this.#maxCharacters / 8) this.#pruneRun(runId);
    this.notify(runId);
  }

  lastSeq(runId: string): number {
    const row = this.#sql
      .exec<{ seq: number | null }>("SELECT max(seq) AS seq FROM agent_event WHERE run_id = ?", runId)
      .one();
    return row.seq ?? 0;
  }

  /** The next few events after `seq`; at least one if there is one, and few enough to hold in memory. */
  read(runId: string, seq: number): LoggedEvent[] {
    const events: { seq: number; name: string; data: string }[] = [];
    let characters = 0;
    const cursor = this.#sql.exec<{ seq: number; name: string; data: string }>(
      "SELECT seq, name, data FROM agent_event WHERE run_id = ? AND seq > ? ORDER BY seq, part",
      runId,
      seq,
    );
    for (const row of cursor) {
      const last = events.at(-1);
      if (last?.seq === row.seq) last.data += row.data;
      else if (characters > 500_000 || events.length >= 256) break;
      else events.push({ ...row });
      characters += row.data.length;
    }
    return events;
  }

  /** The last event of one name, for whoever wants the outcome and not the stream. */
  last(runId: string, name: string): LoggedEvent | undefined {
    const row = this.#sql
      .exec<{ seq: number | null }>(
        "SELECT max(seq) AS seq FROM agent_event WHERE run_id = ? AND name = ?",
        runId,
        name,
      )
      .one();
    return row.seq === null ? undefined : this.read(runId, row.seq - 1)[0];
  }

  /** Resolves at the next change of this run: an event, or its end. Call after reading, without an await between. */
  changed(runId: string): { readonly promise: Promise<void>; readonly forget: () => void } {
    const waiting = this.#waiting.get(runId) ?? new Set();
    this.#waiting.set(runId, waiting);
    let wake = () => {};
    const promise = new Promise<void>((resolve) => {
      wake = resolve;
    });
    waiting.add(wake);
    return {
      promise,
      forget: () => {
        waiting.delete(wake);
        if (waiting.size === 0 && this.#waiting.get(runId) === waiting) this.#waiting.delete(runId);
      },
    };
  }

  notify(runId: string): void {
    const waiting = this.#waiting.get(runId);
    this.#waiting.delete(runId);
    for (const wake of waiting ?? []) wake();
  }

  delete(runId: string): void {
    this.#sql.exec("DELETE FROM agent_event WHERE run_id = ?", runId);
    this.notify(runId);
  }

  /** Bounds one run's log while it grows. What goes is what a later event replaces; then the oldest. */
  #pruneRun(runId: string): void {
    this.#grown = 0;
    const size = () =>
      this.#sql
        .exec<{ n: number | null }>("SELECT sum(length(data)) AS n FROM agent_event WHERE run_id = ?", runId)
        .one().n ?? 0;
    if (size() <= this.#maxCharacters) return;
    this.#sql.exec(
      `DELETE FROM agent_event WHERE run_id = ?1 AND name = 'values'
       AND seq < (SELECT max(seq) FROM agent_event WHERE run_id = ?1 AND name = 'values')`,
      runId,
    );
    while (size() > this.#maxCharacters && this.#dropOldest(runId) > 0);
  }

  /** Forgets the events of all but the newest finished runs. */
  pruneFinished(): void {
    this.#sql.exec(
      `DELETE FROM agent_event WHERE run_id NOT IN (
         SELECT run_id FROM agent_run WHERE status IN ('pending', 'running')
         UNION SELECT run_id FROM (SELECT run_id FROM agent_run ORDER BY n DESC LIMIT ?))`,
      this.#keepRuns,
    );
  }

  #dropOldest(runId: string): number {
    // The newest event always stays: it carries the outcome.
    return this.#sql.exec(
      `DELETE FROM agent_event WHERE run_id = ?1 AND seq IN (
         SELECT DISTINCT seq FROM agent_event WHERE run_id = ?1
         AND seq < (SELECT max(seq) FROM agent_event WHERE run_id = ?1) ORDER BY seq LIMIT 50)`,
      runId,
    ).rowsWritten;
  }
}
