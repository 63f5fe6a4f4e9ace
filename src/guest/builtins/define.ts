import { ObjectDefineProperty } from "../primordials.js";

/** Defines a built-in the way the language does: writable, configurable, not enumerable. */
export function defineBuiltin(owner: object, name: PropertyKey, value: unknown): void {
  ObjectDefineProperty(owner, name, {
    __proto__: null,
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor);
}
