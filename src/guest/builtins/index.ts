import { installQueueMicrotask } from "./microtask.js";

/** Defines every built-in this package adds to the language on `globalThis`. */
export function installBuiltins(): void {
  installQueueMicrotask();
}
