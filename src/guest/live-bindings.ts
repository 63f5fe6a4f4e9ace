/** Getters that do nothing but read a variable of a module: the renderer may call them. */
import { NativeSet, SetAdd, SetHas } from "./primordials.js";

const bindings = new NativeSet<unknown>();

export function rememberBinding(get: () => unknown): void {
  SetAdd(bindings, get);
}

export function isBinding(get: unknown): get is () => unknown {
  return SetHas(bindings, get);
}
