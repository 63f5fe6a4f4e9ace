/**
 * Telling promises from look-alikes, and holding those that nobody else may hold: the engine frees an unreferenced
 * promise at once, and with it the trace of a rejection that nobody handled.
 */
import { askHost } from "./host.js";
import { definePermanent } from "./permanent-globals.js";
import { FunctionApply, NativeSet, SetAdd } from "./primordials.js";

export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && askHost("is-promise", "", value) === "1";
}

/** Made and given up as `eval-table.ts` says. */
let kept: Set<object> | undefined;

/** Holds `value`, if it is a promise, until the eval ends, when the host looks at all promises. Answers `value`. */
export function keep<T>(value: T): T {
  if (isPromise(value)) {
    kept ??= new NativeSet<object>();
    SetAdd(kept, value);
  }
  return value;
}

/** A callback whose results are held; see `transform/unawaited.ts`, which puts this around statements and callbacks. */
function keepUnawaited(value: unknown): unknown {
  if (typeof value !== "function") return keep(value);
  const callback = {
    call(this: unknown, ...args: unknown[]): unknown {
      return keep(FunctionApply(value, this, args));
    },
  };
  return callback.call;
}

/** The name is only for the transform. */
export function installUnawaited(): void {
  definePermanent("$unawaited", () => keepUnawaited);
}

export function letGoOfPromises(): void {
  kept = undefined;
}
