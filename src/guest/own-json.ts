/** JSON of lists and records that the prelude made, whatever the guest did to the prototypes they have. */
import {
  ArrayIsArray,
  ArrayPrototype,
  JSONStringify,
  ObjectKeys,
  ObjectPrototype,
  ObjectSetPrototypeOf,
} from "./primordials.js";

const hasProperty = Reflect.has;

/** True when a `toJSON` somewhere up the chain would speak for lists and records. */
export function isJsonTaken(): boolean {
  return hasProperty(ObjectPrototype, "toJSON") || hasProperty(ArrayPrototype, "toJSON");
}

/** `value` is made of fresh lists, records and primitives only; nobody else may have it. */
export function toOwnJson(value: unknown): string {
  if (isJsonTaken()) disinherit(value);
  return JSONStringify(value);
}

function disinherit(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  ObjectSetPrototypeOf(value, null);
  if (ArrayIsArray(value)) for (let index = 0; index < value.length; index++) disinherit(value[index]);
  else {
    const keys = ObjectKeys(value);
    for (let index = 0; index < keys.length; index++)
      disinherit((value as Record<string, unknown>)[keys[index]!]);
  }
}
