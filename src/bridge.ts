/**
 * The host's half of calls from guest code: starts them, keeps their number within the limits and collects what they
 * answer until the guest is ready to take it. One bridge per eval; what settles after its end is dropped.
 */
import { decodeValue, encodeValue } from "./codec.js";
import type { HostFunction, HostFunctionSource } from "./host-functions.js";
import type { Limits } from "./limits.js";
import type { PausedCall } from "./outcome.js";

export interface BridgeOptions {
  readonly tools: HostFunctionSource;
  readonly globals: HostFunctionSource;
  readonly limits: Limits;
  /** True for a call that must wait for an approval instead of running. */
  readonly isGated?: ((name: string, input: unknown) => boolean) | undefined;
  readonly onCall?: ((event: CallEvent) => void) | undefined;
  /** What of a host function's failure the guest may see. */
  readonly describeError: (error: unknown, name: string) => unknown;
  readonly now: () => number;
  /** A call settled; the guest may take it now. */
  readonly onReady: () => void;
}

/** Start and end of a call, for progress. */
export type CallEvent =
  | { readonly type: "start"; readonly id: number; readonly name: string; readonly input: unknown }
  | {
      readonly type: "end";
      readonly id: number;
      readonly name: string;
      readonly ok: boolean;
      readonly durationMs: number;
      /** Characters the result has on its way into the guest. */
      readonly resultChars: number;
    };

interface QueuedCall {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
  readonly target: HostFunction;
}

export class Bridge {
  readonly #options: BridgeOptions;
  readonly #controller = new AbortController();
  readonly #running = new Map<number, string>();
  readonly #queue: QueuedCall[] = [];
  readonly #gated: PausedCall[] = [];
  #settled: string[] = [];
  #closed = false;
  /** Calls started, refused ones not included. */
  calls = 0;
  #attempted = 0;

  constructor(options: BridgeOptions, calls = 0) {
    this.#options = options;
    this.calls = calls;
    this.#attempted = calls;
  }

  /** Names of the calls that run or queue. */
  get inFlight(): string[] {
    return [...this.#running.values(), ...this.#queue.map((call) => call.name)];
  }

  get gated(): readonly PausedCall[] {
    return this.#gated;
  }

  get hasSettled(): boolean {
    return this.#settled.length > 0;
  }

  /** Everything that settled since, as one text for the guest. */
  takeSettled(): string {
    const batch = this.#settled.join("");
    this.#settled = [];
    return batch;
  }

  /** The guest called a host function: `id`, name and encoded argument, separated by newlines. */
  start(request: string): void {
    const first = request.indexOf("\n");
    const second = request.indexOf("\n", first + 1);
    const id = Number(request.slice(0, first));
    const name = request.slice(first + 1, second);
    try {
      this.#admit(id, name, request.slice(second + 1));
    } catch (error) {
      this.#settle(id, "!", error);
    }
  }

  /** @throws what the guest gets instead of a call. */
  #admit(id: number, name: string, argument: string): void {
    const { tools, limits, isGated, describeError } = this.#options;
    const target = this.#find(name);
    if (!target) throw new TypeError(`There is no tool named ${name} any more.`);
    this.#attempted++;
    if (limits.maxHostCalls !== null && tools.get(name) && this.#attempted > limits.maxHostCalls) {
      const text = `PTC call budget exceeded (limit=${limits.maxHostCalls}, attempted=${this.#attempted}, function=${name})`;
      throw new Error(`${text}. ${this.calls} calls ran.`);
    }
    if (argument.length > limits.maxValueChars) {
      throw new RangeError(`The argument of ${name} is larger than ${limits.maxValueChars} characters.`);
    }
    const input = argument === "" ? undefined : decodeValue(argument);
    this.calls++;
    let gated = false;
    try {
      gated = isGated?.(name, input) ?? false;
    } catch (error) {
      throw describeError(error, name);
    }
    if (gated) this.#gated.push({ id, name, input });
    else this.#enqueue({ id, name, input, target });
  }

  #find(name: string): HostFunction | undefined {
    return this.#options.globals.get(name) ?? this.#options.tools.get(name);
  }

  /** Runs a call that was gated and has been approved, possibly with another input. */
  release(call: PausedCall): void {
    const target = this.#find(call.name);
    if (target) this.#enqueue({ ...call, target });
    else this.#settle(call.id, "!", new TypeError(`There is no tool named ${call.name} any more.`));
  }

  /** Waits again for a call whose approval is still open. */
  hold(call: PausedCall): void {
    this.#gated.push(call);
  }

  /** Settles a call without running it. */
  reject(id: number, error: unknown): void {
    this.#settle(id, "!", error);
  }

  resolve(id: number, value: unknown): void {
    this.#settle(id, "=", value);
  }

  /** The eval is over: tells running calls through their signal and ignores what they answer. */
  close(reason: unknown): void {
    this.#closed = true;
    this.#queue.length = 0;
    if (this.#running.size > 0) this.#controller.abort(reason);
  }

  #enqueue(call: QueuedCall): void {
    const limit = this.#options.limits.maxConcurrentCalls;
    if (limit !== null && this.#running.size >= limit) this.#queue.push(call);
    else void this.#run(call);
  }

  /** Never rejects: every outcome becomes a settlement. */
  async #run({ id, name, input, target }: QueuedCall): Promise<void> {
    const { onCall, describeError } = this.#options;
    this.#running.set(id, name);
    const started = this.#options.now();
    notify(onCall, { type: "start", id, name, input });
    let ok = true;
    let outcome: unknown;
    try {
      outcome = await target(input, { id, name, signal: this.#controller.signal });
    } catch (error) {
      ok = false;
      outcome = error;
    }
    if (this.#closed || !this.#running.delete(id)) return;
    const durationMs = this.#options.now() - started;
    const resultChars = ok
      ? this.#settle(id, "=", outcome)
      : this.#settle(id, "!", describeError(outcome, name));
    notify(onCall, { type: "end", id, name, ok, durationMs, resultChars });
    const next = this.#queue.shift();
    if (next) void this.#run(next);
  }

  /** Answers how many characters the value takes. */
  #settle(id: number, mark: "=" | "!", value: unknown): number {
    if (this.#closed) return 0;
    let text: string;
    try {
      text = value === undefined ? "" : encodeValue(value);
      if (text.length > this.#options.limits.maxValueChars) {
        mark = "!";
        text = encodeValue(
          new RangeError(
            `The result is ${text.length} characters, more than the ${this.#options.limits.maxValueChars} that fit. Ask for less.`,
          ),
        );
      }
    } catch (error) {
      mark = "!";
      text = encodeValue(
        new TypeError(
          `The result could not be passed on: ${error instanceof Error ? error.message : "unknown"}`,
        ),
      );
    }
    this.#settled.push(`${id}${mark}${text.length}\n${text}`);
    this.#options.onReady();
    return text.length;
  }
}

/** Observers are not part of the eval: what they throw is theirs. */
function notify(listener: ((event: CallEvent) => void) | undefined, event: CallEvent): void {
  try {
    listener?.(event);
  } catch {
    // Nothing to tell: the call itself goes on.
  }
}
