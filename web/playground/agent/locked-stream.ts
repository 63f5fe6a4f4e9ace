/** A run that holds its thread's lock: no other tab of this site works on the thread meanwhile. */
import { withThreadLock } from "../../thread-lock.js";

/** @throws {StoreError} `STORE_CONFLICT` when another tab has the thread, or took it over. */
export async function* lockedStream<Event>(
  threadId: string,
  mode: "try" | "take",
  signal: AbortSignal,
  run: (signal: AbortSignal) => AsyncIterable<Event>,
): AsyncGenerator<Event> {
  let release = () => {};
  let lock: Promise<void> = Promise.resolve();
  const lost = await new Promise<AbortSignal>((granted, refused) => {
    const body = (held: AbortSignal) =>
      new Promise<void>((done) => {
        release = done;
        granted(held);
      });
    lock = withThreadLock(threadId, body, { mode });
    lock.catch(refused);
  });
  try {
    yield* run(AbortSignal.any([signal, lost]));
  } catch (error) {
    // The run only says that it was aborted; the lock knows by whom.
    if (lost.aborted) await lock;
    throw error;
  } finally {
    release();
    await lock.catch(() => {});
  }
  if (lost.aborted) await lock;
}
