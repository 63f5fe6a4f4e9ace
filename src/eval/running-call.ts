/** A call of a host function from guest code, from the moment it may run. */
import type { HostCallContext, HostFunction } from "./host-functions.js";

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

/** It runs as soon as there is room for one more. */
export interface QueuedCall {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
  readonly target: HostFunction;
  /** Size of the argument in its encoded form. */
  readonly chars: number;
}

/** What a host function is told about its call. The signal is made when it is asked for: most functions never do. */
export class RunningCall implements HostCallContext {
  readonly id: number;
  readonly name: string;
  #controller: AbortController | undefined;
  #reason: unknown;

  constructor(id: number, name: string) {
    this.id = id;
    this.name = name;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  end(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/** Observers are not part of the eval: what they throw is theirs. */
export function notify(listener: ((event: CallEvent) => void) | undefined, event: CallEvent): void {
  try {
    listener?.(event);
  } catch {
    // Nothing to tell: the call itself goes on.
  }
}
