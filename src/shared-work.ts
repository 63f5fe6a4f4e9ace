/**
 * Work that is done once for everybody in the process. In a Worker everybody is every Durable Object of the isolate,
 * and one that is evicted takes what it has begun with it: its promise never settles. So nobody waits for another's
 * work for ever, but does it again.
 */
import { platformTime, type Timekeeper } from "./clock.js";

const PATIENCE_MS = 2000;

/** The result once there is one; else what `work` comes to, or what somebody else has begun. Failures are forgotten. */
export type SharedWork<Result> = (work: () => Promise<Result>) => Promise<Result>;

export function shareWork<Result>(time: Timekeeper = platformTime): SharedWork<Result> {
  let done: { readonly result: Result } | undefined;
  let begun: Promise<Result> | undefined;
  const begin = (work: () => Promise<Result>): Promise<Result> => {
    const mine = work().then(
      (result) => {
        done ??= { result };
        return done.result;
      },
      (error: unknown) => {
        if (begun === mine) begun = undefined;
        throw error;
      },
    );
    begun = mine;
    return mine;
  };
  return async (work) => {
    if (done) return done.result;
    if (!begun) return begin(work);
    let cancel = () => {};
    const late = new Promise<"late">((resolve) => {
      cancel = time.after(PATIENCE_MS, () => resolve("late"));
    });
    try {
      const first = await Promise.race([begun.then((result) => ({ result })), late]);
      if (first !== "late") return first.result;
    } finally {
      cancel();
    }
    return begin(work);
  };
}
