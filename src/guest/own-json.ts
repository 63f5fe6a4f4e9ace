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

/** Deeper than anything the prelude writes. */
const LEVELS = 8;

/**
 * True when guest code would speak for lists and records: a `toJSON` somewhere up the chain, or a setter for an index
 * (`JSON.stringify` pushes what it has open onto an ordinary array, one item per level).
 */
export function isJsonTaken(): boolean {
  if ("toJSON" in ObjectPrototype || "toJSON" in ArrayPrototype) return true;
  for (let level = 0; level < LEVELS; level++) if (level in ArrayPrototype) return true;
  return false;
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
