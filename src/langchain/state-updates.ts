/** Whether a key's channel merges what is written (a reducer) or holds the last value. */
export type WriteKind = "merged" | "last";

/**
 * What a key's channel does, read from one write: after `value` was written, a channel that holds the last value
 * gives that very object back, while a reducer makes a new one. Equal primitives say nothing, so they count as last,
 * which is also what a reducer that replaces would do.
 */
export function classifyWrite(value: unknown, stateAfterwards: unknown): WriteKind {
  return Object.is(value, stateAfterwards) ? "last" : "merged";
}
