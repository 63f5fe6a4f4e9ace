/** `AbortController` and `AbortSignal`. A timeout is the only thing here that needs the timers of the session. */
import { describeInstancesOf } from "../instance-text.js";
import { ArrayPush, NativeError, NativeRangeError, NativeTypeError, ReflectApply } from "../primordials.js";
import { defineClass, requireArguments } from "./define.js";
import { GuestDOMException } from "./dom-exception.js";
import { dispatch, GuestEvent, GuestEventTarget, listen } from "./events.js";

const token = {};
let abortSignal: (signal: GuestAbortSignal, reason: unknown) => void;
let isAborted: (signal: GuestAbortSignal) => boolean;
const newSignal = () => new GuestAbortSignal(token);

const aborted = () => new GuestDOMException("This operation was aborted", "AbortError");

class GuestAbortSignal extends GuestEventTarget {
  #aborted = false;
  #reason: unknown = undefined;
  #handler: ((event: GuestEvent) => unknown) | null = null;
  #listens = false;
  readonly #followers: GuestAbortSignal[] = [];

  constructor(key?: unknown) {
    if (key !== token) throw new NativeTypeError("Illegal constructor: use new AbortController().signal");
    super();
  }

  static {
    isAborted = (signal) => signal.#aborted;
    // Every dependent signal is aborted before the first listener runs, dependents of dependents included.
    abortSignal = (signal, reason) => {
      if (signal.#aborted) return;
      const marked = [signal];
      signal.#mark(reason);
      for (let i = 0; i < marked.length; i++) {
        const followers = marked[i]!.#followers;
        for (let j = 0; j < followers.length; j++) {
          if (followers[j]!.#aborted) continue;
          followers[j]!.#mark(signal.#reason);
          ArrayPush(marked, followers[j]);
        }
        followers.length = 0;
      }
      for (let i = 0; i < marked.length; i++) marked[i]!.#fire();
    };
  }

  #mark(reason: unknown): void {
    this.#aborted = true;
    this.#reason = reason === undefined ? aborted() : reason;
  }

  #fire(): void {
    dispatch(this, new GuestEvent("abort"));
  }

  get aborted(): boolean {
    return this.#aborted;
  }
  get reason(): unknown {
    return this.#reason;
  }
  get onabort(): unknown {
    return this.#handler;
  }
  set onabort(handler: unknown) {
    this.#handler = typeof handler === "function" ? (handler as () => unknown) : null;
    if (this.#listens) return;
    this.#listens = true;
    // The handler has the place among the listeners that it was first set at.
    listen(this, "abort", (event) => {
      if (this.#handler !== null) ReflectApply(this.#handler, this, [event]);
    });
  }
  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  static abort(reason?: unknown): GuestAbortSignal {
    const signal = newSignal();
    signal.#mark(reason);
    return signal;
  }

  static timeout(milliseconds: unknown): GuestAbortSignal {
    requireArguments("AbortSignal.timeout", arguments.length, 1);
    const delay = +(milliseconds as number);
    if (!(delay >= 0 && delay <= 9007199254740991))
      throw new NativeRangeError("AbortSignal.timeout: the time must be a number of milliseconds, 0 or more");
    const signal = newSignal();
    const { setTimeout } = globalThis as unknown as {
      setTimeout?: (callback: () => void, ms: number) => unknown;
    };
    if (setTimeout === undefined) throw new NativeError("AbortSignal.timeout: there are no timers here");
    setTimeout(() => {
      abortSignal(signal, new GuestDOMException("The operation was aborted due to timeout", "TimeoutError"));
    }, delay);
    return signal;
  }

  static any(signals: Iterable<unknown>): GuestAbortSignal {
    requireArguments("AbortSignal.any", arguments.length, 1);
    const sources: GuestAbortSignal[] = [];
    for (const signal of signals) {
      if (typeof signal !== "object" || signal === null || !(#followers in signal))
        throw new NativeTypeError("AbortSignal.any: every item must be an AbortSignal");
      ArrayPush(sources, signal);
    }
    const result = newSignal();
    for (let i = 0; i < sources.length; i++) {
      if (!sources[i]!.#aborted) continue;
      result.#mark(sources[i]!.#reason);
      return result;
    }
    for (let i = 0; i < sources.length; i++) ArrayPush(sources[i]!.#followers, result);
    return result;
  }
}

class GuestAbortController {
  readonly #signal = newSignal();
  get signal(): GuestAbortSignal {
    return this.#signal;
  }
  abort(reason?: unknown): void {
    abortSignal(this.#signal, reason);
  }
}

export function installAbort(): void {
  defineClass(globalThis, "AbortController", GuestAbortController);
  defineClass(globalThis, "AbortSignal", GuestAbortSignal);
  describeInstancesOf(
    GuestAbortSignal.prototype,
    (signal) => `AbortSignal, ${isAborted(signal as GuestAbortSignal) ? "" : "not "}aborted`,
  );
}
