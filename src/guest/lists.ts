import { ObjectSetPrototypeOf } from "./primordials.js";

/**
 * An array for the prelude's own use. It has no prototype: a setter for an index on `Array.prototype` would take what
 * is put into an ordinary one.
 */
export function newList<T>(): T[] {
  return ObjectSetPrototypeOf([], null) as T[];
}
