/**
 * A session in another thread behind the interface of `Session`. Evals cannot freeze the page, and one that nothing in
 * the engine can stop is ended with its thread: the session then goes on from its last snapshot.
 */

import { SessionError } from "../src/errors.js";
import type { EvalOptions, ResumeOptions } from "../src/eval/eval-options.js";
import type { CallDecision } from "../src/eval/program-outcome.js";
import type { WireState } from "../src/protocol.js";
import type { EvalResult, LogLine, PausedCall } from "../src/result/outcome.js";
import type { Session } from "../src/session/session.js";
import type { SnapshotOptions, Tombstone } from "../src/session/session-state.js";
import type { SnapshotVariable } from "../src/snapshot/content.js";
import { decodeValue } from "../src/values/decode-value.js";
import { type NewRequest, SessionConnection } from "./session-connection.js";
import { fromWireResult, toWireDecisions, toWireOptions } from "./session-wire.js";
import type { SessionWorker } from "./session-worker-handle.js";
import { Overrun, watchEval } from "./watch-eval.js";

/** What everybody may use of a session, wherever it runs. */
export type SessionLike = Pick<Session, keyof Session>;

export interface RemoteSessionOptions {
  readonly start: () => SessionWorker;
  /** What the interpreter was given, as they are sent. */
  readonly open: Pick<Extract<NewRequest, { kind: "open" }>, "engine" | "limits" | "random" | "modules">;
  readonly executionTimeoutMs: number | null;
  readonly graceMs: number;
  readonly onDispose: (session: RemoteSession) => void;
}

const fresh: WireState = {
  evalCount: 0,
  isDirty: false,
  isPaused: false,
  pausedCalls: "j[]",
  memoryBytes: 0,
  tombstones: [],
  hasNewTombstones: false,
};

export class RemoteSession implements SessionLike {
  readonly #options: RemoteSessionOptions;
  #connection: SessionConnection | undefined;
  #state: WireState = fresh;
  #last:
    | { readonly bytes: Uint8Array; readonly options: SnapshotOptions; readonly evals: number }
    | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #disposed = false;

  private constructor(options: RemoteSessionOptions) {
    this.#options = options;
  }

  /** @internal */
  static async open(
    options: RemoteSessionOptions,
    snapshot?: Uint8Array,
    snapshotOptions: SnapshotOptions = {},
  ): Promise<RemoteSession> {
    const session = new RemoteSession(options);
    if (snapshot) session.#last = { bytes: snapshot.slice(), options: snapshotOptions, evals: 0 };
    await session.#live();
    if (session.#last) session.#last = { ...session.#last, evals: session.evalCount };
    return session;
  }

  get evalCount(): number {
    return this.#state.evalCount;
  }

  get isDirty(): boolean {
    return this.#state.isDirty;
  }

  get isPaused(): boolean {
    return this.#state.isPaused;
  }

  get pausedCalls(): readonly PausedCall[] {
    return decodeValue(this.#state.pausedCalls) as PausedCall[];
  }

  get attachment(): string | undefined {
    return this.#state.attachment;
  }

  get memoryBytes(): number {
    return this.#state.memoryBytes;
  }

  get tombstones(): readonly Tombstone[] {
    return this.#state.tombstones;
  }

  get hasNewTombstones(): boolean {
    return this.#state.hasNewTombstones;
  }

  eval(source: string, options: EvalOptions = {}): Promise<EvalResult> {
    if (typeof source !== "string") throw new TypeError("The source of an eval is a string.");
    return this.#enqueue(() =>
      this.#evaluate({ kind: "eval", source, options: toWireOptions(options) }, options),
    );
  }

  resume(decisions: ReadonlyMap<number, CallDecision>, options: ResumeOptions = {}): Promise<EvalResult> {
    const wire = toWireDecisions(decisions);
    const { source } = options;
    return this.#enqueue(() =>
      this.#evaluate({ kind: "resume", decisions: wire, source, options: toWireOptions(options) }, options),
    );
  }

  drop(): Promise<void> {
    return this.#enqueue(async () => void (await this.#ask({ kind: "drop" })));
  }

  snapshot(options: SnapshotOptions = {}): Promise<Uint8Array> {
    return this.#enqueue(async () => {
      const bytes = (await this.#ask({ kind: "snapshot", options: { ...options } })) as Uint8Array;
      this.#last = { bytes, options, evals: this.evalCount };
      return bytes;
    });
  }

  variables(): Promise<readonly SnapshotVariable[]> {
    return this.#enqueue(async () => (await this.#ask({ kind: "variables" })) as SnapshotVariable[]);
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#connection?.close(new SessionError("SESSION_DISPOSED", "The session was disposed."));
    this.#connection = undefined;
    this.#options.onDispose(this);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(() => {
      if (this.#disposed) throw new SessionError("SESSION_DISPOSED", "The session was disposed.");
      return work();
    });
    this.#queue = result.catch(() => {});
    return result;
  }

  /** The worker, started and in the last known state when there is none. */
  async #live(): Promise<SessionConnection> {
    if (this.#connection && !this.#connection.isClosed) return this.#connection;
    const connection = new SessionConnection(this.#options.start());
    const last = this.#last;
    const { done } = connection.request({
      kind: "open",
      ...this.#options.open,
      snapshot: last?.bytes,
      options: { ...last?.options },
    });
    try {
      this.#state = (await done).state;
    } catch (error) {
      connection.close(error);
      throw error;
    }
    this.#connection = connection;
    return connection;
  }

  async #ask(request: NewRequest): Promise<unknown> {
    const connection = await this.#live();
    try {
      const { result, state } = await connection.request(request).done;
      this.#state = state;
      return result;
    } catch (error) {
      if (connection.isClosed) this.#connection = undefined;
      throw error;
    }
  }

  async #evaluate(request: NewRequest, options: EvalOptions): Promise<EvalResult> {
    const connection = await this.#live();
    const evals = this.evalCount + 1;
    const logs: LogLine[] = [];
    const started = performance.now();
    try {
      const { id, done } = connection.request(request, options, (line) => logs.push(line));
      const limit = options.limits?.executionTimeoutMs;
      const { graceMs } = this.#options;
      const timeoutMs = limit === undefined ? this.#options.executionTimeoutMs : limit;
      const { result, state } = await watchEval(connection, id, done, {
        signal: options.signal,
        timeoutMs,
        graceMs,
      });
      this.#state = state;
      return fromWireResult(result);
    } catch (error) {
      if (!connection.isClosed) throw error;
      this.#connection = undefined;
      if (this.#disposed) throw error;
      await this.#live();
      return this.#lost(error, evals, logs, performance.now() - started);
    }
  }

  /** What the model is told of an eval that ended with its thread. */
  #lost(error: unknown, evals: number, logs: readonly LogLine[], totalMs: number): EvalResult {
    const cause = error instanceof Error ? error.message : String(error);
    const lost = evals - (this.#last?.evals ?? 0);
    const from = this.#last ? `its last snapshot (as of eval ${this.#last.evals})` : "the start";
    const message = `${cause}; the session was rebuilt from ${from}, so what the last ${lost === 1 ? "eval" : `${lost} evals`} changed is lost`;
    const code = error instanceof Overrun ? error.failure : "SESSION_REBUILT";
    const name = { TIMEOUT: "TimeoutError", ABORTED: "AbortError", SESSION_REBUILT: "InternalError" }[code];
    const statistics = { guestMs: totalMs, totalMs, calls: 0 };
    return {
      status: "failed",
      error: { code, name, message, frames: [], rebuilt: true },
      logs,
      notes: [],
      statistics,
    };
  }
}
