/**
 * A graph of values as a table of nodes that any later version can read: shared references and cycles are kept, and
 * nothing the guest defined runs while it is written. Format 1; a reader for it stays for good.
 *
 * A value is a JSON primitive, or a list: `[i]` node i, `["u"]` undefined, `["h"]` a hole, `["n", text]` a number that
 * JSON has not, `["b", text]` a bigint. A node is `["o", key, value, ...]` (`O` without prototype), `["a", value, ...]`,
 * `["m", key, value, ...]`, `["s", value, ...]`, `["d", time]`, `["r", source, flags, lastIndex]`, `["A", base64]`,
 * `["B", offset, length]` for bytes of the section beside the table, `["t", kind, buffer, offset, length]`, `["e", kind, key, value, ...]`, or `["j", json]`: an object or array of nothing
 * but JSON primitives.
 */
import {
  arrayBufferLength,
  dataViewBuffer,
  dataViewLength,
  dataViewOffset,
  dateTime,
  kindOf,
  ownData,
  regExpFlags,
  regExpSource,
  typedArrayBuffer,
  typedArrayLength,
  typedArrayName,
  typedArrayOffset,
} from "./brands.js";
import { errorClassOf } from "./error-classes.js";
import { newList } from "./lists.js";
import { isJsonTaken } from "./own-json.js";
import { isJsonPrimitive } from "./plain-json.js";
import {
  ArrayIsArray,
  ArrayPrototype,
  ArrayPush,
  MapForEach,
  MapGet,
  MapSet,
  NativeDate,
  NativeMap,
  NativeSet,
  NativeString,
  NativeUint8Array,
  NumberIsFinite,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ObjectIs,
  ObjectKeys,
  ObjectPrototype,
  SetForEach,
} from "./primordials.js";
import { isProxy } from "./proxies.js";
import { viewClass } from "./view-classes.js";

type Json = string | number | boolean | null | Json[];
export type DataNode = unknown[];

/** Thrown for a value that is not data as a whole. */
export class NotData {}

const regExpPrototype: object = RegExp.prototype;

/** The nodes made so far; several roots may share them. */
export class GraphWriter {
  readonly nodes: DataNode[] = newList();
  /** What the `B` nodes are parts of, one after the other. */
  readonly bytes: Uint8Array[] = newList();
  #byteLength = 0;
  readonly #indices = new NativeMap<object, number>();
  readonly #objects: object[] = newList();
  /** The engine's own JSON can be asked for objects of the guest. */
  readonly #canQuote = !isJsonTaken();

  /** @throws {NotData} with nothing added, when the value or anything in it is not data. */
  write(value: unknown): Json {
    const known = this.nodes.length;
    const buffers = this.bytes.length;
    const byteLength = this.#byteLength;
    try {
      const root = this.#value(value);
      // Nodes wait in the order they were met, so depth costs no stack.
      for (let index = known; index < this.nodes.length; index++) this.#fill(this.nodes[index]!, index);
      return root;
    } catch (error) {
      this.#forget(known);
      this.bytes.length = buffers;
      this.#byteLength = byteLength;
      throw error;
    }
  }

  #forget(from: number): void {
    for (let index = from; index < this.#objects.length; index++)
      MapSet(this.#indices, this.#objects[index]!, -1);
    this.nodes.length = from;
    this.#objects.length = from;
  }

  #value(value: unknown): Json {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        if (NumberIsFinite(value) && !ObjectIs(value, -0)) return value;
        return ["n", ObjectIs(value, -0) ? "-0" : NativeString(value)];
      case "bigint":
        return ["b", NativeString(value)];
      case "undefined":
        return ["u"];
      case "object":
        return value === null ? null : [this.#node(value)];
      default:
        throw new NotData();
    }
  }

  #node(object: object): number {
    const known = MapGet(this.#indices, object);
    if (known !== undefined && known !== -1) return known;
    const index = ArrayPush(this.nodes, newList()) - 1;
    ArrayPush(this.#objects, object);
    MapSet(this.#indices, object, index);
    return index;
  }

  #fill(node: DataNode, index: number): void {
    const object = this.#objects[index]!;
    if (isArray(object)) {
      this.#array(node, object);
      return;
    }
    if (this.#canQuote && isFlat(object)) {
      ArrayPush(node, "j");
      ArrayPush(node, object);
      return;
    }
    switch (kindOf(object)) {
      case "plain":
        ArrayPush(node, "o");
        this.#properties(node, object, ObjectKeys(object));
        return;
      case "null-prototype":
        ArrayPush(node, "O");
        this.#properties(node, object, ObjectKeys(object));
        return;
      case "map":
        requirePrototype(object, NativeMap.prototype);
        ArrayPush(node, "m");
        MapForEach(object as Map<unknown, unknown>, (item, key) => {
          ArrayPush(node, this.#value(key));
          ArrayPush(node, this.#value(item));
        });
        return;
      case "set":
        requirePrototype(object, NativeSet.prototype);
        ArrayPush(node, "s");
        SetForEach(object as Set<unknown>, (item) => {
          ArrayPush(node, this.#value(item));
        });
        return;
      case "date": {
        requirePrototype(object, NativeDate.prototype);
        const time = dateTime(object);
        ArrayPush(node, "d");
        ArrayPush(node, NumberIsFinite(time) ? time : null);
        return;
      }
      case "regexp":
        requirePrototype(object, regExpPrototype);
        ArrayPush(node, "r");
        ArrayPush(node, regExpSource(object));
        ArrayPush(node, regExpFlags(object));
        ArrayPush(node, this.#value(ownData(object, "lastIndex")));
        return;
      case "array-buffer":
        this.#bytes(node, object as ArrayBuffer);
        return;
      case "typed-array": {
        const kind = typedArrayName(object) as string;
        requirePrototype(object, viewClass(kind).prototype as object);
        this.#view(node, kind, typedArrayBuffer(object), typedArrayOffset(object), typedArrayLength(object));
        return;
      }
      case "data-view":
        this.#view(node, "DataView", dataViewBuffer(object), dataViewOffset(object), dataViewLength(object));
        return;
      case "error":
        this.#error(node, object);
        return;
      default:
        throw new NotData();
    }
  }

  #properties(node: DataNode, object: object, keys: readonly string[]): void {
    for (let index = 0; index < keys.length; index++) {
      const descriptor = ObjectGetOwnPropertyDescriptor(object, keys[index]!) as PropertyDescriptor;
      if (!ObjectHasOwn(descriptor, "value")) throw new NotData();
      ArrayPush(node, keys[index]!);
      ArrayPush(node, this.#value(descriptor.value));
    }
  }

  #array(node: DataNode, array: unknown[]): void {
    requirePrototype(array, ArrayPrototype);
    ArrayPush(node, "a");
    for (let index = 0; index < array.length; index++) {
      const descriptor = ObjectGetOwnPropertyDescriptor(array, index);
      if (descriptor === undefined) ArrayPush(node, ["h"]);
      else if (ObjectHasOwn(descriptor, "value")) ArrayPush(node, this.#value(descriptor.value));
      else throw new NotData();
    }
  }

  #bytes(node: DataNode, buffer: ArrayBuffer): void {
    const length = arrayBufferLength(buffer);
    ArrayPush(node, "B");
    ArrayPush(node, this.#byteLength);
    ArrayPush(node, length);
    ArrayPush(this.bytes, new NativeUint8Array(buffer));
    this.#byteLength += length;
  }

  #view(node: DataNode, kind: string, buffer: unknown, offset: unknown, length: unknown): void {
    ArrayPush(node, "t");
    ArrayPush(node, kind);
    ArrayPush(node, this.#value(buffer));
    ArrayPush(node, offset as number);
    ArrayPush(node, length as number);
  }

  /** All own properties but the stack, whose positions mean nothing to another engine. */
  #error(node: DataNode, error: object): void {
    const kind = errorClassOf(ObjectGetPrototypeOf(error));
    if (kind === undefined) throw new NotData();
    const names = ObjectGetOwnPropertyNames(error);
    const kept = newList<string>();
    for (let index = 0; index < names.length; index++)
      if (names[index] !== "stack") ArrayPush(kept, names[index]!);
    ArrayPush(node, "e");
    ArrayPush(node, kind);
    this.#properties(node, error, kept);
  }
}

/** The most common object by far: a plain one with nothing but JSON primitives in it. */
function isFlat(object: object): boolean {
  if (isProxy(object) || ObjectGetPrototypeOf(object) !== ObjectPrototype) return false;
  if (ObjectHasOwn(object, "callee")) return false;
  const keys = ObjectKeys(object);
  if (keys.length === 0) return false;
  for (let index = 0; index < keys.length; index++) {
    const descriptor = ObjectGetOwnPropertyDescriptor(object, keys[index]!) as PropertyDescriptor;
    if (!ObjectHasOwn(descriptor, "value") || !isJsonPrimitive(descriptor.value)) return false;
  }
  return true;
}

/** `Array.isArray` looks through proxies. */
function isArray(object: object): object is unknown[] {
  return ArrayIsArray(object) && !isProxy(object);
}

/** An instance of a subclass is more than its data. */
function requirePrototype(object: object, prototype: object): void {
  if (ObjectGetPrototypeOf(object) !== prototype) throw new NotData();
}
