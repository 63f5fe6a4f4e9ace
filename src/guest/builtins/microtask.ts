import { NativePromise, NativeTypeError, PromiseThen } from "../primordials.js";
import { defineBuiltin } from "./define.js";

const settled = NativePromise.resolve();

/** An exception in the callback becomes an unhandled rejection and is reported as one. */
export function installQueueMicrotask(): void {
  const methods = {
    queueMicrotask(callback: () => void) {
      if (typeof callback !== "function")
        throw new NativeTypeError("queueMicrotask: the argument must be a function");
      PromiseThen(settled, () => {
        callback();
      });
    },
  };
  defineBuiltin(globalThis, "queueMicrotask", methods.queueMicrotask);
}
