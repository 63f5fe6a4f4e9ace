/**
 * The agent's state as code sees it while it runs: what the step began with, and on top of it what tools called from
 * code have written since, through the state's own reducers and in the order of the calls. LangGraph hands every task a
 * function to write and one to read; nothing here depends on where the code is called from.
 */

import type { StateWrite } from "../tools/tool-result.js";
import { ToolFailure } from "../tools/tool-result.js";
import { type CallWrite, insertWrites, type KeyKind, overwrite, toStepWrites } from "./call-writes.js";
import type { WritesSoFar } from "./sibling-writes.js";

type State = Readonly<Record<string, unknown>>;

/** The parts of a run's `configurable` that are used; all internal to LangGraph, all stable since 0.2. */
interface Configurable {
  readonly __pregel_send?: (writes: StateWrite[]) => void;
  readonly __pregel_read?: (keys: readonly string[] | string, fresh: boolean) => unknown;
  readonly __pregel_scratchpad?: { readonly currentTaskInput?: unknown };
}

export interface GraphState {
  /** The state that the step began with. */
  readonly input: State;
  /** The state with every write so far. */
  current(): State;
  /**
   * Applies the writes of one call at once, at the place its number has among those of the other calls.
   *
   * @throws {ToolFailure} for what would be lost: a key that this agent's state does not have, a value its reducer
   * refuses, an eval that has ended. Nothing is written then.
   */
  write(call: number, writes: readonly StateWrite[]): void;
  /** Takes back what a call wrote that will run once more. */
  withdraw(call: number): void;
  /** Everything written, to be restored when the step starts anew after a pause. */
  calls(): readonly CallWrite[];
  restore(calls: readonly CallWrite[]): void;
  /** The same as updates of a Command. */
  updates(): StateWrite[];
  /** The config for a call: `state` and LangGraph's task input are those of now, and what it sends is the call's. */
  configFor<Config extends object>(config: Config, call: number): Config & { readonly state: State };
  /** The eval has ended: what a call that was left behind still writes belongs to no step. */
  close(): void;
}

/** An entry that LangGraph passes over. */
const NOTHING = "__no_writes__";

/**
 * Undefined outside a graph, where there is no state to write.
 *
 * @param siblings What other evals of the same step have written: code sees it, LangGraph has it from them.
 */
export function graphState(
  config: { readonly configurable?: unknown },
  siblings: WritesSoFar = () => [],
): GraphState | undefined {
  const {
    __pregel_send: send,
    __pregel_read: read,
    __pregel_scratchpad: scratchpad,
  } = (config.configurable as Configurable | undefined) ?? {};
  if (send === undefined || read === undefined) return undefined;
  const input = (scratchpad?.currentTaskInput ?? {}) as State;
  const kinds = new Map<string, KeyKind>();
  /** LangGraph keeps these very pairs until the step ends, so what stands in them can still change. */
  const entries: [key: string, value: unknown][] = [];
  let written: readonly CallWrite[] = [];
  let state = input;
  let isClosed = false;

  const kindOf = (key: string): KeyKind => kinds.get(key) ?? "merged";

  const place = (writes: readonly StateWrite[]): void => {
    for (let index = 0; index < Math.max(entries.length, writes.length); index++) {
      const [key, value] = writes[index] ?? [NOTHING, null];
      const entry = entries[index];
      if (entry) [entry[0], entry[1]] = [key, value];
      else {
        const added: [string, unknown] = [key, value];
        entries.push(added);
        send([added]);
      }
    }
  };

  /** A reducer takes the value out of an `Overwrite`; a channel of one value holds whatever it was given. */
  const probe = (key: string): KeyKind => {
    const given = overwrite(kinds);
    try {
      place([...toStepWrites(written, kindOf), [key, given]]);
      return (read([key], true) as State)[key] === given ? "single" : "merged";
    } catch {
      return "merged";
    } finally {
      place(toStepWrites(written, kindOf));
    }
  };

  const stateWith = (calls: readonly CallWrite[]): State => {
    const others = siblings().flatMap(([key, value]): CallWrite[] =>
      isKey(key, read) ? [[0, key, value]] : [],
    );
    const keys = [...new Set([...others, ...calls].map(([, key]) => key))];
    if (keys.length === 0) return input;
    for (const key of keys) if (!kinds.has(key)) kinds.set(key, probe(key));
    place(toStepWrites([...others, ...calls], kindOf));
    return { ...input, ...(read(keys, true) as State) };
  };

  const apply = (next: readonly CallWrite[]): void => {
    try {
      state = stateWith(next);
      written = next;
    } catch (error) {
      throw error instanceof ToolFailure ? error : new ToolFailure(refusedText(error));
    } finally {
      place(toStepWrites(written, kindOf));
    }
  };

  const write = (call: number, writes: readonly StateWrite[]): void => {
    if (writes.length === 0) return;
    if (isClosed) throw new ToolFailure("The eval has ended.");
    for (const [key] of writes) if (!isKey(key, read)) throw new ToolFailure(unknownKey(key));
    const theirs = new Set(siblings().map(([key]) => key));
    for (const [key] of writes) {
      if (!kinds.has(key)) kinds.set(key, probe(key));
      if (theirs.has(key) && kindOf(key) === "single") throw new ToolFailure(writtenByOther(key));
    }
    apply(insertWrites(written, call, writes));
  };

  apply([]);

  return {
    input,
    current: () => state,
    write,
    withdraw(call) {
      if (written.some(([other]) => other === call)) apply(written.filter(([other]) => other !== call));
    },
    calls: () => written,
    restore: (calls) => apply(calls),
    updates: () => toStepWrites(written, kindOf),
    configFor(base, call) {
      const { configurable } = base as { configurable?: object };
      // Counters and answers of interrupts live in the scratchpad and are shared, so it is inherited, not copied.
      const fresh = Object.create(scratchpad ?? null, {
        currentTaskInput: { value: state, enumerable: true },
      });
      const sendFor = (writes: StateWrite[]): void => {
        const internal = writes.filter(([key]) => key.startsWith("__"));
        if (internal.length > 0) send(internal);
        const own = writes.filter(([key]) => !key.startsWith("__"));
        write(call, own);
      };
      return {
        ...base,
        state,
        configurable: { ...configurable, __pregel_scratchpad: fresh, __pregel_send: sendFor },
      };
    },
    close() {
      isClosed = true;
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

function writtenByOther(key: string): string {
  return `Another eval of this message has written "${key}" of the agent's state, which holds one value: one of the two would be lost. Make this call in the next message.`;
}

function refusedText(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The agent's state does not take what the tool writes to it: ${reason}`;
}
