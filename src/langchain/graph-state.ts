/**
 * The agent's state as code sees it while it runs: what the step began with, and on top of it what tools called from
 * code have written since, through the state's own reducers. LangGraph hands every task a function to write and one
 * to read; nothing here depends on where the code is called from.
 */

import { classifyWrite } from "./state-updates.js";
import type { StateWrite } from "./tool-result.js";
import { ToolFailure } from "./tool-result.js";

type State = Readonly<Record<string, unknown>>;

/** The parts of a run's `configurable` that are used; all internal to LangGraph, all stable since 0.2. */
interface Configurable {
  readonly __pregel_send?: (writes: StateWrite[]) => void;
  readonly __pregel_read?: (keys: readonly string[] | string, fresh: boolean) => unknown;
  readonly __pregel_scratchpad?: { readonly currentTaskInput?: unknown };
}

export interface GraphState {
  /** The state with every write so far. */
  current(): State;
  /**
   * Applies the writes of one call at once. Where a key holds one value, a later write replaces the earlier: LangGraph
   * refuses a step that writes such a key twice.
   *
   * @throws {ToolFailure} for a key that this agent's state does not have, before anything is written.
   */
  write(writes: readonly StateWrite[]): void;
  /** Everything written, to be written again when the step starts anew after a pause. */
  writes(): StateWrite[];
  /** The config for a call: `state` and LangGraph's task input are those of now. */
  configFor<Config extends object>(config: Config): Config & { readonly state: State };
}

/** Undefined outside a graph, where there is no state to write. */
export function graphState(config: { readonly configurable?: unknown }): GraphState | undefined {
  const {
    __pregel_send: send,
    __pregel_read: read,
    __pregel_scratchpad: scratchpad,
  } = (config.configurable as Configurable | undefined) ?? {};
  if (send === undefined || read === undefined) return undefined;
  const input = (scratchpad?.currentTaskInput ?? {}) as State;
  const written: StateWrite[] = [];
  /** The entry LangGraph holds for a key of one value: it is kept by reference until the step ends. */
  const single = new Map<string, [string, unknown]>();
  const merged = new Set<string>();

  const current = (): State => {
    const keys = [...new Set([...merged, ...single.keys()])];
    return keys.length === 0 ? input : { ...input, ...(read(keys, true) as State) };
  };

  return {
    current,
    write(writes) {
      const own = writes.filter(([key]) => key !== "messages");
      for (const [key] of own) if (!isKey(key, read)) throw new ToolFailure(unknownKey(key));
      for (const [key, value] of own) {
        written.push([key, value]);
        const held = single.get(key);
        if (held !== undefined) {
          held[1] = value;
          continue;
        }
        const entry: [string, unknown] = [key, value];
        send([entry]);
        if (merged.has(key)) continue;
        if (classifyWrite(value, read(key, true)) === "merged") merged.add(key);
        else single.set(key, entry);
      }
    },
    writes: () => [...written],
    configFor(base) {
      const state = current();
      const { configurable } = base as { configurable?: object };
      // Counters and answers of interrupts live in the scratchpad and are shared, so it is inherited, not copied.
      const fresh = Object.create(scratchpad ?? null, {
        currentTaskInput: { value: state, enumerable: true },
      });
      return { ...base, state, configurable: { ...configurable, __pregel_scratchpad: fresh } };
    },
  };
}

/** LangGraph drops a write to a key without a channel, with a warning to the console; reading one by itself throws. */
function isKey(key: string, read: NonNullable<Configurable["__pregel_read"]>): boolean {
  try {
    read(key, false);
    return true;
  } catch {
    return false;
  }
}

function unknownKey(key: string): string {
  return `The tool writes "${key}" to the agent's state, which this agent does not have: its update would be lost.`;
}
