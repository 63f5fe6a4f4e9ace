import type { RunLog } from "./run-log.js";
import type { StreamMode } from "./run-request.js";

/** Server-sent events of one run, read from its log: from any point, by any number of clients. */

export interface EventStreamOptions {
  /** Events after this one. */
  readonly after: number;
  /** Only these modes; undefined for all. */
  readonly modes?: readonly StreamMode[] | undefined;
  /** True once nothing more will be appended. */
  isFinished(): boolean;
  onDisconnect?: (() => void) | undefined;
}

/** Comment lines that keep proxies from closing a quiet stream; the SDK learns its idle timeout from them. */
const HEARTBEAT_MS = 10_000;

export function eventStream(
  log: RunLog,
  runId: string,
  options: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let seq = options.after;
  let cancelled = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (!cancelled) {
        // Asked before reading, so that an end between the two is seen in the next round.
        const finished = options.isFinished();
        const events = log.read(runId, seq);
        if (events.length > 0) {
          seq = events.at(-1)!.seq;
          const wanted = events.filter((event) => isWanted(event.name, options.modes));
          if (wanted.length === 0) continue;
          const frames = wanted.map(
            ({ seq: id, name, data }) => `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`,
          );
          return controller.enqueue(encoder.encode(frames.join("")));
        }
        if (finished) return controller.close();
        if (!(await changedWithin(log, runId, HEARTBEAT_MS)) && !cancelled)
          return controller.enqueue(encoder.encode(": heartbeat\n\n"));
      }
    },
    cancel() {
      cancelled = true;
      log.notify(runId);
      options.onDisconnect?.();
    },
  });
}

/** Whether the run changed before the time was up. */
export async function changedWithin(log: RunLog, runId: string, ms: number): Promise<boolean> {
  const changed = log.changed(runId);
  let timer: number | null = null;
  const timeUp = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([changed.promise.then(() => true), timeUp]);
  } finally {
    clearTimeout(timer);
    changed.forget();
  }
}

/** `messages|tools:1` is of the mode `messages-tuple`, `messages/partial` of `messages`. */
function isWanted(name: string, modes: readonly StreamMode[] | undefined): boolean {
  if (!modes || name === "metadata" || name === "error" || name === "end") return true;
  const mode = name.split("|")[0]!;
  if (mode === "messages") return modes.includes("messages-tuple");
  return modes.includes(mode.split("/")[0] as StreamMode);
}
