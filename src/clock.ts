/**
 * Time for deadlines. The guest gets none of it: its own `Date` has a clock only when the `clock` option gives one.
 * Tests pass one that they move by hand, or that never moves, as in a deployed Worker while code runs.
 */
export interface Timekeeper {
  /** Milliseconds from any fixed point. */
  now(): number;
  /** Calls back after `ms`; the returned function cancels. */
  after(ms: number, callback: () => void): () => void;
}

export const platformTime: Timekeeper = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
