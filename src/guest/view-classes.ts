/** The classes of views of a buffer, by the names they had before guest code ran. */
import { NativeUint8Array, ObjectCreate } from "./primordials.js";

type ViewClass = new (buffer: ArrayBuffer, offset?: number, length?: number) => ArrayBufferView;

const classes: readonly (ViewClass | undefined)[] = [
  Int8Array,
  NativeUint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  // Younger than the library of types.
  (globalThis as { Float16Array?: ViewClass }).Float16Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
];
const byName = ObjectCreate(null) as Record<string, ViewClass | undefined>;
for (let index = 0; index < classes.length; index++) {
  const view = classes[index];
  if (view) byName[view.name] = view;
}

/** Whoever names one got the name from a view, or from what was written of one. */
export function viewClass(name: string): ViewClass {
  return byName[name] as ViewClass;
}
