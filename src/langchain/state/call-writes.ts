/**
 * What the calls of one eval write to the agent's state, in the order of the calls: a reducer whose outcome depends on
 * the order gives the same whichever call ended first. Data and rules only; `graph-state.ts` hands it to LangGraph.
 */
import type { StateWrite } from "../tools/tool-result.js";
import { ToolFailure } from "../tools/tool-result.js";

/** Whether a key's channel merges what is written (a reducer) or holds one value. */
export type KeyKind = "merged" | "single";

/** One write, of the call with this number. */
export type CallWrite = readonly [call: number, key: string, value: unknown];

/** The list with the writes of a call at the call's place, behind what the same call wrote before. */
export function insertWrites(
  list: readonly CallWrite[],
  call: number,
  writes: readonly StateWrite[],
): CallWrite[] {
  const behind = list.findIndex(([other]) => other > call);
  const added = writes.map(([key, value]): CallWrite => [call, key, value]);
  return behind === -1 ? [...list, ...added] : [...list.slice(0, behind), ...added, ...list.slice(behind)];
}

/**
 * As LangGraph takes them in one step: of a key that holds one value only the last write, because a second one makes
 * it refuse the step; a reducer's value that is set outright (`Overwrite`) in front of what came before it, which it
 * makes void.
 *
 * @throws {ToolFailure} where LangGraph would drop a write without a word.
 */
export function toStepWrites(list: readonly CallWrite[], kindOf: (key: string) => KeyKind): StateWrite[] {
  const byKey = new Map<string, unknown[]>();
  for (const [, key, value] of list) {
    const values = byKey.get(key);
    if (values) values.push(value);
    else byKey.set(key, [value]);
  }
  return [...byKey].flatMap(([key, values]) => {
    if (kindOf(key) === "single") return [[key, values.at(-1)] as const];
    const set = values.findLastIndex(isOverwrite);
    if (set === -1) return values.map((value) => [key, value] as const);
    if (set < values.length - 1) throw new ToolFailure(overwritten(key));
    const last = values[set];
    const earlier = values.slice(0, set).map((value) => (isOverwrite(value) ? overwriteValue(value) : value));
    return [last, ...earlier].map((value) => [key, value] as const);
  });
}

/** LangGraph's mark of a value that takes the place of what a reducer holds, in the form that survives JSON. */
export function overwrite(value: unknown): object {
  return { __overwrite__: value };
}

interface Overwrite {
  readonly __overwrite__?: unknown;
  readonly value?: unknown;
}

function isOverwrite(value: unknown): value is Overwrite {
  if (typeof value !== "object" || value === null) return false;
  return "__overwrite__" in value || ("type" in value && value.type === "__overwrite__" && "value" in value);
}

function overwriteValue(value: Overwrite): unknown {
  return "__overwrite__" in value ? value.__overwrite__ : value.value;
}

function overwritten(key: string): string {
  return `Of calls side by side, one sets "${key}" of the agent's state outright and one behind it adds to it, which LangGraph cannot do in one step: an update would be lost. Make the later call in the next message.`;
}
