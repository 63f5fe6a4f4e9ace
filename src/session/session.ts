/**
 * One persistent guest state: evals in order, snapshots between them, recovery when the engine instance is damaged.
 */
/// <reference lib="esnext.disposable" preserve="true" />

import { VmDamaged } from "../engine/vm-errors.js";
import { SessionError } from "../errors.js";
import { type EvalOptions, limitsOf, type ResumeOptions } from "../eval/eval-options.js";
import { failed, toResult } from "../eval/eval-result.js";
import { Evaluation } from "../eval/evaluation.js";
import type { EvaluationOptions } from "../eval/evaluation-options.js";
import { toSource } from "../eval/host-functions.js";
import type { CallDecision, Outcome, PausedEvaluation } from "../eval/program-outcome.js";
import { describeHostError } from "../result/describe-host-error.js";
import { describeMissingGlobal } from "../result/missing-globals.js";
import type { EvalResult } from "../result/outcome.js";
import type { SnapshotVariable } from "../snapshot/content.js";
import type { TransformResult } from "../transform/index.js";
import { damageBetweenEvals, damageFailure } from "./damage.js";
import { variablesOf } from "./guest-data.js";
import type { ModuleFinder } from "./module-source.js";
import { SessionMemory, type SessionMemoryContext } from "./session-memory.js";
import { IMPORT_CALL, type LoadedImports } from "./session-modules.js";
import {
  fromStored,
  type SessionMeta,
  type SnapshotOptions,
  type Tombstone,
  toStored,
} from "./session-state.js";
import { type ReadSource, SourceReader } from "./source-reader.js";

/** What a session needs from its interpreter. */
export interface SessionContext extends SessionMemoryContext {
  readonly service: EvaluationOptions["service"];
  /** Where imports find modules; without it there are none. */
  readonly modules?: ModuleFinder | undefined;
  readonly onDispose: (session: Session) => void;
}

export class Session {
  readonly #context: SessionContext;
  readonly #memory: SessionMemory;
  readonly #reader: SourceReader;
  #queue: Promise<unknown> = Promise.resolve();
  /** Evals, snapshots and the like that run or wait in the queue. */
  #queued = 0;
  #evals = 0;
  #paused: PausedEvaluation | undefined;
  #tombstones: readonly Tombstone[] = [];
  #hasNewTombstones = false;
  #disposed = false;
  #running: Evaluation | undefined;

  private constructor(context: SessionContext) {
    this.#context = context;
    this.#reader = new SourceReader(context.limits, context.time, context.modules);
    this.#memory = new SessionMemory(
      context,
      () => this.#queued === 0,
      // Not when something else has been asked of it meanwhile.
      () => this.#enqueue(async () => (this.#queued > 1 ? undefined : this.#memory.sleep(this.#meta()))),
    );
  }

  /** @internal */
  static async open(
    context: SessionContext,
    snapshot?: Uint8Array,
    options: SnapshotOptions = {},
  ): Promise<Session> {
    const session = new Session(context);
    if (snapshot) await session.#restore(snapshot, options);
    else await session.#memory.start();
    return session;
  }

  /** Number of evals so far, restored ones included. */
  get evalCount(): number {
    return this.#evals;
  }

  /** True when something may have changed since the last snapshot. */
  get isDirty(): boolean {
    return this.#memory.isDirty;
  }

  /**
   * Variables that the restore as plain data could not bring back: functions, classes and what contains them. Some may
   * have been defined again since.
   */
  get tombstones(): readonly Tombstone[] {
    return this.#tombstones;
  }

  /** True when this restore made tombstones; false when it found those of an earlier one. */
  get hasNewTombstones(): boolean {
    return this.#hasNewTombstones;
  }

  /** True while an eval waits for approvals; `resume` goes on with it. */
  get isPaused(): boolean {
    return this.#paused !== undefined;
  }

  /** The calls a paused eval waits for. */
  get pausedCalls(): PausedEvaluation["gated"] {
    return this.#paused?.gated ?? [];
  }

  /** What came with the snapshot that this session was restored from, or was kept with the last one. */
  get attachment(): string | undefined {
    return this.#memory.attachment;
  }

  /** Bytes of memory the instance holds now; 0 while the session sleeps (see `maxLiveSessions`). */
  get memoryBytes(): number {
    return this.#memory.memoryBytes;
  }

  /**
   * Runs source and resolves to what came of it; a guest that fails is a result, not an exception. Evals of one session
   * run one after the other, in the order of the calls.
   *
   * @throws {SessionError} `SESSION_DISPOSED`; `SESSION_BUSY` when a paused eval has to be resumed or dropped first.
   */
  eval(source: string, options: EvalOptions = {}): Promise<EvalResult> {
    if (typeof source !== "string") throw new TypeError("The source of an eval is a string.");
    return this.#enqueue(() => this.#surviving(() => this.#eval(source, options)));
  }

  /**
   * Goes on with the paused eval. Calls without a decision stay open; when only such are left it pauses again.
   *
   * @throws {SessionError} `SESSION_BUSY` when nothing is paused.
   */
  resume(decisions: ReadonlyMap<number, CallDecision>, options: ResumeOptions = {}): Promise<EvalResult> {
    return this.#enqueue(async () => {
      const paused = this.#paused;
      if (!paused) throw new SessionError("SESSION_BUSY", "No eval of this session is paused.");
      const transformed =
        options.source === undefined ? undefined : await this.#read(options.source, options);
      const known = transformed?.ok ? transformed : undefined;
      const resume = (evaluation: Evaluation) => evaluation.resume(paused, decisions);
      return this.#surviving(() => this.#run(options, paused, resume, known));
    });
  }

  /** Gives up the paused eval: nothing of it runs any more, what it has changed stays. */
  drop(): Promise<void> {
    return this.#betweenEvals(async () => {
      if (!this.#paused) return;
      const vm = await this.#memory.live();
      this.#paused = undefined;
      this.#memory.isDirty = true;
      vm.control("end", "");
    });
  }

  /**
   * The session's state as bytes; the session goes on. When nothing changed since the last one, those very bytes.
   *
   * @throws {SessionError} `SESSION_DISPOSED`; `SESSION_REBUILT` when the engine failed: the message says what of the
   *   session is lost.
   */
  snapshot(options: SnapshotOptions = {}): Promise<Uint8Array> {
    return this.#betweenEvals(() => this.#memory.snapshot(options, this.#meta()));
  }

  /** The variables guest code has made, largest first; none where the memory is too full to list them. */
  variables(): Promise<readonly SnapshotVariable[]> {
    return this.#betweenEvals(async () => variablesOf(await this.#memory.live()) ?? []);
  }

  /** Frees the instance. An eval in progress ends as aborted. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#running?.abort();
    if (this.#queued === 0) this.#memory.dispose();
    else void this.#queue.then(() => this.#memory.dispose());
    this.#context.onDispose(this);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#queued++;
    const result = this.#queue.then(() => {
      if (this.#disposed) throw new SessionError("SESSION_DISPOSED", "The session was disposed.");
      return work();
    });
    const done = () => {
      this.#queued--;
    };
    this.#queue = result.then(done, done);
    return result;
  }

  #meta(): SessionMeta {
    return {
      evals: this.#evals,
      ...(this.#paused ? { paused: toStored(this.#paused) } : {}),
      ...(this.#tombstones.length > 0 ? { tombstones: this.#tombstones } : {}),
    };
  }

  async #restore(snapshot: Uint8Array, options: SnapshotOptions): Promise<void> {
    const { meta, buried } = await this.#memory.restore(snapshot, options);
    this.#hasNewTombstones = buried.length > 0;
    this.#tombstones = [...(meta.tombstones ?? []), ...buried];
    this.#reader.usesPromises = true;
    this.#evals = meta.evals;
    this.#paused = meta.paused && fromStored(meta.paused);
  }

  async #eval(source: string, options: EvalOptions): Promise<EvalResult> {
    if (this.#paused) {
      throw new SessionError(
        "SESSION_BUSY",
        "An eval of this session waits for approvals; resume or drop it first.",
      );
    }
    this.#evals++;
    const { limits } = this.#context;
    if (source.length > limits.maxSourceChars) {
      const message = `the source has ${source.length} characters, more than the ${limits.maxSourceChars} allowed; split it, or load data through a tool`;
      return failed({ code: "GUEST_SYNTAX", name: "SyntaxError", message, frames: [] });
    }
    const transformed = await this.#read(source, options);
    if (!transformed.ok) return failed(transformed.failure);
    const live = () => this.#memory.live();
    const loaded = await this.#reader.loadModules(source, transformed.imports, options, this.#evals, live);
    if (!loaded.ok) return failed(loaded.failure);
    const { code, label, declared } = transformed;
    return this.#run(
      options,
      undefined,
      (evaluation) => evaluation.run(code, label, declared, loaded.modules),
      transformed,
      loaded.imports,
    );
  }

  #read(source: string, options: EvalOptions): Promise<ReadSource> {
    const absent = this.#tombstones.map(({ name }) => name);
    return this.#reader.read(source, options, this.#evals, absent);
  }

  async #run(
    options: EvalOptions,
    paused: PausedEvaluation | undefined,
    drive: (evaluation: Evaluation) => Promise<Outcome>,
    transformed?: TransformResult & { ok: true },
    imports: LoadedImports = [],
  ): Promise<EvalResult> {
    const { modules, library } = this.#reader;
    const { onCall, isGated } = options;
    const { time, service, engine } = this.#context;
    const limits = limitsOf(this.#context.limits, options.limits);
    const memory = this.#memory;
    const vm = await memory.live();
    memory.protect(vm, paused ? this.#evals : this.#evals - 1);
    this.#paused = undefined;
    memory.isDirty = true;
    const evaluation: Evaluation = new Evaluation(
      {
        vm,
        layout: engine.base.layout,
        limits,
        mayGrow: (bytes) => memory.mayGrow(bytes),
        time,
        service,
        tools: options.tools,
        globals: modules ? modules.withImports(options.globals, () => evaluation) : options.globals,
        ...(modules && { imports }),
        signal: options.signal,
        isAborted: options.isAborted,
        captureConsole: options.captureConsole ?? true,
        usesPromises: this.#reader.usesPromises,
        returns: options.returns ?? "value",
        isGated: isGated && ((call) => call.name !== IMPORT_CALL && isGated(call)),
        describeError: options.describeError ?? describeHostError,
        onCall: onCall && ((event) => event.name !== IMPORT_CALL && onCall(event)),
        onLog: options.onLog,
      },
      paused,
    );
    this.#running = evaluation;
    let outcome: Outcome;
    try {
      outcome = await drive(evaluation);
    } catch (error) {
      evaluation.abandon();
      const kept = await this.#rebuild();
      if (!(error instanceof VmDamaged)) throw error;
      return failed(damageFailure(error, kept, this.#evals), evaluation);
    } finally {
      this.#running = undefined;
    }
    if (outcome.status === "paused") this.#paused = evaluation.pause();
    await memory.settle();
    const context = { ...library.context(), missing: missingGlobals(options, this.#context.modules) };
    return toResult(outcome, evaluation, context, transformed);
  }

  /** An eval that finds its instance damaged before it runs fails like one that damages it. */
  async #surviving(work: () => Promise<EvalResult>): Promise<EvalResult> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof VmDamaged)) throw error;
      return failed(damageFailure(error, await this.#rebuild(), this.#evals));
    }
  }

  /** In turn, and with an error that says what became of the session when its instance is damaged. */
  #betweenEvals<T>(work: () => Promise<T>): Promise<T> {
    return this.#enqueue(async () => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof VmDamaged)) throw error;
        const message = damageBetweenEvals(error, await this.#rebuild());
        throw new SessionError("SESSION_REBUILT", message, { cause: error });
      }
    });
  }

  /** Replaces the instance by one in the latest state that is known, and answers how many evals had begun in that. */
  #rebuild(): Promise<number> {
    this.#paused = undefined;
    return this.#memory.rebuild();
  }
}

/** What is there instead of a global that is not. */
function missingGlobals(
  { tools, globals }: EvalOptions,
  modules: ModuleFinder | undefined,
): (name: string) => string | undefined {
  return (name) =>
    describeMissingGlobal(name, {
      tools: toSource(tools).names(),
      modules: modules && (modules.names ?? null),
      task: toSource(globals).get("task") !== undefined,
    });
}
