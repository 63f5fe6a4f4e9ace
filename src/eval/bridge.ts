/**
 * The host's half of calls from guest code: starts them, keeps their number within the limits and collects what they
 * answer until the guest is ready to take it. One bridge per eval; what settles after its end is dropped.
 */

import type { Limits } from "../limits.js";
import type { PausedCall } from "../result/outcome.js";
import { decodeValue } from "../values/decode-value.js";
import { CallHeld, type HostFunction, type HostFunctionSource } from "./host-functions.js";
import { type CallEvent, notify, type QueuedCall, RunningCall } from "./running-call.js";
import { Settlements } from "./settlements.js";

export interface BridgeOptions {
  readonly tools: HostFunctionSource;
  readonly globals: HostFunctionSource;
  readonly limits: Limits;
  /** True for a call that must wait for an approval instead of running. */
  readonly isGated?: ((call: PausedCall) => boolean | Promise<boolean>) | undefined;
  readonly onCall?: ((event: CallEvent) => void) | undefined;
  /** What of a host function's failure the guest may see. */
  readonly describeError: (error: unknown, name: string) => unknown;
  readonly now: () => number;
  /** A call settled; the guest may take it now. */
  readonly onReady: () => void;
}

/** A call as the guest made it; it starts when the guest has left the stack. */
interface RequestedCall {
  readonly id: number;
  readonly name: string;
  readonly argument: string;
  /** The bytes in the argument, which cross beside its text. */
  readonly bytes: readonly Uint8Array<ArrayBuffer>[];
  readonly target: HostFunction;
  readonly chars: number;
}

export class Bridge {
  readonly #options: BridgeOptions;
  /** Calls of which it is not known yet whether they are gated. */
  readonly #deciding = new Map<number, string>();
  /** A signal for each: whoever listens to a signal that many calls share is warned of a leak. */
  readonly #running = new Map<number, RunningCall>();
  readonly #queue: QueuedCall[] = [];
  readonly #gated: PausedCall[] = [];
  #requested: RequestedCall[] = [];
  readonly settled: Settlements;
  #closed = false;
  /** Characters of the arguments of all calls that have not ended. */
  #charsInFlight = 0;
  /** Calls started, refused ones not included. */
  calls = 0;
  /** Calls of `tools` alone: those have a budget. */
  toolCalls = 0;
  #runningTools = 0;
  #refused = 0;

  constructor(options: BridgeOptions, calls = 0, toolCalls: number = calls) {
    this.#options = options;
    this.settled = new Settlements(options.limits.maxValueChars);
    this.calls = calls;
    this.toolCalls = toolCalls;
  }

  /** Names of the calls that run or queue. */
  get inFlight(): string[] {
    const waiting = [...this.#queue, ...this.#requested];
    const started = [...this.#running.values(), ...waiting].map((call) => call.name);
    return [...this.#deciding.values(), ...started];
  }

  get isIdle(): boolean {
    const started = this.#deciding.size + this.#running.size;
    return started + this.#queue.length + this.#requested.length === 0;
  }

  get gated(): readonly PausedCall[] {
    return this.#gated;
  }

  /**
   * The guest called a host function: `id`, name and encoded argument, separated by newlines. Takes note of it; it
   * runs in `startRequested`, outside the guest's stack and time.
   *
   * @throws what the guest gets instead of a call. Nothing is kept of a refused one, so refusals cost no memory.
   */
  request(text: string, bytes: readonly Uint8Array<ArrayBuffer>[]): void {
    if (this.#closed) return;
    const first = text.indexOf("\n");
    const second = text.indexOf("\n", first + 1);
    const id = Number(text.slice(0, first));
    const name = text.slice(first + 1, second);
    const argument = text.slice(second + 1);
    const target = this.#find(name);
    if (!target) throw noTool(name);
    const { limits } = this.#options;
    const isTool = this.#isTool(name);
    if (isTool && limits.maxHostCalls !== null && this.toolCalls >= limits.maxHostCalls) {
      const attempted = this.toolCalls + ++this.#refused;
      const budget = `PTC call budget exceeded (limit=${limits.maxHostCalls}, attempted=${attempted}, function=${name})`;
      throw new Error(`${budget}. ${this.toolCalls === 1 ? "1 call" : `${this.toolCalls} calls`} ran.`);
    }
    const chars = bytes.reduce((sum, { length }) => sum + length, argument.length);
    if (chars > limits.maxValueChars) {
      throw new RangeError(`The argument of ${name} is larger than ${limits.maxValueChars} characters.`);
    }
    if (this.#charsInFlight + chars > limits.maxValueChars) {
      throw new RangeError(
        `The arguments of the calls that have not ended are larger than ${limits.maxValueChars} characters together. Await some of them first.`,
      );
    }
    this.calls++;
    if (isTool) this.toolCalls++;
    this.#charsInFlight += chars;
    this.#requested.push({ id, name, argument, bytes, target, chars });
  }

  /** Starts what the guest asked for since. Call it when no guest code is on the stack. */
  startRequested(): void {
    const requested = this.#requested;
    if (requested.length === 0) return;
    this.#requested = [];
    for (const { id, name, argument, bytes, target, chars } of requested) {
      try {
        const input = argument === "" ? undefined : decodeValue(argument, bytes);
        const gated = this.#isGated({ id, name, input });
        const call = { id, name, input, target, chars };
        if (typeof gated !== "boolean") void this.#decide(call, gated);
        else if (gated) this.hold(call);
        else this.#enqueue(call);
      } catch (error) {
        this.#settle(id, "!", error);
      }
    }
  }

  #isGated(call: PausedCall): boolean | Promise<boolean> {
    try {
      return this.#options.isGated?.(call) ?? false;
    } catch (error) {
      throw this.#describe(error, call.name);
    }
  }

  /** Until it is known whether the call is gated it is in flight, so that nothing concludes too early. */
  async #decide(call: QueuedCall, gated: Promise<boolean>): Promise<void> {
    const { id, name } = call;
    this.#deciding.set(id, name);
    let settle: () => void;
    try {
      const held = await gated;
      settle = () => (held ? this.hold(call) : this.#enqueue(call));
    } catch (error) {
      const described = this.#describe(error, name);
      settle = () => this.#settle(id, "!", described);
    }
    if (this.#closed || !this.#deciding.delete(id)) return;
    settle();
    this.#options.onReady();
  }

  /** What the guest may see of a failure. A policy that fails itself shows nothing. */
  #describe(error: unknown, name: string): unknown {
    try {
      return this.#options.describeError(error, name);
    } catch {
      return new Error(`${name} failed.`);
    }
  }

  /** Global functions have limits of their own, or none; looking a tool up calls none. */
  #isTool(name: string): boolean {
    return !name.startsWith("$") && this.#options.globals.get(name) === undefined;
  }

  #find(name: string): HostFunction | undefined {
    return this.#options.globals.get(name) ?? this.#options.tools.get(name);
  }

  /** Runs a call that was gated and has been approved, possibly with another input. */
  release(call: PausedCall): void {
    const target = this.#find(call.name);
    if (target) this.#enqueue({ ...call, target, chars: 0 });
    else this.#settle(call.id, "!", noTool(call.name));
  }

  /** Waits again for a call whose approval is still open. */
  hold({ id, name, input }: PausedCall): void {
    this.#gated.push({ id, name, input });
  }

  /** Settles a call without running it. */
  reject(id: number, error: unknown): void {
    this.#settle(id, "!", error);
  }

  resolve(id: number, value: unknown): void {
    this.#settle(id, "=", value);
  }

  /** The eval is over: tells running calls through their signal and ignores what they answer. */
  close(): void {
    this.#closed = true;
    this.#queue.length = 0;
    this.#requested = [];
    this.settled.clear();
    if (this.#running.size === 0) return;
    const reason = new Error("The eval has ended.");
    for (const call of this.#running.values()) call.end(reason);
  }

  #enqueue(call: QueuedCall): void {
    const limit = this.#options.limits.maxConcurrentCalls;
    if (limit !== null && this.#isTool(call.name) && this.#runningTools >= limit) this.#queue.push(call);
    else void this.#run(call);
  }

  /** Never rejects: every outcome becomes a settlement. */
  async #run({ id, name, input, target, chars }: QueuedCall): Promise<void> {
    const { onCall } = this.#options;
    const call = new RunningCall(id, name);
    const isTool = this.#isTool(name);
    if (isTool) this.#runningTools++;
    this.#running.set(id, call);
    const started = this.#options.now();
    notify(onCall, { type: "start", id, name, input });
    let ok = true;
    let outcome: unknown;
    try {
      outcome = await target(input, call);
    } catch (error) {
      ok = false;
      outcome = error;
    }
    if (this.#closed || !this.#running.delete(id)) return;
    if (isTool) this.#runningTools--;
    this.#charsInFlight -= chars;
    if (outcome instanceof CallHeld) {
      this.hold({ id, name, input });
      this.#options.onReady();
    } else {
      const durationMs = this.#options.now() - started;
      const resultChars = ok
        ? this.#settle(id, "=", outcome)
        : this.#settle(id, "!", this.#describe(outcome, name));
      notify(onCall, { type: "end", id, name, ok, durationMs, resultChars });
    }
    const next = isTool ? this.#queue.shift() : undefined;
    if (next) void this.#run(next);
  }

  /** Answers how many characters the value takes. */
  #settle(id: number, mark: "=" | "!", value: unknown): number {
    if (this.#closed) return 0;
    const chars = this.settled.add(id, mark, value);
    this.#options.onReady();
    return chars;
  }
}

function noTool(name: string): TypeError {
  return new TypeError(`There is no tool named ${name} any more.`);
}
