/** JSON of lists and records that the prelude made, whatever the guest did to the prototypes they have. */

import { newList } from "./lists.js";
import {
  ArrayIsArray,
  ArrayJoin,
  ArrayPrototype,
  JSONStringify,
  ObjectKeys,
  ObjectPrototype,
} from "./primordials.js";

/**
 * True when guest code would speak for lists and records: a `toJSON` somewhere up the chain, or a setter for an index
 * (`JSON.stringify` pushes what it has open onto an ordinary array, one item per level).
 */
export function isJsonTaken(): boolean {
  // One line, no loop: every call of a tool asks.
  const it = ArrayPrototype;
  if ("toJSON" in ObjectPrototype || "toJSON" in it) return true;
  return 0 in it || 1 in it || 2 in it || 3 in it || 4 in it || 5 in it || 6 in it || 7 in it;
}

/** `value` is made of lists, records and primitives of the prelude's own. */
export function toOwnJson(value: unknown): string {
  return isJsonTaken() ? write(value) : JSONStringify(value);
}

/** The same without `JSON.stringify`, but for primitives. The prelude's own data is shallow: it recurses. */
function write(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSONStringify(value);
  const parts = newList<string>();
  if (ArrayIsArray(value)) {
    for (let index = 0; index < value.length; index++) parts[index] = write(value[index]);
    return `[${ArrayJoin(parts, ",")}]`;
  }
  const keys = ObjectKeys(value);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    parts[index] = `${JSONStringify(key)}:${write((value as Record<string, unknown>)[key])}`;
  }
  return `{${ArrayJoin(parts, ",")}}`;
}
