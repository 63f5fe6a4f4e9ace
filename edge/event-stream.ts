/** Server-sent events of one run, read from its log: from any point, by any number of clients. */
import type { RunLog } from "./run-log.js";
import type { StreamMode } from "./run-request.js";
import { writeText } from "./text-chunks.js";

export interface EventStreamOptions {
  /** Events after this one. */
  readonly after: number;
  /** Only these modes; undefined for all. */
  readonly modes?: readonly StreamMode[] | undefined;
  /** True once nothing more will be appended. */
  isFinished(): boolean;
  onDisconnect?: (() => void) | undefined;
}

/**
 * How often a quiet stream says that it lives, so that no proxy takes it for dead; the SDK learns its idle timeout from
 * this. It is also how a departed client is noticed where `request.signal` does not say so, hence sooner if it matters.
 */
export const heartbeatMs = (onDisconnect: unknown): number => (onDisconnect ? 2_000 : 10_000);

export function eventStream(
  log: RunLog,
  runId: string,
  options: EventStreamOptions,
): ReadableStream<Uint8Array> {
  // A pipe and not a ReadableStream of our own: workerd does not call `cancel` while `pull` waits, but a write to a
  // client that has left fails, so its departure is noticed with the next event or heartbeat at the latest.
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  pump(log, runId, options, writer).catch((reason: unknown) =>
    breakOff(writer, reason, options.onDisconnect),
  );
  return readable;
}

/** After a write failed (the client left) or a read did (the client must not take the stream for complete). */
export function breakOff(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  reason: unknown,
  onDisconnect: (() => void) | undefined,
): void {
  writer.abort(reason).catch(() => {});
  onDisconnect?.();
}

async function pump(
  log: RunLog,
  runId: string,
  options: EventStreamOptions,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  const heartbeat = heartbeatMs(options.onDisconnect);
  let seq = options.after;
  for (;;) {
    // Asked before reading, so that an end between the two is seen in the next round.
    const finished = options.isFinished();
    const events = log.read(runId, seq);
    if (events.length > 0) {
      seq = events.at(-1)!.seq;
      const frames = events
        .filter((event) => isWanted(event.name, options.modes))
        .map(({ seq: id, name, data }) => `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`);
      // Waits for the client to take it: a slow client holds back its own stream and nothing else.
      if (frames.length > 0) await writeText(writer, frames.join(""));
    } else if (finished) {
      return writer.close();
    } else if (!(await changedWithin(log, runId, heartbeat))) {
      await writeText(writer, ": heartbeat\n\n");
    }
  }
}

/** Whether the run changed before the time was up. */
export async function changedWithin(log: RunLog, runId: string, ms: number): Promise<boolean> {
  const changed = log.changed(runId);
  const stop = new AbortController();
  const timeUp = scheduler.wait(ms, { signal: stop.signal }).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([changed.promise.then(() => true), timeUp]);
  } finally {
    stop.abort();
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
