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
  dataViewBuffer,
  dataViewLength,
  dataViewOffset,
  dateTime,
  kindOf,
  ownData,
  regExpFlags,
  regExpSource,
  typedArrayLength,
  typedArrayName,
} from "./brands.js";
import { bufferByteLength, fromBase64, takeBytes } from "./bytes.js";
import { newList } from "./lists.js";
import { isJsonTaken } from "./own-json.js";
import {
  ArrayIsArray,
  ArrayPrototype,
  ArrayPush,
  ErrorPrototype,
  MapForEach,
  MapGet,
  MapSet,
  NativeDate,
  NativeError,
  NativeMap,
  NativeNumber,
  NativeSet,
  NativeString,
  NativeUint8Array,
  NumberIsFinite,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ObjectIs,
  ObjectKeys,
  ObjectPrototype,
  SetAdd,
  SetForEach,
  uncurry,
} from "./primordials.js";
import { isProxy } from "./proxies.js";

type Json = string | number | boolean | null | Json[];
export type DataNode = unknown[];

/** Thrown for a value that is not data as a whole. */
export class NotData {}

const typedArrayPrototype = ObjectGetPrototypeOf(NativeUint8Array.prototype) as object;
const slot = (name: string) =>
  uncurry(ObjectGetOwnPropertyDescriptor(typedArrayPrototype, name)?.get) as unknown as (
    view: object,
  ) => unknown;
const typedArrayBuffer = slot("buffer");
const typedArrayOffset = slot("byteOffset");

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
    const [buffers, byteLength] = [this.bytes.length, this.#byteLength];
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
        requirePrototype(object, NativeRegExp.prototype);
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
        requirePrototype(object, (views[kind] as ViewConstructor).prototype);
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
    const length = bufferByteLength(buffer);
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
    const kind = errorKind(ObjectGetPrototypeOf(error));
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

function isJsonPrimitive(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      // Infinity and NaN minus themselves are NaN; -0 divides to -Infinity.
      return value - value === 0 && (value !== 0 || 1 / value > 0);
    default:
      return value === null;
  }
}

/** `Array.isArray` looks through proxies. */
function isArray(object: object): object is unknown[] {
  return ArrayIsArray(object) && !isProxy(object);
}

/** An instance of a subclass is more than its data. */
function requirePrototype(object: object, prototype: object): void {
  if (ObjectGetPrototypeOf(object) !== prototype) throw new NotData();
}

const NativeRegExp = RegExp;
const NativeBigInt = BigInt;
const errorConstructors: readonly ErrorConstructor[] = [
  NativeError,
  TypeError as unknown as ErrorConstructor,
  RangeError as unknown as ErrorConstructor,
  ReferenceError as unknown as ErrorConstructor,
  SyntaxError as unknown as ErrorConstructor,
  EvalError as unknown as ErrorConstructor,
  URIError as unknown as ErrorConstructor,
  AggregateError as unknown as ErrorConstructor,
];
const errorPrototypes = ObjectCreate(null) as Record<string, object>;
for (let index = 0; index < errorConstructors.length; index++)
  errorPrototypes[errorConstructors[index]!.name] = errorConstructors[index]!.prototype;

function errorKind(prototype: unknown): string | undefined {
  const names = ObjectKeys(errorPrototypes);
  for (let index = 0; index < names.length; index++)
    if (errorPrototypes[names[index]!] === prototype) return names[index];
  return undefined;
}

type ViewConstructor = new (buffer: ArrayBuffer, offset: number, length: number) => object;
const views = ObjectCreate(null) as Record<string, ViewConstructor>;
const viewConstructors: readonly ViewConstructor[] = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
];
for (let index = 0; index < viewConstructors.length; index++)
  views[viewConstructors[index]!.name] = viewConstructors[index]!;
const half = (globalThis as { Float16Array?: ViewConstructor }).Float16Array;
if (half) views["Float16Array"] = half;

/** Objects for the nodes; `read` then answers what a value written with them is. */
export class GraphReader {
  readonly #objects: unknown[] = newList();

  constructor(nodes: readonly DataNode[]) {
    for (let index = 0; index < nodes.length; index++) ArrayPush(this.#objects, shell(nodes[index]!));
    // Views need their buffers, which are all there now.
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index]!;
      if (node[0] === "t")
        this.#objects[index] = new (views[node[1] as string] as ViewConstructor)(
          this.read(node[2]!) as ArrayBuffer,
          node[3] as number,
          node[4] as number,
        );
    }
    for (let index = 0; index < nodes.length; index++) this.#fill(this.#objects[index], nodes[index]!);
  }

  read(value: unknown): unknown {
    if (!ArrayIsArray(value)) return value;
    const tag = value[0];
    if (typeof tag === "number") return this.#objects[tag];
    if (tag === "n") return NativeNumber(value[1]);
    if (tag === "b") return NativeBigInt(value[1] as string);
    return undefined;
  }

  #fill(target: unknown, node: DataNode): void {
    switch (node[0]) {
      case "o":
      case "O":
        this.#define(target as object, node, 1, true);
        return;
      case "e":
        this.#define(target as object, node, 2, false);
        return;
      case "a": {
        const array = target as unknown[];
        array.length = node.length - 1;
        for (let index = 1; index < node.length; index++) {
          const item = node[index]!;
          if (!(ArrayIsArray(item) && item[0] === "h")) defineData(array, index - 1, this.read(item), true);
        }
        return;
      }
      case "m":
        for (let index = 1; index < node.length; index += 2)
          MapSet(target as Map<unknown, unknown>, this.read(node[index]!), this.read(node[index + 1]!));
        return;
      case "s":
        for (let index = 1; index < node.length; index++)
          SetAdd(target as Set<unknown>, this.read(node[index]!));
        return;
    }
  }

  #define(target: object, node: DataNode, from: number, enumerable: boolean): void {
    for (let index = from; index < node.length; index += 2) {
      const key = node[index] as string;
      const shown = enumerable || !(key === "message" || key === "cause" || key === "errors");
      defineData(target, key, this.read(node[index + 1]!), shown);
    }
  }
}

function shell(node: DataNode): unknown {
  switch (node[0]) {
    case "j":
      return node[1];
    case "o":
      return {};
    case "O":
      return ObjectCreate(null);
    case "a":
      return [];
    case "m":
      return new NativeMap();
    case "s":
      return new NativeSet();
    case "d":
      return new NativeDate(node[1] === null ? Number.NaN : (node[1] as number));
    case "r": {
      const expression = new NativeRegExp(node[1] as string, node[2] as string);
      if (typeof node[3] === "number") expression.lastIndex = node[3];
      return expression;
    }
    case "A":
      return fromBase64(node[1] as string);
    case "B":
      return takeBytes(0, node[1] as number, node[2] as number);
    case "e": {
      const error = new NativeError() as object;
      const prototype = errorPrototypes[node[1] as string] ?? ErrorPrototype;
      if (prototype !== ErrorPrototype) setPrototypeOf(error, prototype);
      return error;
    }
    default:
      return undefined;
  }
}
const { setPrototypeOf } = Reflect;

export function defineData(target: object, name: string | number, value: unknown, enumerable: boolean): void {
  const descriptor = ObjectCreate(null) as PropertyDescriptor;
  descriptor.value = value;
  descriptor.writable = true;
  descriptor.enumerable = enumerable;
  descriptor.configurable = true;
  ObjectDefineProperty(target, name, descriptor);
}
