/**
 * One persistent guest state: evals in order, snapshots between them, recovery when the engine instance is damaged.
 */

import { type BaseImage, startVm } from "./base-image.js";
import type { CallEvent } from "./bridge.js";
import type { Timekeeper } from "./clock.js";
import { decodeValue, encodeValue } from "./codec.js";
import type { Engine } from "./engine.js";
import { SessionError, SnapshotError } from "./errors.js";
import {
  type CallDecision,
  Evaluation,
  type EvaluationOptions,
  type Outcome,
  type PausedEvaluation,
} from "./evaluation.js";
import { type FailureContext, type GuestErrorReport, toFailure } from "./failure.js";
import { type HostFunctions, toSource } from "./host-functions.js";
import type { Limits } from "./limits.js";
import { describeMissingGlobal } from "./missing-globals.js";
import type { EvalFailure, EvalResult, LogLine, PausedCall } from "./outcome.js";
import { valuelessNote } from "./result-text.js";
import {
  type DecodedSnapshot,
  decodeSnapshot,
  encodeSnapshot,
  type SnapshotParts,
  type SnapshotVariable,
} from "./snapshot/container.js";
import { sweepFreeSpace } from "./snapshot/free-space.js";
import { changedPages, differFromBase } from "./snapshot/pages.js";
import { SourceLibrary } from "./source-library.js";
import { type TransformResult, transformSource } from "./transform/index.js";
import { type Vm, VmDamaged } from "./vm.js";

export interface EvalOptions {
  /** Functions under `tools`. */
  readonly tools?: HostFunctions;
  /** Functions as globals of their own, such as `task`. */
  readonly globals?: HostFunctions;
  /** Ends the eval; what it has changed so far stays. */
  readonly signal?: AbortSignal;
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

export interface SnapshotOptions {
  /** The thread it is for; readers that expect another one refuse it. */
  readonly binding?: string | undefined;
  readonly signingKey?: string | Uint8Array | undefined;
  /**
   * What to keep: the exact image, which only this engine build can read; the variables as plain data, which every
   * later version can read and which costs time in proportion to them; or both. @default "both"
   */
  readonly layers?: SnapshotLayers | undefined;
  /** A text of the caller's that is kept with the snapshot; see `Session.attachment`. */
  readonly attachment?: string | undefined;
}

export type SnapshotLayers = "image" | "data" | "both";

/** A variable that is not there after a restore as plain data; reading it throws an error that says so. */
export interface Tombstone {
  readonly name: string;
  /** `function`, `object`, `array`, ... */
  readonly type: string;
}

/** What a session needs from its interpreter. */
export interface SessionContext {
  readonly engine: Engine;
  readonly engineId: Uint8Array;
  readonly limits: Limits;
  readonly time: Timekeeper;
  readonly service: EvaluationOptions["service"];
  /** Text the guest's random numbers start from; a fresh one each time unless the app asked for repeatable runs. */
  readonly seed: () => string | undefined;
  readonly onDispose: (session: Session) => void;
}

interface SessionMeta {
  readonly evals: number;
  readonly paused?: StoredPause;
  readonly attachment?: string;
  /** Variables that an earlier restore could not bring back. */
  readonly tombstones?: readonly Tombstone[];
}

/** Inputs are guest values, which JSON does not hold. */
type StoredPause = Omit<PausedEvaluation, "gated"> & {
  readonly gated: readonly { readonly id: number; readonly name: string; readonly argument: string }[];
};

/** A snapshot in memory and what it was made with. */
interface KeptSnapshot {
  readonly bytes: Uint8Array;
  readonly layers: SnapshotLayers;
  readonly attachment: string | undefined;
  readonly binding: string | undefined;
  readonly signingKey: string | Uint8Array | undefined;
}

export class Session {
  readonly #context: SessionContext;
  #vm: Vm | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #evals = 0;
  #paused: PausedEvaluation | undefined;
  #sources = new SourceLibrary();
  /** The last snapshot taken or restored: what the session falls back to when its instance is damaged. */
  #last: KeptSnapshot | undefined;
  #tombstones: readonly Tombstone[] = [];
  #hasNewTombstones = false;
  #dirty = false;
  #disposed = false;
  #running: AbortController | undefined;

  private constructor(context: SessionContext) {
    this.#context = context;
  }

  /** @internal */
  static async open(
    context: SessionContext,
    snapshot?: Uint8Array,
    options: SnapshotOptions = {},
  ): Promise<Session> {
    const session = new Session(context);
    if (snapshot) await session.#restore(snapshot, options);
    else await session.#start();
    return session;
  }

  /** Number of evals so far, restored ones included. */
  get evalCount(): number {
    return this.#evals;
  }

  /** True when something may have changed since the last snapshot. */
  get isDirty(): boolean {
    return this.#dirty;
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
    return this.#last?.attachment;
  }

  /** Bytes of memory the instance holds now; it never shrinks while the session lives. */
  get memoryBytes(): number {
    return this.#vm?.memory.buffer.byteLength ?? 0;
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
      this.#paused = undefined;
      this.#dirty = true;
      const known = transformed?.ok ? transformed : undefined;
      return this.#run(options, paused, (evaluation) => evaluation.resume(paused, decisions), known);
    });
  }

  /** Gives up the paused eval: nothing of it runs any more, what it has changed stays. */
  drop(): Promise<void> {
    return this.#enqueue(async () => {
      if (!this.#paused) return;
      this.#paused = undefined;
      this.#dirty = true;
      await this.#liveVm().then((vm) => vm.control("end", ""));
    });
  }

  /**
   * The session's state as bytes; the session goes on. When nothing changed since the last one, those very bytes.
   *
   * @throws {SessionError} `SESSION_DISPOSED`
   */
  snapshot(options: SnapshotOptions = {}): Promise<Uint8Array> {
    return this.#enqueue(() => this.#snapshot(options));
  }

  /** The variables guest code has made, largest first. */
  variables(): Promise<readonly SnapshotVariable[]> {
    return this.#enqueue(async () => this.#variables(await this.#liveVm()));
  }

  /** Frees the instance. An eval in progress ends as aborted. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#running?.abort(new SessionError("SESSION_DISPOSED", "The session was disposed."));
    void this.#queue.finally(() => {
      this.#vm = undefined;
    });
    this.#context.onDispose(this);
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
    this.#dirty = true;
    const result = await this.#run(
      options,
      undefined,
      (evaluation) => evaluation.run(transformed.code, transformed.label, transformed.declared),
      transformed,
    );
    return result;
  }

  /** The source of the current eval as the engine runs it; remembered for positions in errors. */
  async #read(
    source: string,
    options: EvalOptions,
  ): Promise<Exclude<TransformResult, { ok: true }> | (TransformResult & { ok: true; label: string })> {
    const reserved = options.globals ? toSource(options.globals).names() : [];
    const absent = this.#tombstones.map(({ name }) => name);
    const transformed = await transformSource(source, {
      label: `eval ${this.#evals}`,
      reserved,
      absent,
      tools: toSource(options.tools).names().length > 0,
    });
    if (!transformed.ok) return transformed;
    return { ...transformed, label: this.#sources.add(this.#evals, source, transformed) };
  }

  async #run(
    options: EvalOptions,
    paused: PausedEvaluation | undefined,
    drive: (evaluation: Evaluation) => Promise<Outcome>,
    transformed?: TransformResult & { ok: true },
  ): Promise<EvalResult> {
    const { limits, time, service, engine } = this.#context;
    const vm = await this.#liveVm();
    const own = new AbortController();
    const relay = () => own.abort(options.signal?.reason);
    if (options.signal?.aborted) relay();
    else options.signal?.addEventListener("abort", relay, { once: true });
    this.#running = own;
    const evaluation = new Evaluation(
      {
        vm,
        layout: engine.base.layout,
        limits: { ...limits, ...options.limits },
        time,
        service,
        tools: options.tools,
        globals: options.globals,
        signal: own.signal,
        captureConsole: options.captureConsole ?? true,
        returns: options.returns ?? "value",
        isGated: options.isGated,
        describeError: options.describeError ?? describeHostError,
        onCall: options.onCall,
        onLog: options.onLog,
      },
      paused,
    );
    let outcome: Outcome;
    try {
      outcome = await drive(evaluation);
    } catch (error) {
      if (!(error instanceof VmDamaged)) throw error;
      evaluation.abandon();
      return failed(await this.#rebuild(error), evaluation);
    } finally {
      this.#running = undefined;
      options.signal?.removeEventListener("abort", relay);
    }
    if (outcome.status === "paused") this.#paused = evaluation.pause();
    return this.#toResult(outcome, evaluation, options, transformed);
  }

  #toResult(
    outcome: Outcome,
    evaluation: Evaluation,
    options: EvalOptions,
    transformed?: TransformResult & { ok: true },
  ): EvalResult {
    const context = { ...this.#sources.context(), missing: missingGlobals(options) };
    const notes = [...(transformed?.notes ?? [])];
    for (const report of evaluation.unhandled as GuestErrorReport[]) {
      const failure = toFailure(report, { ...context, code: "GUEST_THROW" });
      notes.push(`unhandled rejection: ${failure.thrown ?? `${failure.name}: ${failure.message}`}`);
    }
    if (evaluation.clearedTimers > 0) {
      notes.push(clearedTimersNote(evaluation.clearedTimers));
    }
    if (evaluation.memoryIsFull) {
      notes.push(
        "the session's memory is full: let go of what is not needed (set variables to undefined, delete keys)",
      );
    }
    const report = { logs: evaluation.logs, notes, statistics: evaluation.statistics };
    if (outcome.status === "paused") return { status: "paused", calls: outcome.calls, ...report };
    if (outcome.status === "failed") {
      return { status: "failed", error: this.#toFailure(outcome, context), ...report };
    }
    const value = outcome.value === undefined ? undefined : decodeValue(outcome.value);
    const kind = transformed?.kind ?? "program";
    const declared = transformed?.declared ?? [];
    const isValueless = outcome.kind === "undefined" || kind === "function";
    // How an empty source was read says already that there was nothing to run.
    const isExplained = kind === "empty" && notes.length > 0;
    const remark = isValueless && !isExplained ? valuelessNote({ kind, declared }) : undefined;
    if (remark) notes.push(remark);
    // What the notes or the console say needs no arrow with nothing behind it.
    const isSilent =
      isValueless &&
      (remark !== undefined || evaluation.logs.length > 0 || (kind !== "program" && notes.length > 0));
    if (outcome.hint) notes.push(outcome.hint);
    return {
      status: "completed",
      kind,
      declared,
      text: isSilent ? "" : outcome.text,
      abbreviated: outcome.abbreviated,
      ...(transformed?.valueName !== undefined && { valueName: transformed.valueName }),
      value,
      ...report,
    };
  }

  #toFailure(outcome: Outcome & { status: "failed" }, context: Omit<FailureContext, "code">): EvalFailure {
    if (outcome.report === undefined) {
      return {
        code: outcome.code,
        name: failureNames[outcome.code] ?? "Error",
        message: outcome.message ?? "",
        frames: [],
      };
    }
    const report = outcome.report as GuestErrorReport;
    const code = outcome.phase === "compile" && report.name === "SyntaxError" ? "GUEST_SYNTAX" : outcome.code;
    return toFailure(report, { ...context, code });
  }

  async #start(): Promise<void> {
    const { engine, limits, seed } = this.#context;
    const vm = await startVm(engine.module, engine.base, limits.memoryLimitBytes);
    vm.setStackSize(limits.maxStackSizeBytes);
    vm.control("reseed", seed() ?? randomSeed());
    this.#vm = vm;
  }

  async #restore(snapshot: Uint8Array, options: SnapshotOptions): Promise<DecodedSnapshot> {
    const { engine, engineId, limits, seed } = this.#context;
    const decoded = await decodeSnapshot(snapshot, {
      engineId,
      maxMemoryBytes: limits.memoryLimitBytes,
      signingKey: options.signingKey,
      binding: options.binding,
    });
    const image = decoded.image;
    if (image) differFromBase(image, engine.base.pages);
    const vm = await startVm(
      engine.module,
      engine.base,
      limits.memoryLimitBytes,
      image && { memoryBytes: image.memoryBytes, pages: image },
    );
    vm.setStackSize(limits.maxStackSizeBytes);
    const meta = decoded.meta as SessionMeta | undefined;
    const paused = image && meta?.paused;
    // A clone must not repeat the numbers of its twin, unless repeatable runs were asked for; a program that was paused
    // goes on with the numbers it had.
    if (seed() === undefined && !paused) vm.control("reseed", randomSeed());
    const buried = !image && decoded.data !== undefined ? importData(vm, decoded.data) : [];
    this.#hasNewTombstones = buried.length > 0;
    this.#tombstones = [...(meta?.tombstones ?? []), ...buried];
    this.#evals = Number(meta?.evals ?? 0);
    this.#paused = paused && fromStored(paused);
    this.#vm = vm;
    const layers = image ? (decoded.data === undefined ? "image" : "both") : "data";
    const { binding, signingKey } = options;
    this.#last = { bytes: snapshot, layers, attachment: meta?.attachment, binding, signingKey };
    this.#dirty = false;
    return decoded;
  }

  async #snapshot(options: SnapshotOptions): Promise<Uint8Array> {
    const { layers = "both", attachment, binding, signingKey } = options;
    const last = this.#last;
    const isSealed = last?.binding === binding && last?.signingKey === signingKey;
    const isFor = isSealed && last?.attachment === attachment;
    if (last && isFor && !this.#dirty && (last.layers === layers || layers === "image")) return last.bytes;
    const { engine, engineId } = this.#context;
    const { base } = engine;
    const vm = await this.#liveVm();
    vm.collectGarbage();
    // Listing and exporting make garbage of their own; it is swept with the rest.
    const index = this.#variables(vm);
    const data = layers === "image" ? undefined : vm.control("export", "");
    const meta: SessionMeta = {
      evals: this.#evals,
      ...(this.#paused ? { paused: toStored(this.#paused) } : {}),
      ...(attachment === undefined ? {} : { attachment }),
      ...(this.#tombstones.length > 0 ? { tombstones: this.#tombstones } : {}),
    };
    const bytes = await encodeSnapshot(
      { image: layers === "data" ? undefined : captureMemory(vm, base), data, index, meta: { ...meta } },
      { engineId, previous: last?.bytes, binding, signingKey },
    );
    // Plain data alone does not replace an image of the same state: the image is what a damaged instance falls back to.
    if (layers === "data" && last && last.layers !== "data" && !this.#dirty) return bytes;
    this.#last = { bytes, layers, attachment, binding, signingKey };
    this.#dirty = false;
    return bytes;
  }

  #variables(vm: Vm): SnapshotVariable[] {
    const variables = JSON.parse(vm.control("variables", "")) as SnapshotVariable[];
    return variables.sort((a, b) => b.size - a.size);
  }

  async #liveVm(): Promise<Vm> {
    if (!this.#vm) await (this.#last ? this.#restore(this.#last.bytes, this.#last) : this.#start());
    return this.#vm as Vm;
  }

  /** Replaces the damaged instance by one in the state of the last snapshot. */
  async #rebuild(damage: VmDamaged): Promise<EvalFailure> {
    const evals = this.#evals;
    this.#vm = undefined;
    await this.#liveVm();
    const lost = evals - (this.#last ? this.#evals : 0);
    if (this.#paused) {
      // The snapshot is of a pause that is over.
      this.#paused = undefined;
      this.#dirty = true;
      (await this.#liveVm()).control("end", "");
    }
    const from = this.#last ? `its last snapshot (as of eval ${this.#evals})` : "the start";
    this.#evals = evals;
    const overflow = damage.cause instanceof RangeError;
    const cause = overflow ? "the code nested too deep for the host's stack" : "the engine failed";
    const message = `${cause}; the session was rebuilt from ${from}, so what the last ${lost === 1 ? "eval" : `${lost} evals`} changed is lost`;
    return {
      code: overflow ? "STACK" : "SESSION_REBUILT",
      name: overflow ? "RangeError" : "InternalError",
      message,
      frames: [],
    };
  }
}

/** The pages that differ from the base, once the free memory among them is cleared. */
function captureMemory(vm: Vm, base: BaseImage): NonNullable<SnapshotParts["image"]> {
  const memory = new Uint8Array(vm.memory.buffer);
  const hints = base.allocator && sweepFreeSpace(memory, base.allocator);
  return { memory, pages: changedPages(memory, base.pages, hints), base: base.pages };
}

/** @throws {SnapshotError} when it is not data that this package wrote, or has no room. */
function importData(vm: Vm, data: string): Tombstone[] {
  try {
    return JSON.parse(vm.control("import", data)) as Tombstone[];
  } catch (error) {
    if (error instanceof VmDamaged) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new SnapshotError("SNAPSHOT_CORRUPT", `The snapshot's data cannot be restored: ${reason}.`, {
      cause: error,
    });
  }
}

const failureNames: Partial<Record<EvalFailure["code"], string>> = {
  TIMEOUT: "TimeoutError",
  WAIT_TIMEOUT: "TimeoutError",
  MEMORY: "OutOfMemoryError",
  ABORTED: "AbortError",
  GUEST_UNSETTLED: "DeadlockError",
};

function failed(error: EvalFailure, evaluation?: Evaluation): EvalResult {
  const statistics = evaluation?.statistics ?? { guestMs: 0, totalMs: 0, calls: 0 };
  return { status: "failed", error, logs: evaluation?.logs ?? [], notes: [], statistics };
}

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

function randomSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16)).join("-");
}

/** Name, message and `data` of an error; never its stack or its cause. */
function describeHostError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const described = Object.assign(new Error(error.message), { name: error.name });
  if ("data" in error) Object.assign(described, { data: error.data });
  return described;
}

/** What is there instead of a global that is not. */
function missingGlobals({ tools, globals }: EvalOptions): (name: string) => string | undefined {
  return (name) =>
    describeMissingGlobal(name, {
      tools: toSource(tools).names(),
      task: toSource(globals).get("task") !== undefined,
    });
}

function clearedTimersNote(count: number): string {
  return count === 1
    ? "1 timer was still pending and has been cancelled; await it to let it run"
    : `${count} timers were still pending and have been cancelled; await them to let them run`;
}
