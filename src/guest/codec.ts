/** The guest's end of the value encoding; `src/codec.ts` describes the format. No recursion over guest data. */

import { ownData } from "./brands.js";
import {
  bufferByteLength,
  dataViewByteLength,
  dataViewView,
  sendBytes,
  takeBytes,
  typedArrayName,
  typedArrayView,
} from "./bytes.js";
import { errorMessage, errorName } from "./error-header.js";
import { newList } from "./lists.js";
import { isJsonTaken, toOwnJson } from "./own-json.js";
import {
  ArrayIsArray,
  ArrayPrototype,
  ArrayPush,
  ErrorPrototype,
  JSONParse,
  JSONStringify,
  MapForEach,
  MapGet,
  MapSet,
  MapSize,
  NativeDate,
  NativeError,
  NativeMap,
  NativeNumber,
  NativeSet,
  NativeString,
  NativeTypeError,
  NativeUint8Array,
  NumberIsFinite,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ObjectIs,
  ObjectKeys,
  ObjectPrototype,
  ObjectSetPrototypeOf,
  SetAdd,
  SetForEach,
  SetHas,
  SetSize,
  StringIndexOf,
  StringIsWellFormed,
  StringSlice,
  uncurry,
} from "./primordials.js";
import { isProxy } from "./proxies.js";

type Node = string | number | boolean | null | unknown[];

const MAX_PLAIN_DEPTH = 100;
const NativeRegExp = RegExp;
const NativeBigInt = BigInt;
const NativeDataView = DataView;
const dateGetTime = uncurry(Date.prototype.getTime);
const regExpSource = uncurry(ObjectGetOwnPropertyDescriptor(RegExp.prototype, "source")?.get) as unknown as (
  r: unknown,
) => string;
const regExpFlags = uncurry(ObjectGetOwnPropertyDescriptor(RegExp.prototype, "flags")?.get) as unknown as (
  r: unknown,
) => string;
const regExpPrototype: object = RegExp.prototype;

/** True when `brand(value)` does not throw. */
function is(brand: (value: unknown) => unknown, value: unknown): boolean {
  try {
    brand(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Encodes a guest value for the host. `where` names it in the error for what cannot cross. The argument of a call is
 * read as the program that made it would read it; with `asData` no guest code runs, and what would need it (an
 * accessor, a proxy) does not cross.
 */
export function encode(value: unknown, where: string, asData = false): string {
  dataOnly = asData;
  if (typeof value === "string" && isPlainText(value)) return `s${value}`;
  // A `toJSON` somewhere up the chain would speak for plain data; the table never asks for it.
  if (!isJsonTaken() && isPlain(value, 0, newTrail())) return `j${JSONStringify(value)}`;
  const views = newList<Uint8Array>();
  const table = toOwnJson(toTable(value, where, views));
  // Only now: what reads the value may be guest code, which makes calls of its own.
  sendBytes(views);
  return `x${table}`;
}

let dataOnly = false;

/** What survives the way through a C string as it is. */
function isPlainText(text: string): boolean {
  return StringIsWellFormed(text) && StringIndexOf(text, "\0") === -1;
}
const lookupGetter = uncurry(
  (Object.prototype as unknown as { __lookupGetter__: (key: PropertyKey) => unknown }).__lookupGetter__,
);

/** An own property's value; refuses what only guest code could tell. */
function read(holder: object, key: PropertyKey): unknown {
  if (dataOnly && lookupGetter(holder, key) !== undefined)
    throw new NativeTypeError(`${NativeString(key)} is an accessor, not data.`);
  return (holder as Record<PropertyKey, unknown>)[key];
}

function refuseProxy(value: object): void {
  if (dataOnly && isProxy(value)) throw new NativeTypeError("A proxy is not data.");
}

/** Objects that were met. Most values are one object, which needs no set. */
interface Trail {
  first: object | undefined;
  others: Set<object> | undefined;
}

const newTrail = (): Trail => ({ __proto__: null, first: undefined, others: undefined }) as unknown as Trail;

/** False when the object was met before. */
function meet(trail: Trail, value: object): boolean {
  if (trail.first === undefined) {
    trail.first = value;
    return true;
  }
  if (trail.first === value) return false;
  if (trail.others === undefined) trail.others = new NativeSet();
  else if (SetHas(trail.others, value)) return false;
  SetAdd(trail.others, value);
  return true;
}

function isPlain(value: unknown, depth: number, seen: Trail): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      // Finite, and not -0: operators, for there may be very many of them.
      return value - value === 0 && (value !== 0 || 1 / value > 0);
    case "object":
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (depth > MAX_PLAIN_DEPTH || !meet(seen, value)) return false;
  refuseProxy(value);
  const prototype: unknown = ObjectGetPrototypeOf(value);
  if (prototype === ArrayPrototype && ArrayIsArray(value)) {
    const items = value as unknown[];
    for (let index = 0; index < items.length; index++) {
      const item = dataOnly ? read(items, index) : items[index];
      if (!isPlain(item, depth + 1, seen)) return false;
    }
    return true;
  }
  if (prototype !== ObjectPrototype) return false;
  const keys = ObjectKeys(value);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const item = dataOnly ? read(value, key) : (value as Record<string, unknown>)[key];
    if (!isPlain(item, depth + 1, seen)) return false;
  }
  return !ObjectHasOwn(value, "toJSON");
}

function toTable(root: unknown, where: string, views: Uint8Array[]): Node[] {
  const nodes = newList<Node>();
  const values = newList<unknown>();
  const places = newList<Place>();
  const indices = new NativeMap<unknown, number>();
  const indexOf = (value: unknown, holder: number, step: string): number => {
    const known = value === 0 ? undefined : MapGet(indices, value);
    if (known !== undefined) return known;
    const index = ArrayPush(values, value) - 1;
    ArrayPush(places, { __proto__: null, holder, step } as unknown as Place);
    MapSet(indices, value, index);
    return index;
  };
  indexOf(root, -1, where);
  const table = { __proto__: null, indexOf, places, views } as unknown as Table;
  for (let index = 0; index < values.length; index++) ArrayPush(nodes, toNode(values[index], index, table));
  return nodes;
}

/** How a value was reached: from the holder at this index, by this step. Written out only for an error. */
interface Place {
  readonly holder: number;
  readonly step: string;
}

const MAX_STEPS = 20;

function pathTo(places: readonly Place[], index: number): string {
  let path = "";
  let at = index;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const { holder, step } = places[at]!;
    path = step + path;
    if (holder === -1) return path;
    at = holder;
  }
  return `${places[0]!.step}...${path}`;
}

function newNode(tag: string): unknown[] {
  const node = newList<unknown>();
  node[0] = tag;
  return node;
}

type IndexOf = (value: unknown, holder: number, step: string) => number;

interface Table {
  readonly indexOf: IndexOf;
  readonly places: readonly Place[];
  /** The bytes of the value, which cross beside the table. */
  readonly views: Uint8Array[];
}

/** The index of what crosses beside the table. */
function besideTable({ views }: Table, view: Uint8Array): number {
  return ArrayPush(views, view) - 1;
}

function toNode(value: unknown, at: number, table: Table): Node {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return NumberIsFinite(value) && !ObjectIs(value, -0)
        ? value
        : ["n", ObjectIs(value, -0) ? "-0" : NativeString(value)];
    case "bigint":
      return ["b", NativeString(value)];
    case "undefined":
      return ["u"];
    case "object":
      return value === null ? null : toObjectNode(value, at, table);
    default:
      throw new NativeTypeError(
        `${pathTo(table.places, at)} is a ${typeof value} and cannot be passed. Pass data instead.`,
      );
  }
}

function toObjectNode(value: object, at: number, table: Table): Node {
  const { indexOf, places } = table;
  refuseProxy(value);
  if (ArrayIsArray(value)) {
    const node = newNode("a");
    for (let index = 0; index < value.length; index++) {
      ArrayPush(node, ObjectHasOwn(value, index) ? indexOf(read(value, index), at, `[${index}]`) : -1);
    }
    return node;
  }
  const prototype: unknown = ObjectGetPrototypeOf(value);
  if (prototype === ObjectPrototype || prototype === null) return toRecordNode(value, at, indexOf);
  // Before the brands that are told by what they throw: each such error costs more than the bytes.
  const typed = typedArrayName(value);
  if (typed !== undefined) return ["t", typed, besideTable(table, typedArrayView(value))];
  if (is(dateGetTime as (value: unknown) => unknown, value)) {
    const time = dateGetTime(value as Date);
    return ["d", NumberIsFinite(time) ? time : null];
  }
  if (is(MapSize, value)) {
    const node = newNode("m");
    MapForEach(value as Map<unknown, unknown>, (item, key) => {
      ArrayPush(node, indexOf(key, at, " key"));
      ArrayPush(node, indexOf(item, at, " value"));
    });
    return node;
  }
  if (is(SetSize, value)) {
    const node = newNode("s");
    SetForEach(value as Set<unknown>, (item) => {
      ArrayPush(node, indexOf(item, at, " item"));
    });
    return node;
  }
  if (is(bufferByteLength, value))
    return ["A", besideTable(table, new NativeUint8Array(value as ArrayBuffer))];
  if (is(dataViewByteLength, value)) return ["t", "DataView", besideTable(table, dataViewView(value))];
  if (value !== regExpPrototype && is(regExpSource, value))
    return ["r", regExpSource(value), regExpFlags(value)];
  if (isError(value)) return toErrorNode(value as Error, at, indexOf);
  const brand = unsupportedBrand(value);
  if (brand)
    throw new NativeTypeError(
      `${pathTo(places, at)} is a ${brand} and cannot be passed.${brand === "Promise" ? " Await it first." : ""}`,
    );
  return toRecordNode(value, at, indexOf);
}

function toRecordNode(value: object, at: number, indexOf: IndexOf): Node {
  const node = newNode(ObjectGetPrototypeOf(value) === null ? "O" : "o");
  const keys = ObjectKeys(value);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const item = read(value, key);
    ArrayPush(node, key);
    ArrayPush(node, indexOf(item, at, `.${key}`));
  }
  return node;
}

function isError(value: object): boolean {
  let prototype: unknown = value;
  for (let depth = 0; depth < 20 && prototype !== null && !isProxy(prototype as object); depth++) {
    if (prototype === ErrorPrototype) return value !== ErrorPrototype;
    prototype = ObjectGetPrototypeOf(prototype);
  }
  return false;
}

const promisePrototype: object = Promise.prototype;
const weakMapHas = uncurry(WeakMap.prototype.has) as unknown as (self: unknown) => unknown;
const weakSetHas = uncurry(WeakSet.prototype.has) as unknown as (self: unknown) => unknown;

function unsupportedBrand(value: object): string | undefined {
  if (ObjectGetPrototypeOf(value) === promisePrototype) return "Promise";
  if (is(weakMapHas, value)) return "WeakMap";
  if (is(weakSetHas, value)) return "WeakSet";
  return undefined;
}

function toErrorNode(error: Error, at: number, indexOf: IndexOf): Node {
  const cause = ownData(error, "cause");
  const errors = ownData(error, "errors");
  const data = ObjectCreate(null) as Record<string, unknown>;
  let hasData = false;
  const keys = ObjectKeys(error);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    if (key === "name" || key === "message" || key === "cause" || key === "errors" || key === "stack")
      continue;
    hasData = true;
    data[key] = read(error, key);
  }
  return [
    "e",
    errorName(error),
    errorMessage(error),
    cause === undefined ? -1 : indexOf(cause, at, ".cause"),
    ArrayIsArray(errors) ? indexOf(errors, at, ".errors") : -1,
    hasData ? indexOf(data, at, "") : -1,
  ];
}

/** Text from the host; only our own host writes it, so it is well formed. */
export function decode(text: string, from: number): unknown {
  const body = StringSlice(text, from + 1);
  if (text[from] === "s") return body;
  return text[from] === "j" ? JSONParse(body) : fromTable(JSONParse(body) as Node[]);
}

function fromTable(nodes: Node[]): unknown {
  const values = newList<unknown>();
  for (let index = 0; index < nodes.length; index++) ArrayPush(values, toShell(nodes[index]!));
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index]!;
    if (ArrayIsArray(node) && node[0] !== "e") fill(values[index], node, values);
  }
  // An error takes over the fields of its data, so those have to be there.
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index]!;
    if (ArrayIsArray(node) && node[0] === "e") fill(values[index], node, values);
  }
  return values[0];
}

const typedArrays = ObjectCreate(null) as Record<string, (buffer: ArrayBuffer) => ArrayBufferView>;
{
  const constructors = [
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
  ];
  for (let index = 0; index < constructors.length; index++) {
    const Constructor = constructors[index]!;
    typedArrays[Constructor.name] = (buffer) => new Constructor(buffer);
  }
  typedArrays["DataView"] = (buffer) => new NativeDataView(buffer);
}

function toShell(node: Node): unknown {
  if (!ArrayIsArray(node)) return node;
  switch (node[0]) {
    case "n":
      return NativeNumber(node[1]);
    case "b":
      return NativeBigInt(node[1] as string);
    case "d":
      return new NativeDate(node[1] === null ? NaN : (node[1] as number));
    case "r":
      return new NativeRegExp(node[1] as string, node[2] as string);
    case "t":
      return typedArrays[node[1] as string]!(takeBytes(node[2] as number, 0, node[3] as number));
    case "A":
      return takeBytes(node[1] as number, 0, node[2] as number);
    case "e": {
      const error = new NativeError(node[2] as string);
      const prototype = errorPrototype(node[1] as string);
      if (prototype === undefined) define(error, "name", node[1], false);
      else ObjectSetPrototypeOf(error, prototype);
      return error;
    }
    case "m":
      return new NativeMap();
    case "s":
      return new NativeSet();
    case "a":
      return [];
    case "o":
      return {};
    case "O":
      return ObjectCreate(null);
    default:
      return undefined;
  }
}

/** The classes of the language are told by their names. */
const errorPrototypes: readonly object[] = [
  Error.prototype,
  EvalError.prototype,
  RangeError.prototype,
  ReferenceError.prototype,
  SyntaxError.prototype,
  TypeError.prototype,
  URIError.prototype,
  AggregateError.prototype,
];
const errorNames: readonly string[] = [
  "Error",
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
  "AggregateError",
];

function errorPrototype(name: string): object | undefined {
  for (let i = 0; i < errorNames.length; i++) if (errorNames[i] === name) return errorPrototypes[i];
  return undefined;
}

function fill(target: unknown, node: unknown[], values: unknown[]): void {
  switch (node[0]) {
    case "a":
      for (let index = 1; index < node.length; index++) {
        const at = node[index] as number;
        if (at === -1) (target as unknown[]).length = index;
        else define(target as object, index - 1, values[at]);
      }
      break;
    case "o":
    case "O":
      for (let index = 1; index < node.length; index += 2) {
        define(target as object, node[index] as string, values[node[index + 1] as number]);
      }
      break;
    case "m":
      for (let index = 1; index < node.length; index += 2) {
        MapSet(
          target as Map<unknown, unknown>,
          values[node[index] as number],
          values[node[index + 1] as number],
        );
      }
      break;
    case "s":
      for (let index = 1; index < node.length; index++)
        SetAdd(target as Set<unknown>, values[node[index] as number]);
      break;
    case "e": {
      if (node[3] !== -1) define(target as object, "cause", values[node[3] as number], false);
      if (node[4] !== -1) define(target as object, "errors", values[node[4] as number], false);
      const data = node[5] === -1 ? undefined : (values[node[5] as number] as Record<string, unknown>);
      const keys = data ? ObjectKeys(data) : [];
      for (let index = 0; index < keys.length; index++)
        define(target as object, keys[index]!, data![keys[index]!]);
      break;
    }
  }
}

function define(target: object, key: string | number, value: unknown, enumerable = true): void {
  const descriptor = ObjectCreate(null) as PropertyDescriptor;
  descriptor.value = value;
  descriptor.enumerable = enumerable;
  descriptor.writable = true;
  descriptor.configurable = true;
  ObjectDefineProperty(target, key, descriptor);
}
