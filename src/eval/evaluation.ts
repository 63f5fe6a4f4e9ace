/**
 * One eval on the host: runs the program, pumps its jobs, hands over what its calls answer, and decides how it ends.
 * Waiting is event-driven; guest code runs only inside `#guest.run()`, where its time is counted.
 */

import type { Address } from "../engine/vm.js";
import type { EvalStatistics, LogLine, PausedCall } from "../result/outcome.js";
import { Bridge } from "./bridge.js";
import { beginEval, endEval, MAX_UNHANDLED } from "./eval-edges.js";
import { EvalStop } from "./eval-stop.js";
import type { EvaluationOptions, GuestModule } from "./evaluation-options.js";
import { GuestEntry } from "./guest-entry.js";
import { answerRequest, type RequestedOf } from "./guest-requests.js";
import { type HostFunctionSource, toSource } from "./host-functions.js";
import { LogBuffer } from "./logs.js";
import { GuestMeter } from "./meter.js";
import {
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

const interrupted = `!${JSON.stringify({ name: "Error", message: "interrupted" })}`;

/** Jobs between two looks at the clock. */
const JOB_BATCH = 200;
/** The host gets a turn after the guest ran this long in queued jobs. */
const YIELD_AFTER_MS = 50;

export class Evaluation {
  readonly #options: EvaluationOptions;
  readonly #tools: HostFunctionSource;
  readonly #meter: GuestMeter;
  readonly #stop: EvalStop;
  readonly #guest: GuestEntry;
  readonly #bridge: Bridge;
  readonly #timers: TimerQueue;
  readonly #logs: LogBuffer;
  readonly #startedAt: number;
  readonly #waitedBefore: number;
  readonly #bytesAtStart: number;
  #done: Outcome | undefined;
  #wake: (() => void) | undefined;
  #cancelWait: (() => void) | undefined;
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
    this.#stop = new EvalStop(options.limits);
    this.#guest = new GuestEntry(options.vm, this.#meter, this.#stop);
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
      this.#guest.handOver("watch", "", program.value);
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
      this.#guest.handOver("module", JSON.stringify({ key, imports }), made.value);
    }
    return undefined;
  }

  #notCompiled(error: Address): Outcome {
    const { vm } = this.#options;
    // Out of memory, the compiler reports whatever it stumbles over next.
    if (this.#stop.memoryWasRefused) {
      vm.free(error);
      return this.#stop.outOfMemory();
    }
    const report = this.#guest.handOver("describe", "", error);
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
    this.#stop.abort();
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
    const { vm, signal } = this.#options;
    const requested = this.#requested();
    vm.hooks = {
      callHost: (operation, argument, value) => {
        this.#meter.countRequest(argument.length);
        return this.#checkTime() ? interrupted : answerRequest(requested, operation, argument, value);
      },
      shouldStop: () => this.#shouldStop(),
      mayGrow: (bytes) => {
        const may = this.#options.mayGrow?.(bytes) ?? true;
        if (!may) this.#stop.othersTakeMemory = true;
        return may;
      },
      memoryRefused: () => {
        this.#stop.memoryWasRefused = true;
        this.#checkTime();
      },
    };
    const onAbort = () => this.abort();
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
    try {
      if (!this.#stop.isDue) {
        beginEval(this.#guest, this.#options, resumed);
        this.#stop.memoryWasRefused = false;
      }
      if (!this.#stop.isDue) this.#guest.run(start);
      return await this.#loop();
    } finally {
      this.#cancelWait?.();
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
    return this.#stop.memoryWasRefused && isOutOfMemory(reported) ? this.#stop.outOfMemory() : reported;
  }

  async #loop(): Promise<Outcome> {
    for (;;) {
      await this.#pump();
      if (this.#stop.outcome) return this.#end(this.#stop.outcome);
      if (this.#newModules.length > 0) {
        const modules = this.#newModules.splice(0);
        this.#guest.run(() => this.#define(modules));
      }
      if (this.#bridge.settled.areThere) {
        const { text, bytes } = this.#bridge.settled.take();
        const { vm } = this.#options;
        const settle = () => vm.control("settle", text);
        this.#guest.run(() => vm.bytes.offer(bytes, settle));
        continue;
      }
      const due = this.#bridge.gated.length === 0 ? this.#timers.takeDue() : [];
      if (due.length > 0) {
        for (const id of due) this.#guest.run(() => this.#options.vm.control("fire", String(id)));
        continue;
      }
      if (this.#bridge.isIdle) {
        if (this.#bridge.gated.length > 0) return { status: "paused", calls: this.#gatedCalls() };
        if (this.#done) return this.#end(this.#done);
        if (this.#timers.size === 0) return this.#end(this.#unsettled());
      }
      this.#limitWait();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  /** The time of the whole eval, which matters once it gives the host a turn: most evals never do. */
  #limitWait(): void {
    const { time, limits } = this.#options;
    if (this.#cancelWait || limits.waitTimeoutMs === null) return;
    this.#cancelWait = time.after(Math.max(0, limits.waitTimeoutMs - this.#totalMs), () => {
      this.#stop.waitTimeout(this.#bridge.inFlight);
      this.#wake?.();
    });
  }

  /** Runs queued jobs until there are none, or the eval has to stop. */
  async #pump(): Promise<void> {
    const { vm, time } = this.#options;
    let sliceStart = time.now();
    this.#bridge.startRequested();
    while (!this.#stop.isDue && vm.hasJobs) {
      this.#guest.run(() => this.#meter.countJobs(vm.runJobs(JOB_BATCH)));
      this.#bridge.startRequested();
      if (this.#meter.isOver) this.#stop.overtime();
      if (!this.#stop.isDue && time.now() - sliceStart > YIELD_AFTER_MS) {
        this.#limitWait();
        await new Promise<void>((resolve) => time.after(0, resolve));
        sliceStart = time.now();
      }
    }
  }

  #shouldStop(): boolean {
    if (this.#meter.tick()) this.#stop.overtime();
    this.#checkAborted();
    return this.#stop.isDue;
  }

  /** Between two questions of the engine, where much time may have passed. True when the eval has to stop. */
  #checkTime(): boolean {
    if (!this.#stop.isDue && this.#meter.isOver) this.#stop.overtime();
    this.#checkAborted();
    if (this.#stop.isDue) this.#options.vm.askSoon();
    return this.#stop.isDue;
  }

  #checkAborted(): void {
    if (!this.#stop.isDue && this.#options.isAborted?.()) this.#stop.abort();
  }

  #end(outcome: Outcome): Outcome {
    this.abandon();
    const { unhandled, clearedTimers, memoryIsFull } = endEval(this.#guest, this.#options, this.#stop, {
      mayReject: this.#options.usesPromises || this.#bridge.calls > 0,
      isGrown: this.#options.vm.memory.buffer.byteLength > this.#bytesAtStart,
    });
    this.unhandled.push(...unhandled);
    this.clearedTimers = clearedTimers;
    this.memoryIsFull = memoryIsFull;
    return outcome;
  }

  #unsettled(): Outcome {
    return this.#stop.memoryWasRefused ? this.#stop.outOfMemory() : unsettled;
  }
}
