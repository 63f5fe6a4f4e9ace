/**
 * Which objects are proxies. The language has no check that leaves the traps alone, so every proxy is remembered
 * when it is made: `Proxy` and `Proxy.revocable` are the only two ways to make one, and this prelude runs first.
 */
import { defineConstant, defineData } from "./define-data.js";
import { FunctionApply, NativeProxy, NativeTypeError, uncurry } from "./primordials.js";

const known = new WeakSet<object>();
const WeakSetAdd = uncurry(WeakSet.prototype.add) as (set: WeakSet<object>, item: object) => unknown;
const WeakSetHas = uncurry(WeakSet.prototype.has) as (set: WeakSet<object>, item: object) => boolean;
const bind = uncurry(Function.prototype.bind) as (f: unknown, self: unknown) => ProxyConstructor;
const { revocable } = NativeProxy;

/** True for every proxy made since `installProxy`. Runs no trap. */
export function isProxy(value: object): boolean {
  return WeakSetHas(known, value);
}

function makeProxy(target: object, handler: ProxyHandler<object>): object {
  if (new.target === undefined) throw new NativeTypeError("Proxy: must be called with new");
  const proxy = new NativeProxy(target, handler);
  WeakSetAdd(known, proxy);
  return proxy;
}

/**
 * Puts a `Proxy` that remembers in the place of the engine's. A bound function looks like the original: a
 * constructor without `prototype` whose source is native code.
 */
export function installProxy(): void {
  const tracked = bind(makeProxy, undefined);
  const methods = {
    revocable(target: object, handler: ProxyHandler<object>) {
      const made = FunctionApply(revocable, NativeProxy, [target, handler]) as { proxy: object };
      WeakSetAdd(known, made.proxy);
      return made;
    },
  };
  defineConstant(tracked, "name", "Proxy");
  defineConstant(tracked, "length", 2);
  defineData(tracked, "revocable", methods.revocable, false);
  defineData(globalThis, "Proxy", tracked, false);
}
