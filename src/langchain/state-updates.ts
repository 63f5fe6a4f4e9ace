/** State updates of the tools that one eval called, kept in call order until the eval's own result carries them. */
import type { StateWrite } from "./tool-result.js";

/** Whether a key's channel merges what is written (a reducer) or holds the last value. */
export type WriteKind = "merged" | "last";

export interface StateUpdates {
  /** Adds the writes of one call. `call` counts the calls as code started them; they may end in any order. */
  add(call: number, writes: readonly StateWrite[]): void;
  /**
   * All of them as a list for `Command.update`. A key whose channel holds one value appears once, with the last
   * value written: LangGraph refuses a step that writes such a key twice, and the run with it.
   */
  list(): StateWrite[];
  readonly empty: boolean;
}

/**
 * @param earlier Writes of the same eval from before it was paused.
 * @param kindOf What is known about a key. @default merged, but for the keys of LangChain's and deepagents' own
 * middleware that are known to hold one value.
 */
export function collectUpdates(
  kindOf: (key: string) => WriteKind | undefined = () => undefined,
  earlier: readonly StateWrite[] = [],
): StateUpdates {
  const calls = new Map<number, StateWrite[]>();
  const inOrder = () => [...earlier, ...[...calls].sort(([a], [b]) => a - b).flatMap(([, writes]) => writes)];
  return {
    add(call, writes) {
      const own = writes.filter(([key]) => key !== "messages");
      if (own.length > 0) calls.set(call, [...(calls.get(call) ?? []), ...own]);
    },
    list() {
      const writes = inOrder();
      const last = new Map<string, StateWrite>();
      for (const write of writes) last.set(write[0], write);
      return writes.filter((write) => {
        const kind = kindOf(write[0]) ?? (singleValueKeys.has(write[0]) ? "last" : "merged");
        return kind === "merged" || last.get(write[0]) === write;
      });
    },
    get empty() {
      return earlier.length === 0 && calls.size === 0;
    },
  };
}

const singleValueKeys = new Set([
  "todos",
  "structuredResponse",
  "skillsMetadata",
  "memoryContents",
  "threadModelCallCount",
  "runModelCallCount",
  "jumpTo",
]);

/**
 * What a key's channel does, read from one write: after `value` was written, a channel that holds the last value
 * gives that very object back, while a reducer makes a new one. Equal primitives say nothing, so they count as last,
 * which is also what a reducer that replaces would do.
 */
export function classifyWrite(value: unknown, stateAfterwards: unknown): WriteKind {
  return Object.is(value, stateAfterwards) ? "last" : "merged";
}
