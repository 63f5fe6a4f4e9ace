import { NativePromise, NativeTypeError, ObjectDefineProperty, PromiseThen } from "../primordials.js";
import { defineBuiltin } from "./define.js";

const settled = NativePromise.resolve();
// Without it `then` asks `Promise[Symbol.species]`, which the guest can replace.
ObjectDefineProperty(settled, "constructor", { value: undefined });

/** Runs `callback` when the running code has returned. An exception in it becomes an unhandled rejection. */
export function afterThis(callback: () => void): void {
  PromiseThen(settled, () => {
    callback();
  });
}

export function installQueueMicrotask(): void {
  const methods = {
    queueMicrotask(callback: () => void) {
      if (typeof callback !== "function")
        throw new NativeTypeError("queueMicrotask: the argument must be a function");
      afterThis(callback);
    },
  };
  defineBuiltin(globalThis, "queueMicrotask", methods.queueMicrotask);
}
