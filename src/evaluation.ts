/**
 * One eval on the host: runs the program, pumps its jobs, hands over what its calls answer, and decides how it ends.
 * Waiting is event-driven; the guest runs only inside `#guest()`, where its time is counted.
 */
import { Bridge, type CallEvent } from "./bridge.js";
import type { Timekeeper } from "./clock.js";
import type { FailureCode } from "./errors.js";
import { classId, dropJobs, type HeapLayout, unhandledRejections } from "./heap.js";
import type { HostFunctions } from "./host-functions.js";
import { type HostFunctionSource, toSource } from "./host-functions.js";
import type { Limits } from "./limits.js";
import { LogBuffer } from "./logs.js";
import { GuestMeter } from "./meter.js";
import type { EvalStatistics, LogLine, PausedCall } from "./outcome.js";
import { TimerQueue } from "./timer-queue.js";
import { type Address, type Vm, VmDamaged, VmOutOfMemory, VmPreludeError } from "./vm.js";

/** Jobs between two looks at the clock. */
const JOB_BATCH = 200;
/** The host gets a turn after the guest ran this long in queued jobs. */
const YIELD_AFTER_MS = 50;

export interface EvaluationOptions {
  readonly vm: Vm;
  readonly layout: HeapLayout;
  readonly limits: Limits;
  readonly time: Timekeeper;
  readonly tools?: HostFunctions | undefined;
  readonly globals?: HostFunctions | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly captureConsole: boolean;
  readonly returns: "value" | "content" | "text";
  readonly isGated?: ((name: string, input: unknown) => boolean) | undefined;
  readonly describeError: (error: unknown, name: string) => unknown;
  readonly onCall?: ((event: CallEvent) => void) | undefined;
  readonly onLog?: ((line: LogLine) => void) | undefined;
  /** Synchronous services of the host: `url`, `intl`, `clock`. Answers encoded for the guest. */
  readonly service: (operation: string, argument: string) => string | undefined;
}

/** What the guest reported at its end, still in the guest's terms. */
export type Outcome =
  | {
      readonly status: "completed";
      readonly kind: string;
      readonly text: string;
      readonly value: string | undefined;
      readonly abbreviated: boolean;
      readonly hint: string | undefined;
    }
  /** `report` is the guest's description of what was thrown; absent when the host ended the eval. */
  | {
      readonly status: "failed";
      readonly code: FailureCode;
      readonly message?: string;
      readonly report?: unknown;
      /** `"compile"`: the engine refused the source, nothing of it ran. */
      readonly phase?: "compile";
    }
  | { readonly status: "paused"; readonly calls: readonly PausedCall[] };

/** Everything of a paused eval that is not in the heap. Plain data. */
export interface PausedEvaluation {
  readonly logs: readonly LogLine[];
  readonly usedMs: number;
  readonly waitedMs: number;
  readonly calls: number;
  readonly gated: readonly PausedCall[];
  readonly timers: readonly { readonly id: number; readonly leftMs: number }[];
  /** The program itself has ended; only calls it did not await are open. */
  readonly done?: Outcome | undefined;
}

/** How an approval ended: run the call (with this input), or settle it without running. */
export type CallDecision =
  | { readonly type: "run"; readonly input: unknown }
  | { readonly type: "resolve"; readonly value: unknown }
  | { readonly type: "reject"; readonly error: unknown }
  | { readonly type: "wait" };

export class Evaluation {
  readonly #options: EvaluationOptions;
  readonly #tools: HostFunctionSource;
  readonly #meter: GuestMeter;
  readonly #bridge: Bridge;
  readonly #timers: TimerQueue;
  readonly #logs: LogBuffer;
  readonly #startedAt: number;
  readonly #waitedBefore: number;
  #done: Outcome | undefined;
  #stop: { code: FailureCode; message: string } | undefined;
  #memoryRefused = false;
  #wake: (() => void) | undefined;
  /** Descriptions of rejections and timer errors that nothing in the program handled. */
  readonly unhandled: unknown[] = [];
  clearedTimers = 0;

  constructor(options: EvaluationOptions, paused?: PausedEvaluation) {
    this.#options = options;
    this.#tools = toSource(options.tools);
    this.#startedAt = options.time.now();
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
  run(code: string, filename: string): Promise<Outcome> {
    return this.#drive(() => {
      const { vm } = this.#options;
      const program = vm.evalProgram(code, filename);
      if (program.error !== undefined) {
        const report = vm.control("describe", "", program.error);
        vm.free(program.error);
        this.#done = {
          status: "failed",
          code: "GUEST_THROW",
          phase: "compile",
          report: JSON.parse(report) as unknown,
        };
        return;
      }
      vm.control("watch", "", program.value);
      vm.free(program.value);
    });
  }

  /** Goes on with a program whose heap has been restored, by settling the calls it was paused at. */
  resume(paused: PausedEvaluation, decisions: ReadonlyMap<number, CallDecision>): Promise<Outcome> {
    return this.#drive(() => {
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
      gated: [...this.#bridge.gated],
      timers: this.#timers.left(),
      done: this.#done,
    };
  }

  /** The instance is gone: lets go of calls and timers without entering it. */
  abandon(): void {
    this.#bridge.close(new Error("The eval has ended."));
    this.#timers.clear();
  }

  async #drive(start: () => void): Promise<Outcome> {
    const { vm, signal, limits, time } = this.#options;
    vm.hooks = {
      callHost: (operation, argument, value) => this.#answer(operation, argument, value),
      shouldStop: () => this.#shouldStop(),
      memoryRefused: () => {
        this.#memoryRefused = true;
      },
    };
    const onAbort = () => {
      this.#stop ??= { code: "ABORTED", message: "the eval was aborted" };
      this.#wake?.();
    };
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
      if (!this.#stop) this.#guest(() => this.#begin());
      if (!this.#stop) this.#guest(start);
      return await this.#loop();
    } finally {
      cancelWait?.();
      signal?.removeEventListener("abort", onAbort);
    }
  }

  #begin(): void {
    const { vm, returns, limits, globals } = this.#options;
    const settings = {
      tools: this.#options.tools !== undefined,
      globals: toSource(globals).names(),
      maxRenderChars: limits.maxRenderChars,
      maxLogLineChars: Math.min(limits.maxRenderChars, limits.maxLogChars),
      returns,
    };
    vm.control("begin", JSON.stringify(settings));
  }

  async #loop(): Promise<Outcome> {
    for (;;) {
      await this.#pump();
      if (this.#stop) return this.#end(this.#stopped(this.#stop));
      if (this.#bridge.hasSettled) {
        const batch = this.#bridge.takeSettled();
        this.#guest(() => this.#options.vm.control("settle", batch));
        continue;
      }
      const due = this.#bridge.gated.length === 0 ? this.#timers.takeDue() : [];
      if (due.length > 0) {
        for (const id of due) this.#fire(id);
        continue;
      }
      if (this.#bridge.inFlight.length === 0) {
        if (this.#bridge.gated.length > 0) return { status: "paused", calls: [...this.#bridge.gated] };
        if (this.#done) return this.#end(this.#done);
        if (this.#timers.size === 0) return this.#end(unsettled);
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
    while (!this.#stop && vm.hasJobs) {
      this.#guest(() => this.#meter.countJobs(vm.runJobs(JOB_BATCH)));
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
      if (error instanceof VmDamaged) throw error;
      if (!(error instanceof VmPreludeError) && !(error instanceof VmOutOfMemory)) throw error;
      if (this.#meter.isOver) this.#overtime();
      this.#stop ??= { code: "MEMORY", message: this.#memoryText() };
    }
  }

  #fire(id: number): void {
    try {
      this.#meter.run(() => this.#options.vm.control("fire", String(id)));
    } catch (error) {
      if (!(error instanceof VmPreludeError)) throw error;
      this.unhandled.push({ isError: false, name: "Error", message: error.message });
    }
  }

  #shouldStop(): boolean {
    if (this.#meter.tick()) this.#overtime();
    return this.#stop !== undefined;
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
    const mib = Math.floor(this.#options.limits.memoryLimitBytes / 1048576);
    return `the session's limit is ${mib} MiB (memoryLimitBytes). Keep less in variables, or process the data in parts.`;
  }

  #stopped(stop: { code: FailureCode; message: string }): Outcome {
    return { status: "failed", code: stop.code, message: stop.message };
  }

  #end(outcome: Outcome): Outcome {
    const { vm, layout } = this.#options;
    this.abandon();
    const stopped = this.#stop !== undefined;
    dropJobs(vm);
    // The deadline is over for guest code, not for the few steps that put things away.
    vm.hooks = { ...vm.hooks, shouldStop: () => false };
    const cleared = vm.control("end", "");
    this.clearedTimers = Number(cleared.split(" ")[1]);
    if (!stopped) {
      for (const reason of unhandledRejections(vm, layout).slice(0, 5)) {
        const copy = vm.duplicate(reason);
        this.unhandled.push(JSON.parse(vm.control("describe", "", copy)));
        vm.free(copy);
      }
    }
    return outcome;
  }

  /** Answers the one host function. Never throws: an exception must not cross the engine's frames. */
  #answer(operation: string, argument: string, value: Address): string {
    try {
      return this.#dispatch(operation, argument, value);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return `!${JSON.stringify({ name: "Error", message })}`;
    }
  }

  #dispatch(operation: string, argument: string, value: Address): string {
    const { vm, layout } = this.#options;
    switch (operation) {
      case "call":
        if (!this.#stop) this.#bridge.start(argument);
        return "=";
      case "log":
        this.#log(argument);
        return "=";
      case "done":
        this.#report(argument);
        return "=";
      case "timer": {
        const [id, delay] = argument.split(" ");
        this.#timers.start(Number(id), Number(delay));
        return "=";
      }
      case "timer-clear":
        this.#timers.stop(Number(argument));
        return "=";
      case "tools":
        return `=${JSON.stringify(this.#tools.names())}`;
      case "has-tool":
        return this.#tools.get(argument) ? "=1" : "=0";
      case "is-promise":
        return classId(vm, value) === layout.promiseClass ? "=1" : "=0";
      case "is-proxy":
        return classId(vm, value) === layout.proxyClass ? "=1" : "=0";
      default:
        return (
          this.#options.service(operation, argument) ??
          `!${JSON.stringify({ name: "Error", message: `unknown request ${operation}` })}`
        );
    }
  }

  #log(argument: string): void {
    if (!this.#options.captureConsole) return;
    const mark = argument.indexOf("\n");
    this.#logs.add(argument.slice(0, mark), JSON.parse(argument.slice(mark + 1)) as string);
  }

  #report(argument: string): void {
    if (this.#done) return;
    const report = JSON.parse(argument.slice(1)) as {
      kind: string;
      text: string;
      value?: string;
      abbreviated?: boolean;
      hint?: string;
      name?: string;
      message?: string;
    };
    if (argument.startsWith("=")) {
      const { kind, text, value, abbreviated = false, hint } = report;
      this.#done = { status: "completed", kind, text, value, abbreviated, hint };
      return;
    }
    // Only the host knows that memory was refused; an error that merely says so is the guest's own.
    const outOfMemory = this.#memoryRefused && isOutOfMemory(report);
    this.#done = outOfMemory
      ? { status: "failed", code: "MEMORY", message: this.#memoryText() }
      : { status: "failed", code: "GUEST_THROW", report };
  }
}

/** When even the error cannot be allocated, the engine throws `null`. */
function isOutOfMemory(report: { name?: string; message?: string; rendered?: string }): boolean {
  return (
    (report.name === "InternalError" && report.message === "out of memory") || report.rendered === "null"
  );
}

const unsettled: Outcome = {
  status: "failed",
  code: "GUEST_UNSETTLED",
  message: "the code awaits a promise that nothing pending can settle: no call, timer or job is left",
};
