import { invalidOption, StoreError } from "../src/errors.js";

export interface ThreadLockOptions {
  /**
   * When another tab has the thread: `"wait"` until it is done, `"try"` and give up at once with `STORE_CONFLICT`, or
   * `"take"` it away from that tab, whose `signal` is then aborted.
   *
   * @default "wait"
   */
  readonly mode?: "wait" | "try" | "take";
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/**
 * Runs `body` while no other tab of this site runs one for the same thread.
 *
 * `signal` is aborted when another tab takes the thread over; `body` should then stop and write nothing more. It is a
 * courtesy between tabs and not what keeps data safe: where there are no Web Locks (a page without HTTPS) `body` runs
 * at once, and a store's compare-and-set still refuses the slower of two writes.
 *
 * @throws {StoreError} `STORE_CONFLICT` when the thread is taken (`"try"`), or was taken away while `body` ran
 */
export async function withThreadLock<Result>(
  threadId: string,
  body: (signal: AbortSignal) => Promise<Result>,
  options: ThreadLockOptions = {},
): Promise<Result> {
  const { mode = "wait", signal } = options;
  if (mode !== "wait" && mode !== "try" && mode !== "take")
    throw invalidOption("mode", mode, '"wait", "try" or "take"');
  const lost = new AbortController();
  const locks = (globalThis.navigator as Navigator | undefined)?.locks;
  if (!locks) return body(lost.signal);
  let running = false;
  const request: LockOptions = { mode: "exclusive" };
  if (mode === "try") request.ifAvailable = true;
  if (mode === "take") request.steal = true;
  // The browser refuses a signal together with the other two, which do not wait anyway.
  if (mode === "wait" && signal) request.signal = signal;
  try {
    return await locks.request(`edge-interpreter:thread:${threadId}`, request, (lock) => {
      if (!lock) throw taken(threadId, "is in use in another tab");
      running = true;
      return body(lost.signal).finally(() => {
        running = false;
      });
    });
  } catch (error) {
    // The lock was stolen if `body` is still at it; otherwise the error is its own, or that of waiting.
    if (!running) throw error;
    lost.abort(error);
    throw taken(threadId, "was taken over by another tab", error);
  }
}

function taken(threadId: string, what: string, cause?: unknown): StoreError {
  const text = `The thread ${JSON.stringify(threadId)} ${what}.`;
  return new StoreError("STORE_CONFLICT", text, cause === undefined ? {} : { cause });
}
