/** Data properties by definition, never assignment: a setter up the chain, or `__proto__`, would have its say. */
import { ObjectCreate, ObjectDefineProperty } from "./primordials.js";

/** A property that can be written and configured. No default for the last: it would cost every property that is read. */
export function defineData(target: object, key: PropertyKey, value: unknown, enumerable: boolean): void {
  const descriptor = ObjectCreate(null) as PropertyDescriptor;
  descriptor.value = value;
  descriptor.enumerable = enumerable;
  descriptor.writable = true;
  descriptor.configurable = true;
  ObjectDefineProperty(target, key, descriptor);
}

/** What nothing assigns to: the name of a function, the `Symbol.toStringTag` of a built-in prototype. */
export function defineConstant(target: object, key: PropertyKey, value: unknown): void {
  const descriptor = ObjectCreate(null) as PropertyDescriptor;
  descriptor.value = value;
  descriptor.configurable = true;
  ObjectDefineProperty(target, key, descriptor);
}
