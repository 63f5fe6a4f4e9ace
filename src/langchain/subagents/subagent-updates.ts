/**
 * What a subagent changed. It hands back its whole state, most of which it was only given: put through the reducers, an
 * old value would win over what a subagent beside it has changed, and a list would be added to itself.
 */
import type { StateWrite } from "../tools/tool-result.js";

type State = Readonly<Record<string, unknown>>;

/**
 * @param given The agent's state when the subagent began; several where it went on after a pause, the oldest first.
 */
export function changesOf(updates: readonly StateWrite[], ...given: readonly State[]): StateWrite[] {
  return updates.flatMap(([key, value]): StateWrite[] => {
    if (given.some((state) => sameData(value, state[key]))) return [];
    const before = given.map((state) => state[key]);
    if (key === "files" && [value, ...before].every(isFiles)) {
      const files = changedFiles(value as Files, before as Files[]);
      return Object.keys(files).length === 0 ? [] : [[key, files]];
    }
    return [[key, value]];
  });
}

type Files = Readonly<Record<string, unknown>>;

/** The files of Deep Agents: contents by path. Its reducer merges them, and `null` removes one. */
function isFiles(value: unknown): value is Files {
  return isRecord(value) && Object.values(value).every((file) => isRecord(file) && "content" in file);
}

function changedFiles(files: Files, before: readonly Files[]): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const [path, file] of Object.entries(files))
    if (!before.some((earlier) => sameData(file, earlier[path]))) changed[path] = file;
  for (const path of Object.keys(before[0] ?? {})) if (!Object.hasOwn(files, path)) changed[path] = null;
  return changed;
}

/** Of plain data; anything else is the same only if it is the very object. */
function sameData(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => sameData(item, right[index]));
  if (!isRecord(left) || !isRecord(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameData(left[key], right[key]))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
