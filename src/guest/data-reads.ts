/**
 * Reading a guest value as data: no guest code runs, and what would need it (an accessor, a proxy) is refused. A plain
 * read is for what the program itself gives away: it is read as that program would read it.
 */
import { NativeString, NativeTypeError, uncurry } from "./primordials.js";
import { isProxy } from "./proxies.js";

const lookupGetter = uncurry(
  (Object.prototype as unknown as { __lookupGetter__: (key: PropertyKey) => unknown }).__lookupGetter__,
);

export function readData(holder: object, key: PropertyKey): unknown {
  if (lookupGetter(holder, key) !== undefined)
    throw new NativeTypeError(`${NativeString(key)} is an accessor, not data.`);
  return (holder as Record<PropertyKey, unknown>)[key];
}

/** To be asked before anything else is asked of an object. */
export function refuseProxy(value: object): void {
  if (isProxy(value)) throw new NativeTypeError("A proxy is not data.");
}
