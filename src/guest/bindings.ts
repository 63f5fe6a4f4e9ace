/**
 * The variables guest code has made: listed for a reader, and carried as plain data into an engine that cannot run
 * this heap. A value that is not data as a whole leaves a tombstone, which says so when it is touched.
 */

import { typedArrayName, typedArrayView } from "./bytes.js";
import { type DataNode, defineData, GraphReader, GraphWriter, NotData } from "./data-graph.js";
import {
  ArrayIsArray,
  ArrayPush,
  JSONParse,
  JSONStringify,
  MapGet,
  MapSet,
  MapSize,
  NativeError,
  NativeMap,
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
      const grave = graveOf(name, descriptor);
      entry["type"] = grave ? grave.type : "accessor";
      entry["size"] = 0;
      entry["preview"] = grave ? "[not restored]" : "[Getter]";
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

/** What a restore could not bring back, by name. */
interface Grave {
  readonly type: string;
  readonly getter: () => unknown;
}
const graves = new NativeMap<string, Grave>();

function graveOf(name: string, descriptor: PropertyDescriptor): Grave | undefined {
  const grave = MapGet(graves, name);
  return grave !== undefined && descriptor.get === grave.getter ? grave : undefined;
}

interface DataSection {
  format: 1;
  /** Values as `GraphWriter` writes them, over one table, so that shared references stay shared. */
  bindings: [name: string, value: unknown][];
  nodes: unknown[][];
  tombstones: [name: string, type: string][];
}

/** All bindings as text that any later engine can read. Runs nothing the guest defined. */
export function exportBindings(): string {
  const names = bindingNames();
  const writer = new GraphWriter();
  const section = ObjectCreate(null) as DataSection;
  section.format = 1;
  section.bindings = [];
  section.tombstones = [];
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    const descriptor = ObjectGetOwnPropertyDescriptor(realm, name)!;
    const grave = graveOf(name, descriptor);
    if (grave) ArrayPush(section.tombstones, [name, grave.type]);
    else if (!("value" in descriptor)) ArrayPush(section.tombstones, [name, "accessor"]);
    else {
      const value: unknown = descriptor.value;
      try {
        ArrayPush(section.bindings, [name, writer.write(value)]);
      } catch (error) {
        if (!(error instanceof NotData)) throw error;
        ArrayPush(section.tombstones, [name, ArrayIsArray(value) ? "array" : typeof value]);
      }
    }
  }
  section.nodes = writer.nodes;
  return JSONStringify(section);
}

/** Puts exported bindings back; answers the tombstones as JSON: `[{ name, type }]`. */
export function importBindings(text: string): string {
  const section = JSONParse(text) as DataSection;
  if (section.format !== 1) throw new NativeError(`its format is ${section.format as unknown}`);
  const reader = new GraphReader(section.nodes as DataNode[]);
  for (let index = 0; index < section.bindings.length; index++) {
    const binding = section.bindings[index]!;
    if (!SetHas(ours, binding[0])) defineData(realm, binding[0], reader.read(binding[1] as DataNode), true);
  }
  const buried: object[] = [];
  for (let index = 0; index < section.tombstones.length; index++) {
    const tombstone = section.tombstones[index]!;
    if (SetHas(ours, tombstone[0])) continue;
    bury(tombstone[0], tombstone[1]);
    const entry = ObjectCreate(null) as Record<string, unknown>;
    entry["name"] = tombstone[0];
    entry["type"] = tombstone[1];
    ArrayPush(buried, entry);
  }
  return JSONStringify(buried);
}

/** Assigning or declaring the name again replaces it. */
function bury(name: string, type: string): void {
  const descriptor = ObjectCreate(null) as PropertyDescriptor;
  const getter = (): never => {
    throw new NativeError(
      `Value for '${name}' was not restored because it is not serializable (type: ${type}). Hint: this value is unavailable after snapshot restore.`,
    );
  };
  descriptor.get = getter;
  descriptor.set = (value) => defineData(realm, name, value, true);
  descriptor.enumerable = true;
  descriptor.configurable = true;
  ObjectDefineProperty(realm, name, descriptor);
  const grave = ObjectCreate(null) as { type: string; getter: () => unknown };
  grave.type = type;
  grave.getter = getter;
  MapSet(graves, name, grave);
}
