/**
 * Repairs an engine fault: ending an iterator helper early (`array.values().map(f).take(1)`, `break` in a loop
 * over one) calls `return` of the iterator below even where there is none, as arrays, maps and sets have none,
 * and throws "not a function".
 *
 * Nothing tells from outside which iterator lies below, so the engine's own error is recognised: it is the only
 * one with that message whose innermost frame is the native `return`.
 */
import {
  NativeTypeError,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ReflectApply,
  StringIndexOf,
} from "../primordials.js";
import { defineBuiltin } from "./define.js";

const helperPrototype = ObjectGetPrototypeOf([].values().map((item) => item)) as object;
const nativeReturn = ObjectGetOwnPropertyDescriptor(helperPrototype, "return")!.value as () => unknown;
const TypeErrorPrototype = NativeTypeError.prototype;

function isTheFault(error: unknown): boolean {
  if (typeof error !== "object" || error === null || ObjectGetPrototypeOf(error) !== TypeErrorPrototype)
    return false;
  const message = ObjectGetOwnPropertyDescriptor(error, "message")?.value as unknown;
  const stack = ObjectGetOwnPropertyDescriptor(error, "stack")?.value as unknown;
  return (
    message === "not a function" &&
    typeof stack === "string" &&
    StringIndexOf(stack, "    at return (native)") === 0
  );
}

const methods = {
  return(this: unknown): unknown {
    try {
      return ReflectApply(nativeReturn, this, []);
    } catch (error) {
      if (isTheFault(error)) return { value: undefined, done: true };
      throw error;
    }
  },
};

export function installIteratorReturn(): void {
  defineBuiltin(helperPrototype, "return", methods.return);
}
