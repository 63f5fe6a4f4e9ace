/**
 * The variables guest code has made: listed for a reader, and carried as plain data into an engine that cannot run
 * this heap. A value that is not data as a whole leaves a tombstone, which says so when it is touched.
 */

import { kindOf, typedArrayName } from "./brands.js";
import { sendBytes } from "./bytes.js";
import { defineData } from "./define-data.js";
import { estimateSize } from "./estimate-size.js";
import { GraphReader } from "./graph-reader.js";
import { type DataNode, GraphWriter, NotData } from "./graph-writer.js";
import { newList } from "./lists.js";
import { toOwnJson } from "./own-json.js";
import {
  ArrayIsArray,
  ArrayPush,
  JSONParse,
  MapGet,
  MapSet,
  NativeError,
  NativeMap,
  NativeSet,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  SetAdd,
  SetHas,
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
const offered = ["tools", "task", "__import__"];
for (let index = 0; index < offered.length; index++) SetAdd(ours, offered[index]!);

function bindingNames(): string[] {
  const all = ObjectGetOwnPropertyNames(realm);
  const names = newList<string>();
  for (let index = 0; index < all.length; index++)
    if (!SetHas(ours, all[index]!)) ArrayPush(names, all[index]!);
  return names;
}

/** `[{ name, type, size, preview }]` as JSON. Sizes are estimates in bytes. */
export function listVariables(): string {
  const names = bindingNames();
  const list = newList<unknown>();
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
  return toOwnJson(list);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  switch (kindOf(value)) {
    case "array":
      return "array";
    case "map":
      return "Map";
    case "set":
      return "Set";
    case "date":
      return "Date";
    case "promise":
      return "Promise";
    case "typed-array":
      return typedArrayName(value) as string;
    default:
      return "object";
  }
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

/** All bindings as text that any later engine can read; bytes are sent beside it. Runs nothing the guest defined. */
export function exportBindings(): string {
  const names = bindingNames();
  const writer = new GraphWriter();
  const section = ObjectCreate(null) as DataSection;
  section.format = 1;
  section.bindings = newList();
  section.tombstones = newList();
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
  const text = toOwnJson(section);
  sendBytes(writer.bytes);
  return text;
}

/** Puts exported bindings back; answers the tombstones as JSON: `[{ name, type }]`. */
export function importBindings(text: string): string {
  const section = JSONParse(text) as DataSection;
  if (section.format !== 1) throw new NativeError(`its format is ${section.format as unknown}`);
  const reader = new GraphReader(section.nodes as DataNode[]);
  for (let index = 0; index < section.bindings.length; index++) {
    const binding = section.bindings[index]!;
    if (!SetHas(ours, binding[0])) defineData(realm, binding[0], reader.read(binding[1]), true);
  }
  const buried = newList<object>();
  for (let index = 0; index < section.tombstones.length; index++) {
    const tombstone = section.tombstones[index]!;
    if (SetHas(ours, tombstone[0])) continue;
    bury(tombstone[0], tombstone[1]);
    const entry = ObjectCreate(null) as Record<string, unknown>;
    entry["name"] = tombstone[0];
    entry["type"] = tombstone[1];
    ArrayPush(buried, entry);
  }
  return toOwnJson(buried);
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
