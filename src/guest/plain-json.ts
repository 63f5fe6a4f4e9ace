/**
 * Plain data as the engine's own JSON: what it carries exactly and without shared references. Anything else, and
 * everything while guest code would speak for what JSON is asked for, is left to the table.
 */
import { readData, refuseProxy } from "./data-reads.js";
import {
  ArrayIsArray,
  ArrayPrototype,
  JSONStringify,
  NativeSet,
  ObjectGetPrototypeOf,
  ObjectKeys,
  ObjectPrototype,
  SetAdd,
  SetHas,
} from "./primordials.js";

const MAX_PLAIN_DEPTH = 100;

/** `undefined` for what is not plain data. */
export function toPlainJson(value: unknown, asData: boolean): string | undefined {
  const isPlain =
    isJsonPrimitive(value) ||
    (typeof value === "object" && isPlainObject(value as object, 0, undefined, asData));
  return isPlain ? JSONStringify(value) : undefined;
}

export function isJsonPrimitive(value: unknown): boolean {
  switch (typeof value) {
    case "string":
      return true;
    case "number":
      // Finite, and not -0: operators, for there may be very many of them.
      return value - value === 0 && (value !== 0 || 1 / value > 0);
    case "boolean":
      return true;
    default:
      return value === null;
  }
}

/** @param seen Made with the first object inside another: most values are one object, which needs none. */
function isPlainObject(
  value: object,
  depth: number,
  seen: Set<object> | undefined,
  asData: boolean,
): boolean {
  if (asData) refuseProxy(value);
  const prototype: unknown = ObjectGetPrototypeOf(value);
  const items = prototype === ArrayPrototype && ArrayIsArray(value) ? (value as unknown[]) : undefined;
  if (!items && prototype !== ObjectPrototype) return false;
  // JSON asks every object for this method, and pushes what it has open onto an ordinary array: one item per level.
  if ("toJSON" in value || depth in ArrayPrototype) return false;
  const keys = items ?? ObjectKeys(value);
  let met = seen;
  for (let index = 0; index < keys.length; index++) {
    const key = items ? index : (keys[index] as string);
    const item = asData ? readData(value, key) : (value as Record<PropertyKey, unknown>)[key];
    if (isJsonPrimitive(item)) continue;
    if (typeof item !== "object" || depth === MAX_PLAIN_DEPTH) return false;
    if (!met) {
      met = new NativeSet();
      SetAdd(met, value);
    }
    if (SetHas(met, item as object)) return false;
    SetAdd(met, item as object);
    if (!isPlainObject(item as object, depth + 1, met, asData)) return false;
  }
  return true;
}
