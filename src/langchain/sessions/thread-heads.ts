/**
 * The latest state of a thread where no checkpointer keeps the graph's state: in the snapshot store, where other tabs
 * and processes find it too, or in this process.
 */
import { InterpreterError } from "../../errors.js";
import type { SnapshotStore } from "../../store.js";
import { type InterpreterState, toInterpreterState } from "../state/interpreter-state.js";
import { headKey } from "./snapshot-keys.js";

export interface ThreadHead {
  readonly state: InterpreterState | undefined;
  /** What a write of the next one has to replace; `null`: there is none yet. */
  readonly token: string | null;
}

export interface ThreadHeads {
  read(thread: string): Promise<ThreadHead>;
  /** The token of what was written, or undefined when somebody else wrote since `replaces`. */
  write(thread: string, state: InterpreterState, replaces: string | null): Promise<string | undefined>;
}

export function storedHeads(store: SnapshotStore): ThreadHeads {
  return {
    async read(thread) {
      const stored = await store.get(headKey(thread));
      if (!stored) return { state: undefined, token: null };
      return { state: parse(stored.bytes), token: stored.version };
    },
    async write(thread, state, replaces) {
      const bytes = new TextEncoder().encode(JSON.stringify({ ...state, tools: undefined }));
      try {
        return await store.put(headKey(thread), bytes, { replaces });
      } catch (error) {
        if (InterpreterError.isInstance(error) && error.code === "STORE_CONFLICT") return undefined;
        throw error;
      }
    },
  };
}

/** One process has one newest state per thread, so nobody is ever overtaken. */
export function processHeads(): ThreadHeads {
  const states = new Map<string, InterpreterState>();
  return {
    read: async (thread) => ({ state: states.get(thread), token: states.has(thread) ? "" : null }),
    write: async (thread, state) => {
      states.set(thread, state);
      return "";
    },
  };
}

/** A head that cannot be read is as good as none: its snapshots are not found through anything else. */
function parse(bytes: Uint8Array): InterpreterState | undefined {
  try {
    return toInterpreterState(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}
