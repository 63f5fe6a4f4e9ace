/**
 * One persistent guest state: evals in order, snapshots between them, recovery when the engine instance is damaged.
 */
/// <reference lib="esnext.disposable" preserve="true" />

import { decodeValue, encodeValue } from "./codec.js";
import { damageFailure } from "./damage.js";
import { describeHostError } from "./describe-host-error.js";
import { SessionError } from "./errors.js";
import { failed, toResult } from "./eval-result.js";
import { Evaluation } from "./evaluation.js";
import type { EvaluationOptions } from "./evaluation-options.js";
import { type HostFunctions, toSource } from "./host-functions.js";
import { type Limits, resolveLimits } from "./limits.js";
import { describeMissingGlobal } from "./missing-globals.js";
import type { ModuleFinder } from "./module-source.js";
import type { EvalFailure, EvalResult, LogLine, PausedCall } from "./outcome.js";
import type { CallDecision, Outcome, PausedEvaluation } from "./program-outcome.js";
import type { CallEvent } from "./running-call.js";
import {
  SessionMemory,
  type SessionMemoryContext,
  type SessionMeta,
  type SnapshotOptions,
  type StoredPause,
  type Tombstone,
} from "./session-memory.js";
import { IMPORT_CALL, type LoadedImports, type LoadedModules, SessionModules } from "./session-modules.js";
import type { SnapshotVariable } from "./snapshot/container.js";
import { SourceLibrary } from "./source-library.js";
import { type TransformResult, transformSource } from "./transform/index.js";
import { VmDamaged } from "./vm-errors.js";

export interface EvalOptions {
  /** Functions under `tools`. */
  readonly tools?: HostFunctions;
  /** Functions as globals of their own, such as `task`. */
  readonly globals?: HostFunctions;
  /** Ends the eval; what it has changed so far stays. */
  readonly signal?: AbortSignal;
  /**
   * Asked again and again while guest code runs, when no event can reach the signal: true ends the eval as an abort
   * does. For a thread that another one tells through shared memory.
   */
  readonly isAborted?: () => boolean;
  /**
   * `"text"` spares encoding the value for the host; `"content"` hands over only what may be content blocks of a
   * message (images, files). @default "value"
   */
  readonly returns?: "value" | "content" | "text";
  /** `false`: `console` exists and is silent. @default true */
  readonly captureConsole?: boolean;
  /** Limits of this eval instead of the session's; memory and stack are fixed. */
  readonly limits?: Partial<
    Pick<Limits, "executionTimeoutMs" | "waitTimeoutMs" | "maxHostCalls" | "maxConcurrentCalls">
  >;
  /** True for a call that has to wait for an approval: the eval then pauses. */
  readonly isGated?: (call: PausedCall) => boolean | Promise<boolean>;
  /** What the guest sees of a host function's failure. @default its name, message and `data` */
  readonly describeError?: (error: unknown, name: string) => unknown;
  readonly onCall?: (event: CallEvent) => void;
  readonly onLog?: (line: LogLine) => void;
}

export interface ResumeOptions extends EvalOptions {
  /** The source of the paused eval, so that errors point into it where the session was restored in between. */
  readonly source?: string | undefined;
}

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
  readonly #sources = new SourceLibrary();
  readonly #modules: SessionModules | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Evals, snapshots and the like that run or wait in the queue. */
  #queued = 0;
  #evals = 0;
  #paused: PausedEvaluation | undefined;
  #tombstones: readonly Tombstone[] = [];
  #hasNewTombstones = false;
  #usesPromises = false;
  #disposed = false;
  #running: Evaluation | undefined;

  private constructor(context: SessionContext) {
    this.#context = context;
    const { modules, limits } = context;
    this.#modules = modules && new SessionModules(modules, this.#sources, limits.maxSourceChars);
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
    return this.#enqueue(() => this.#eval(source, options));
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
      return this.#run(options, paused, (evaluation) => evaluation.resume(paused, decisions), known);
    });
  }

  /** Gives up the paused eval: nothing of it runs any more, what it has changed stays. */
  drop(): Promise<void> {
    return this.#enqueue(async () => {
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
   * @throws {SessionError} `SESSION_DISPOSED`
   */
  snapshot(options: SnapshotOptions = {}): Promise<Uint8Array> {
    return this.#enqueue(() => this.#memory.snapshot(options, this.#meta()));
  }

  /** The variables guest code has made, largest first. */
  variables(): Promise<readonly SnapshotVariable[]> {
    return this.#enqueue(async () => this.#memory.variables(await this.#memory.live()));
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
    this.#usesPromises = true;
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
    const loaded = await this.#loadModules(source, transformed.imports, options);
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

  /** Finds what the source imports, before any of it runs. */
  async #loadModules(
    source: string,
    specifiers: readonly string[],
    { signal, limits }: EvalOptions,
  ): Promise<LoadedModules> {
    const none: LoadedModules = { ok: true, imports: [], modules: [] };
    const modules = this.#modules;
    if (!modules) return none;
    modules.refresh(await this.#memory.live());
    if (specifiers.length === 0) return none;
    const { time } = this.#context;
    const { waitTimeoutMs = this.#context.limits.waitTimeoutMs } = limits ?? {};
    const load = modules.load({ specifiers, source, label: `eval ${this.#evals}` });
    return Promise.race([load, modules.givenUp(load, { signal, time, waitTimeoutMs })]);
  }

  /** The source of the current eval as the engine runs it; remembered for positions in errors. */
  async #read(
    source: string,
    options: EvalOptions,
  ): Promise<Exclude<TransformResult, { ok: true }> | (TransformResult & { ok: true; label: string })> {
    const reserved = [...toSource(options.globals).names(), ...(this.#modules ? ["__import__"] : [])];
    const absent = this.#tombstones.map(({ name }) => name);
    const transformed = await transformSource(source, {
      label: `eval ${this.#evals}`,
      reserved,
      absent,
      modules: this.#modules !== undefined,
      tools: toSource(options.tools).names().length > 0,
    });
    if (!transformed.ok) return transformed;
    this.#usesPromises ||= promiseWords.test(transformed.code);
    return { ...transformed, label: this.#sources.add(this.#evals, source, transformed) };
  }

  async #run(
    options: EvalOptions,
    paused: PausedEvaluation | undefined,
    drive: (evaluation: Evaluation) => Promise<Outcome>,
    transformed?: TransformResult & { ok: true },
    imports: LoadedImports = [],
  ): Promise<EvalResult> {
    const modules = this.#modules;
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
        usesPromises: this.#usesPromises,
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
      const failure = await this.#rebuild(error);
      if (!(error instanceof VmDamaged)) throw error;
      return failed(failure, evaluation);
    } finally {
      this.#running = undefined;
    }
    if (outcome.status === "paused") this.#paused = evaluation.pause();
    await memory.settle();
    const context = { ...this.#sources.context(), missing: missingGlobals(options, this.#context.modules) };
    return toResult(outcome, evaluation, context, transformed);
  }

  /** Replaces the damaged instance by one in the latest state that is known. */
  async #rebuild(damage: unknown): Promise<EvalFailure> {
    return damageFailure(damage, await this.#memory.rebuild(), this.#evals);
  }
}

/** Code without any of these makes no promise; `eval` and `Function` may hide one. */
const promiseWords =
  /async|Async|await|Promise|import|then|catch|finally|unawaited|mapSettled|withRetries|sleep|eval|Function|constructor/;

function toStored(paused: PausedEvaluation): StoredPause {
  const gated = paused.gated.map(({ id, name, input }) => ({
    id,
    name,
    argument: input === undefined ? "" : encodeValue(input),
  }));
  return { ...paused, gated };
}

function fromStored(paused: StoredPause): PausedEvaluation {
  const gated = paused.gated.map(({ id, name, argument }) => ({
    id,
    name,
    input: argument === "" ? undefined : decodeValue(argument),
  }));
  return { ...paused, gated };
}

/** @throws {TypeError} naming the limit that is wrong. */
function limitsOf(session: Limits, given: EvalOptions["limits"]): Limits {
  if (!given) return session;
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return resolveLimits({ ...session, ...Object.fromEntries(present) });
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
