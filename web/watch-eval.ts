/** Ends the worker of an eval that neither its limits nor an abort can end. */
import type { WireState } from "../src/protocol.js";
import type { SessionConnection } from "./session-connection.js";

/** The eval was ended with its thread. */
export class Overrun extends Error {
  readonly failure: "TIMEOUT" | "ABORTED";

  constructor(failure: "TIMEOUT" | "ABORTED", message: string) {
    super(message);
    this.failure = failure;
  }
}

export interface WatchOptions {
  readonly signal: AbortSignal | undefined;
  /** What the engine itself allows the guest. */
  readonly timeoutMs: number | null;
  /** What the worker may take beyond that, and after an abort, before it is ended. */
  readonly graceMs: number;
}

type Done = { readonly result: unknown; readonly state: WireState };

export async function watchEval(
  connection: SessionConnection,
  id: number,
  done: Promise<Done>,
  { signal, timeoutMs, graceMs }: WatchOptions,
): Promise<Done> {
  const allowed = timeoutMs === null ? Number.POSITIVE_INFINITY : timeoutMs + graceMs;
  connection.lastSign = performance.now();
  let isAsked = false;
  // A worker that waits for a tool answers; one whose guest runs does not, until the engine stops it.
  const watch = setInterval(() => {
    if (performance.now() - connection.lastSign > allowed) {
      const text = `the code did not end within ${timeoutMs} ms and could not be interrupted`;
      connection.close(new Overrun("TIMEOUT", text));
      return;
    }
    if (isAsked) return;
    isAsked = true;
    const answered = () => {
      isAsked = false;
    };
    // Closing the connection rejects; then nobody is left to ask.
    connection.request({ kind: "ping" }).done.then(answered, answered);
  }, graceMs / 2);
  let last: ReturnType<typeof setTimeout> | undefined;
  const abort = () => {
    connection.abort(id);
    const text = "the eval was aborted and its code could not be interrupted";
    last = setTimeout(() => connection.close(new Overrun("ABORTED", text)), graceMs);
  };
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  try {
    return await done;
  } finally {
    clearInterval(watch);
    clearTimeout(last);
    signal?.removeEventListener("abort", abort);
  }
}
