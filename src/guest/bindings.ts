/**
 * The variables guest code has made: listed for a reader, and carried as plain data into an engine that cannot run
 * this heap. A value that is not data as a whole leaves a tombstone, which says so when it is touched.
 */

import { typedArrayName, typedArrayView } from "./bytes.js";
import { decode, encode } from "./codec.js";
import {
  ArrayIsArray,
  ArrayPush,
  JSONParse,
  JSONStringify,
  MapSize,
  NativeError,
  NativeSet,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  ObjectKeys,
  SetAdd,
  SetHas,
  SetSize,
} from "./primordials.js";
import { render } from "./render.js";

const realm = globalThis as unknown as Record<string, unknown>;
const ours = new NativeSet<string>();

/** Everything that is on the global object now belongs to the realm, not to guest code. */
export function rememberOwnGlobals(): void {
  const names = ObjectGetOwnPropertyNames(realm);
  for (let index = 0; index < names.length; index++) SetAdd(ours, names[index]!);
}

/** Names that come and go with what the host offers are not variables either. */
const offered = ["tools", "task"];
for (let index = 0; index < offered.length; index++) SetAdd(ours, offered[index]!);

function bindingNames(): string[] {
  const all = ObjectGetOwnPropertyNames(realm);
  const names: string[] = [];
  for (let index = 0; index < all.length; index++)
    if (!SetHas(ours, all[index]!)) ArrayPush(names, all[index]!);
  return names;
}

/** Nodes looked at to estimate a size; beyond it the rest is extrapolated from what was seen. */
const SIZE_SAMPLE = 500;

/** `[{ name, type, size, preview }]` as JSON. Sizes are estimates in bytes. */
export function listVariables(): string {
  const names = bindingNames();
  const list: unknown[] = [];
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    const descriptor = ObjectGetOwnPropertyDescriptor(realm, name)!;
    const entry = ObjectCreate(null) as Record<string, unknown>;
    entry["name"] = name;
    if ("value" in descriptor) {
      const value: unknown = descriptor.value;
      entry["type"] = typeName(value);
      entry["size"] = estimateSize(value);
      entry["preview"] = render(value, { maxChars: 80 });
    } else {
      entry["type"] = "accessor";
      entry["size"] = 0;
      entry["preview"] = "[Getter]";
    }
    ArrayPush(list, entry);
  }
  return JSONStringify(list);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  if (ArrayIsArray(value)) return "array";
  const typed = typedArrayName(value);
  if (typed !== undefined) return typed;
  if (brands(MapSize, value)) return "Map";
  if (brands(SetSize, value)) return "Set";
  return "object";
}

function brands(brand: (value: unknown) => unknown, value: unknown): boolean {
  try {
    brand(value);
    return true;
  } catch {
    return false;
  }
}

function estimateSize(root: unknown): number {
  const seen = new NativeSet<unknown>();
  const queue: unknown[] = [root];
  let bytes = 0;
  let at = 0;
  for (; at < queue.length && at < SIZE_SAMPLE; at++) {
    const value = queue[at];
    if (typeof value === "string") bytes += 16 + value.length;
    else if (typeof value === "function") bytes += 200;
    else if (typeof value !== "object" || value === null) bytes += 8;
    else if (!SetHas(seen, value)) {
      SetAdd(seen, value);
      bytes += 48;
      if (typedArrayName(value) !== undefined) bytes += typedArrayView(value).length;
      else if (ArrayIsArray(value)) {
        const step = value.length > SIZE_SAMPLE ? value.length / SIZE_SAMPLE : 1;
        // A sample of a long array stands for all of it.
        if (step > 1) bytes += (value.length - SIZE_SAMPLE) * 8;
        for (let index = 0; index < value.length && index < SIZE_SAMPLE; index++)
          pushData(queue, value, index);
      } else {
        const keys = ObjectKeys(value);
        bytes += keys.length * 16;
        for (let index = 0; index < keys.length && index < SIZE_SAMPLE; index++)
          pushData(queue, value, keys[index]!);
      }
    }
  }
  let total = bytes;
  if (queue.length > at && at > 0) total = (bytes / at) * queue.length;
  if (ArrayIsArray(root) && root.length > SIZE_SAMPLE) total = (total / SIZE_SAMPLE) * root.length;
  return total - (total % 1);
}

function pushData(queue: unknown[], holder: object, key: string | number): void {
  const descriptor = ObjectGetOwnPropertyDescriptor(holder, key);
  if (descriptor && "value" in descriptor) ArrayPush(queue, descriptor.value as unknown);
}

interface DataSection {
  /** One encoded object of all bindings that are data, so that shared references stay shared. */
  values: string;
  /** The rest: name and type. */
  tombstones: [string, string][];
}

/** All bindings as text that any later engine can read. */
export function exportBindings(): string {
  const names = bindingNames();
  const candidates: [name: string, value: unknown][] = [];
  const tombstones: [string, string][] = [];
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    const descriptor = ObjectGetOwnPropertyDescriptor(realm, name)!;
    const type = "value" in descriptor ? typeof descriptor.value : "accessor";
    if (type === "function" || type === "symbol" || type === "accessor") ArrayPush(tombstones, [name, type]);
    else ArrayPush(candidates, [name, descriptor.value]);
  }
  const section = ObjectCreate(null) as Record<string, unknown>;
  // Nearly always everything that is left is data, and one pass over it is enough.
  const whole = tryEncode(toObject(candidates));
  if (whole !== undefined) section["values"] = whole;
  else {
    const data: [string, unknown][] = [];
    for (let index = 0; index < candidates.length; index++) {
      const candidate = candidates[index]!;
      if (tryEncode(candidate[1]) !== undefined) ArrayPush(data, candidate);
      else ArrayPush(tombstones, [candidate[0], typeof candidate[1]]);
    }
    section["values"] = tryEncode(toObject(data)) ?? "j{}";
  }
  section["tombstones"] = tombstones;
  return JSONStringify(section);
}

/** With the ordinary prototype, because plain data is encoded fastest. */
function toObject(entries: [name: string, value: unknown][]): object {
  const object = {};
  for (let index = 0; index < entries.length; index++) define(object, entries[index]![0], entries[index]![1]);
  return object;
}

function tryEncode(value: unknown): string | undefined {
  try {
    return encode(value, "a variable");
  } catch {
    return undefined;
  }
}

/** Puts exported bindings back; answers the names of the tombstones as JSON. */
export function importBindings(text: string): string {
  const section = JSONParse(text) as DataSection;
  const values = decode(section.values, 0) as Record<string, unknown>;
  const names = ObjectKeys(values);
  for (let index = 0; index < names.length; index++) define(realm, names[index]!, values[names[index]!]);
  const buried: string[] = [];
  for (let index = 0; index < section.tombstones.length; index++) {
    const tombstone = section.tombstones[index]!;
    bury(tombstone[0], tombstone[1]);
    ArrayPush(buried, tombstone[0]);
  }
  return JSONStringify(buried);
}

function define(target: object, name: string, value: unknown): void {
  const descriptor = ObjectCreate(null) as PropertyDescriptor;
  descriptor.value = value;
  descriptor.writable = true;
  descriptor.enumerable = true;
  descriptor.configurable = true;
  ObjectDefineProperty(target, name, descriptor);
}

/** Assigning or declaring the name again replaces it. */
function bury(name: string, type: string): void {
  const descriptor = ObjectCreate(null) as PropertyDescriptor;
  descriptor.get = () => {
    throw new NativeError(
      `Value for '${name}' was not restored because it is not serializable (type: ${type}). Hint: this value is unavailable after snapshot restore.`,
    );
  };
  descriptor.set = (value) => define(realm, name, value);
  descriptor.enumerable = true;
  descriptor.configurable = true;
  ObjectDefineProperty(realm, name, descriptor);
}
