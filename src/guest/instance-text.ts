/** Classes of the prelude whose state is private: how their instances read. */
import { prototypeOf } from "./brands.js";
import { MapGet, MapSet, NativeMap } from "./primordials.js";

type Read = (instance: object) => string | undefined;

const readers = new NativeMap<object, Read>();

/**
 * `read` gives the text inside the brackets, for example `URL: https://example.org/`. It must read private state
 * only, and may throw for an object that merely inherits from the prototype.
 */
export function describeInstancesOf(prototype: object, read: Read): void {
  MapSet(readers, prototype, read);
}

export function instanceText(value: object): string | undefined {
  let prototype = prototypeOf(value);
  for (let i = 0; i < 32 && prototype !== null; i++) {
    const read = MapGet(readers, prototype);
    if (read !== undefined) {
      try {
        return read(value);
      } catch {
        return undefined;
      }
    }
    prototype = prototypeOf(prototype);
  }
  return undefined;
}
