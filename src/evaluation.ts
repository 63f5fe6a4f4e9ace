/**
 * One eval on the host: runs the program, pumps its jobs, hands over what its calls answer, and decides how it ends.
 * Waiting is event-driven; the guest runs only inside `#guest()`, where its time is counted.
 */

import type { Operation } from "./boot.js";
import { Bridge, type BridgeOptions, type CallEvent } from "./bridge.js";
import type { Timekeeper } from "./clock.js";
import type { FailureCode } from "./errors.js";
import { answerRequest, type RequestedOf } from "./guest-requests.js";
import { dropJobs, type HeapLayout, unhandledRejections } from "./heap.js";
import type { HostFunctions } from "./host-functions.js";
import { type HostFunctionSource, toSource } from "./host-functions.js";
import type { Limits } from "./limits.js";
import { LogBuffer } from "./logs.js";
import { GuestMeter } from "./meter.js";
import type { EvalStatistics, LogLine, PausedCall } from "./outcome.js";
import {
  aborted,
  asPlainData,
  type CallDecision,
  isOutOfMemory,
  notDeclarable,
  type Outcome,
  type PausedEvaluation,
  readReport,
  unsettled,
} from "./program-outcome.js";
import { TimerQueue } from "./timer-queue.js";
import type { Address, Vm } from "./vm.js";
import { VmOutOfMemory, VmPreludeError } from "./vm-errors.js";

const interrupted = `!${JSON.stringify({ name: "Error", message: "interrupted" })}`;

/** Jobs between two looks at the clock. */
const JOB_BATCH = 200;
/** The host gets a turn after the guest ran this long in queued jobs. */
const YIELD_AFTER_MS = 50;

/** Unhandled errors told per eval. */
const MAX_UNHANDLED = 5;

export interface EvaluationOptions {
  readonly vm: Vm;
  readonly layout: HeapLayout;
  readonly limits: Limits;
  readonly time: Timekeeper;
  readonly tools?: HostFunctions | undefined;
  readonly globals?: HostFunctions | undefined;
  /** What static imports stand for; absent where there are no modules. */
  readonly imports?: readonly (readonly [specifier: string, key: string])[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly isAborted?: (() => boolean) | undefined;
  readonly captureConsole: boolean;
  /** False when nothing the session ever ran has to do with promises. */
  readonly usesPromises: boolean;
  readonly returns: "value" | "content" | "text";
  readonly isGated?: BridgeOptions["isGated"];
  readonly describeError: (error: unknown, name: string) => unknown;
  readonly onCall?: ((event: CallEvent) => void) | undefined;
  readonly onLog?: ((line: LogLine) => void) | undefined;
  /** Asked before the session's memory grows, within its own limit. */
  readonly mayGrow?: (bytes: number) => boolean;
  /** Synchronous services of the host: `url`, `intl`, `clock`. Answers encoded for the guest. */
  readonly service: (operation: string, argument: string) => string | undefined;
}

/** A module as the guest gets it; see `ModuleDefinition`. */
export interface GuestModule {
  readonly key: string;
  readonly code: string;
  readonly imports: readonly (readonly [specifier: string, key: string])[];
  /** The name the engine knows it by. */
  readonly file: string;
}

export class Evaluation {
  readonly #options: EvaluationOptions;
  readonly #tools: HostFunctionSource;
  readonly #meter: GuestMeter;
  readonly #bridge: Bridge;
  readonly #timers: TimerQueue;
  readonly #logs: LogBuffer;
  readonly #startedAt: number;
  readonly #waitedBefore: number;
  readonly #bytesAtStart: number;
  #done: Outcome | undefined;
  #stop: { code: FailureCode; message: string } | undefined;
  #memoryRefused = false;
  /** It was not the session's own limit. */
  #othersTakeIt = false;
  #wake: (() => void) | undefined;
  /** Descriptions of rejections and timer errors that nothing in the program handled. */
  readonly unhandled: unknown[] = [];
  readonly #newModules: GuestModule[] = [];
  clearedTimers = 0;
  /** What guest code holds leaves no room for the reserves. */
  memoryIsFull = false;

  constructor(options: EvaluationOptions, paused?: PausedEvaluation) {
    this.#options = options;
    this.#tools = toSource(options.tools);
    this.#startedAt = options.time.now();
    this.#bytesAtStart = options.vm.memory.buffer.byteLength;
    this.#waitedBefore = paused?.waitedMs ?? 0;
    this.#meter = new GuestMeter(options.time, options.limits.executionTimeoutMs, paused?.usedMs);
    this.#logs = new LogBuffer(options.limits.maxLogChars, options.onLog, paused?.logs);
    this.#timers = new TimerQueue(options.time, () => this.#wake?.());
    this.#bridge = new Bridge(
      {
        tools: this.#tools,
        globals: toSource(options.globals),
        limits: options.limits,
        isGated: options.isGated,
        onCall: options.onCall,
        describeError: options.describeError,
        now: options.time.now,
        onReady: () => this.#wake?.(),
      },
      paused?.calls,
      paused?.toolCalls,
    );
    this.#done = paused?.done;
    for (const timer of paused?.timers ?? []) this.#timers.start(timer.id, timer.leftMs);
  }

  get logs(): readonly LogLine[] {
    return this.#logs.lines();
  }

  get statistics(): EvalStatistics {
    return { guestMs: this.#meter.usedMs, totalMs: this.#totalMs, calls: this.#bridge.calls };
  }

  get #totalMs(): number {
    return this.#waitedBefore + this.#options.time.now() - this.#startedAt;
  }

  /** Runs a program from its start. @throws {VmDamaged} when the instance is finished. */
  run(
    code: string,
    filename: string,
    declared: readonly string[] = [],
    modules: readonly GuestModule[] = [],
  ): Promise<Outcome> {
    return this.#drive(false, () => {
      const { vm } = this.#options;
      this.#done = this.#define(modules);
      if (this.#done !== undefined) return;
      const taken = declared.length === 0 ? "" : vm.control("declare", JSON.stringify(declared));
      if (taken !== "") {
        this.#done = notDeclarable(taken);
        return;
      }
      const program = vm.evalProgram(code, filename);
      if (program.error !== undefined) {
        this.#done = this.#notCompiled(program.error);
        return;
      }
      this.#handOver("watch", "", program.value);
    });
  }

  /** Gives the guest modules that it may import from now on. Call it when no guest code is on the stack. */
  addModules(modules: readonly GuestModule[]): void {
    this.#newModules.push(...modules);
  }

  #define(modules: readonly GuestModule[]): Outcome | undefined {
    const { vm } = this.#options;
    for (const { file, code, key, imports } of modules) {
      const made = vm.evalExpression(code, file);
      if (made.error !== undefined) return this.#notCompiled(made.error);
      this.#handOver("module", JSON.stringify({ key, imports }), made.value);
    }
    return undefined;
  }

  /** Calls the prelude with a value that is then given up, also when the eval is stopped in the middle of it. */
  #handOver(operation: Operation, argument: string, value: Address): string {
    const { vm } = this.#options;
    try {
      return vm.control(operation, argument, value);
    } finally {
      if (!vm.isDamaged) vm.free(value);
    }
  }

  #notCompiled(error: Address): Outcome {
    const { vm } = this.#options;
    // Out of memory, the compiler reports whatever it stumbles over next.
    if (this.#memoryRefused) {
      vm.free(error);
      return this.#outOfMemory();
    }
    const report = this.#handOver("describe", "", error);
    return { status: "failed", code: "GUEST_THROW", phase: "compile", report: JSON.parse(report) as unknown };
  }

  /** Goes on with a program whose heap has been restored, by settling the calls it was paused at. */
  resume(paused: PausedEvaluation, decisions: ReadonlyMap<number, CallDecision>): Promise<Outcome> {
    return this.#drive(true, () => {
      for (const call of paused.gated) {
        const decision = decisions.get(call.id) ?? { type: "wait" };
        if (decision.type === "run") this.#bridge.release({ ...call, input: decision.input });
        else if (decision.type === "resolve") this.#bridge.resolve(call.id, decision.value);
        else if (decision.type === "reject") this.#bridge.reject(call.id, decision.error);
        else this.#bridge.hold(call);
      }
    });
  }

  /** What has to be kept beside the heap while the program waits for approvals. */
  pause(): PausedEvaluation {
    return {
      logs: this.#logs.lines(),
      usedMs: this.#meter.usedMs,
      waitedMs: this.#totalMs,
      calls: this.#bridge.calls,
      toolCalls: this.#bridge.toolCalls,
      gated: this.#gatedCalls(),
      timers: this.#timers.left(),
      done: this.#done && asPlainData(this.#done),
    };
  }

  /** In the order the guest made them. */
  #gatedCalls(): PausedCall[] {
    return [...this.#bridge.gated].sort((a, b) => a.id - b.id);
  }

  /** Ends the eval soon, with what it changed so far. */
  abort(): void {
    this.#stop ??= aborted;
    // The abort may come from an observer, while the guest is on the stack.
    this.#options.vm.askSoon();
    this.#wake?.();
  }

  /** The instance is gone: lets go of calls and timers without entering it. */
  abandon(): void {
    this.#bridge.close();
    this.#timers.clear();
  }

  async #drive(resumed: boolean, start: () => void): Promise<Outcome> {
    const { vm, signal, limits, time } = this.#options;
    const requested = this.#requested();
    vm.hooks = {
      callHost: (operation, argument, value) =>
        this.#checkTime() ? interrupted : answerRequest(requested, operation, argument, value),
      shouldStop: () => this.#shouldStop(),
      mayGrow: (bytes) => {
        const may = this.#options.mayGrow?.(bytes) ?? true;
        if (!may) this.#othersTakeIt = true;
        return may;
      },
      memoryRefused: () => {
        this.#memoryRefused = true;
        this.#checkTime();
      },
    };
    const onAbort = () => this.abort();
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
    const cancelWait =
      limits.waitTimeoutMs === null
        ? undefined
        : time.after(Math.max(0, limits.waitTimeoutMs - this.#waitedBefore), () => {
            this.#stop ??= { code: "WAIT_TIMEOUT", message: this.#waitTimeoutText() };
            this.#wake?.();
          });
    try {
      if (!this.#stop) this.#begin(resumed);
      if (!this.#stop) this.#guest(start);
      return await this.#loop();
    } finally {
      cancelWait?.();
      signal?.removeEventListener("abort", onAbort);
    }
  }

  #requested(): RequestedOf {
    const { vm, layout, service, captureConsole } = this.#options;
    return {
      vm,
      layout,
      service,
      tools: this.#tools,
      bridge: this.#bridge,
      timers: this.#timers,
      log: (level, text) => {
        if (captureConsole) this.#logs.add(level, text);
      },
      done: (report) => {
        if (!this.#done) this.#done = this.#outcomeOf(readReport(report, vm.bytes.take()));
      },
      unhandled: (report) => {
        if (this.unhandled.length < MAX_UNHANDLED) this.unhandled.push(report);
      },
    };
  }

  /** Only the host knows that memory was refused; an error that merely says so is the guest's own. */
  #outcomeOf(reported: Outcome): Outcome {
    return this.#memoryRefused && isOutOfMemory(reported) ? this.#outOfMemory() : reported;
  }

  #begin(resumed: boolean): void {
    const { vm, returns, limits, globals } = this.#options;
    const settings = {
      resumed,
      tools: this.#options.tools !== undefined,
      globals: toSource(globals).names(),
      ...(this.#options.imports && { imports: this.#options.imports }),
      maxRenderChars: limits.maxRenderChars,
      maxLogLineChars: Math.min(limits.maxRenderChars, limits.maxLogChars),
      returns,
    };
    const text = JSON.stringify(settings);
    // What filled the memory can only be let go of by code that has room to run.
    if (!vm.reserves.hold() || !vm.reserves.hasRoom()) this.#giveUpReserves();
    this.#mustRun(() => this.#meter.run(() => vm.control("begin", text)));
    this.#memoryRefused = false;
  }

  /**
   * Steps of ours that also have to work in a memory that guest code filled: they get the reserves then.
   *
   * @throws {VmDamaged} when those are not enough. The instance is given up.
   */
  #mustRun<T>(step: () => T): T {
    const { vm } = this.#options;
    try {
      return step();
    } catch (error) {
      if (!isShortage(error)) throw error;
      try {
        this.#giveUpReserves();
        vm.collectGarbage();
        return step();
      } catch (again) {
        if (!isShortage(again)) throw again;
        return vm.retire(again);
      }
    }
  }

  #giveUpReserves(): void {
    const { vm } = this.#options;
    vm.reserves.giveUp("guest");
    vm.reserves.giveUp("host");
  }

  async #loop(): Promise<Outcome> {
    for (;;) {
      await this.#pump();
      if (this.#stop) return this.#end(this.#stopped(this.#stop));
      if (this.#newModules.length > 0) {
        const modules = this.#newModules.splice(0);
        this.#guest(() => this.#define(modules));
      }
      if (this.#bridge.hasSettled) {
        const { text, bytes } = this.#bridge.takeSettled();
        const { vm } = this.#options;
        const settle = () => vm.control("settle", text);
        this.#guest(() => vm.bytes.offer(bytes, settle));
        continue;
      }
      const due = this.#bridge.gated.length === 0 ? this.#timers.takeDue() : [];
      if (due.length > 0) {
        for (const id of due) this.#guest(() => this.#options.vm.control("fire", String(id)));
        continue;
      }
      if (this.#bridge.isIdle) {
        if (this.#bridge.gated.length > 0) return { status: "paused", calls: this.#gatedCalls() };
        if (this.#done) return this.#end(this.#done);
        if (this.#timers.size === 0) return this.#end(this.#unsettled());
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  /** Runs queued jobs until there are none, or the eval has to stop. */
  async #pump(): Promise<void> {
    const { vm, time } = this.#options;
    let sliceStart = time.now();
    this.#bridge.startRequested();
    while (!this.#stop && vm.hasJobs) {
      this.#guest(() => this.#meter.countJobs(vm.runJobs(JOB_BATCH)));
      this.#bridge.startRequested();
      if (this.#meter.isOver) this.#overtime();
      if (!this.#stop && time.now() - sliceStart > YIELD_AFTER_MS) {
        await new Promise<void>((resolve) => time.after(0, resolve));
        sliceStart = time.now();
      }
    }
  }

  /** Enters the guest; a prelude that fails inside means that the eval has no room or no time left. */
  #guest(enter: () => unknown): void {
    try {
      this.#meter.run(enter);
    } catch (error) {
      if (!isShortage(error)) throw error;
      if (this.#meter.isOver) this.#overtime();
      this.#stop ??= { code: "MEMORY", message: this.#memoryText() };
    }
  }

  #shouldStop(): boolean {
    if (this.#meter.tick()) this.#overtime();
    this.#checkAborted();
    return this.#stop !== undefined;
  }

  /** Between two questions of the engine, where much time may have passed. True when the eval has to stop. */
  #checkTime(): boolean {
    if (!this.#stop && this.#meter.isOver) this.#overtime();
    this.#checkAborted();
    if (this.#stop) this.#options.vm.askSoon();
    return this.#stop !== undefined;
  }

  #checkAborted(): void {
    if (!this.#stop && this.#options.isAborted?.()) this.#stop = aborted;
  }

  #overtime(): void {
    const limit = this.#options.limits.executionTimeoutMs;
    this.#stop ??= {
      code: "TIMEOUT",
      message: `the code ran longer than ${limit} ms (executionTimeoutMs); waiting for tools does not count`,
    };
  }

  #waitTimeoutText(): string {
    const pending = this.#bridge.inFlight;
    const shown = pending.slice(0, 5).join(", ") + (pending.length > 5 ? `, ${pending.length - 5} more` : "");
    return `the eval took longer than ${this.#options.limits.waitTimeoutMs} ms (waitTimeoutMs)${pending.length > 0 ? `; still pending: ${shown}` : ""}`;
  }

  #memoryText(): string {
    if (this.#othersTakeIt)
      return "the sessions that run now take all the memory there is for them together (maxTotalMemoryBytes). Keep less in variables, or try again later.";
    const mib = Math.floor(this.#options.limits.memoryLimitBytes / 1048576);
    return `the session's limit is ${mib} MiB (memoryLimitBytes). Keep less in variables, or process the data in parts.`;
  }

  #stopped(stop: { code: FailureCode; message: string }): Outcome {
    const stays = stop.code !== "MEMORY";
    const message = stays ? `${stop.message}; what it changed until then stays` : stop.message;
    return { status: "failed", code: stop.code, message };
  }

  #end(outcome: Outcome): Outcome {
    const { vm } = this.#options;
    this.abandon();
    // The deadline is over for guest code, not for the few steps that put things away.
    vm.hooks = { ...vm.hooks, shouldStop: () => false };
    this.#mustRun(() => dropJobs(vm));
    // The look at all objects is a good part of what a small eval costs.
    const mayReject = this.#options.usesPromises || this.#bridge.calls > 0;
    const stopped = this.#stop !== undefined;
    if (stopped) this.#mustRun(() => vm.forgetException());
    else if (mayReject) this.#findUnhandled();
    const cleared = this.#mustRun(() => vm.control("end", ""));
    this.clearedTimers = Number(cleared.split(" ")[1]);
    // What a stopped or greedy eval left unreachable should be free memory for the next one.
    const isGrown = vm.memory.buffer.byteLength > this.#bytesAtStart;
    if (this.#memoryRefused || stopped || isGrown) this.#mustRun(() => vm.collectGarbage());
    this.memoryIsFull = !vm.reserves.hold() || (this.#memoryRefused && !vm.reserves.hasRoom());
    return outcome;
  }

  #findUnhandled(): void {
    const { vm, layout } = this.#options;
    for (const reason of unhandledRejections(vm, layout).slice(0, MAX_UNHANDLED)) {
      const copy = vm.duplicate(reason);
      try {
        this.unhandled.push(JSON.parse(this.#handOver("describe", "", copy)));
      } catch (error) {
        // No room to tell it.
        if (!isShortage(error)) throw error;
      }
    }
  }

  #unsettled(): Outcome {
    return this.#memoryRefused ? this.#outOfMemory() : unsettled;
  }

  #outOfMemory(): Outcome {
    return { status: "failed", code: "MEMORY", message: this.#memoryText() };
  }
}

/** The prelude or the host found no room or no time inside the instance, which goes on. */
function isShortage(error: unknown): boolean {
  return error instanceof VmPreludeError || error instanceof VmOutOfMemory;
}
