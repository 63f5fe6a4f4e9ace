/** A guest value as the nodes of a table, for what JSON does not carry. No recursion over guest data. */
import {
  arrayBufferLength,
  dataViewLength,
  dateTime,
  ownData,
  regExpFlags,
  regExpSource,
  typedArrayName,
} from "./brands.js";
import { dataViewView, typedArrayView } from "./bytes.js";
import { readData, refuseProxy } from "./data-reads.js";
import { errorMessage, errorName } from "./error-header.js";
import { newList } from "./lists.js";
import {
  ArrayIsArray,
  ArrayPush,
  ErrorPrototype,
  MapForEach,
  MapSize,
  NativeString,
  NativeUint8Array,
  NumberIsFinite,
  ObjectCreate,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ObjectIs,
  ObjectKeys,
  ObjectPrototype,
  SetForEach,
  SetSize,
  uncurry,
} from "./primordials.js";
import { isProxy } from "./proxies.js";
import { besideTable, newValueTable, refuse, type ValueTable } from "./value-table.js";

type Node = string | number | boolean | null | unknown[];

export interface WrittenTable {
  readonly nodes: readonly Node[];
  /** What the nodes of bytes stand for, in the order of their indices. */
  readonly views: readonly Uint8Array[];
}

/** `where` names the value in the error for what cannot cross. */
export function writeTable(root: unknown, where: string, asData: boolean): WrittenTable {
  const nodes = newList<Node>();
  const table = newValueTable(root, where, asData);
  const { values, views } = table;
  for (let index = 0; index < values.length; index++) ArrayPush(nodes, toNode(values[index], index, table));
  return { nodes, views };
}

function toNode(value: unknown, at: number, table: ValueTable): Node {
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
      return refuse(table, at, `is a ${typeof value} and cannot be passed. Pass data instead.`);
  }
}

function toObjectNode(value: object, at: number, table: ValueTable): Node {
  const { indexOf } = table;
  if (table.asData) refuseProxy(value);
  if (ArrayIsArray(value)) {
    const node = newNode("a");
    for (let index = 0; index < value.length; index++) {
      const item = ObjectHasOwn(value, index) ? indexOf(read(table, value, index), at, `[${index}]`) : -1;
      ArrayPush(node, item);
    }
    return node;
  }
  const prototype: unknown = ObjectGetPrototypeOf(value);
  if (prototype === ObjectPrototype || prototype === null) return toRecordNode(value, at, table);
  // Before the brands that are told by what they throw: each such error costs more than the bytes.
  const typed = typedArrayName(value);
  if (typed !== undefined) return ["t", typed, besideTable(table, typedArrayView(value))];
  if (is(dateTime, value)) {
    const time = dateTime(value);
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
  if (is(arrayBufferLength, value))
    return ["A", besideTable(table, new NativeUint8Array(value as ArrayBuffer))];
  if (is(dataViewLength, value)) return ["t", "DataView", besideTable(table, dataViewView(value))];
  if (value !== regExpPrototype && is(regExpSource, value))
    return ["r", regExpSource(value), regExpFlags(value)];
  if (isError(value)) return toErrorNode(value, at, table);
  const brand = unsupportedBrand(value);
  if (brand === "Promise") return refuse(table, at, "is a Promise and cannot be passed. Await it first.");
  if (brand) return refuse(table, at, `is a ${brand} and cannot be passed.`);
  return toRecordNode(value, at, table);
}

function toRecordNode(value: object, at: number, table: ValueTable): Node {
  const { indexOf } = table;
  const node = newNode(ObjectGetPrototypeOf(value) === null ? "O" : "o");
  const keys = ObjectKeys(value);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const item = read(table, value, key);
    ArrayPush(node, key);
    ArrayPush(node, indexOf(item, at, `.${key}`));
  }
  return node;
}

function toErrorNode(error: object, at: number, table: ValueTable): Node {
  const { indexOf } = table;
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
    data[key] = read(table, error, key);
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

function newNode(tag: string): unknown[] {
  const node = newList<unknown>();
  node[0] = tag;
  return node;
}

function read({ asData }: ValueTable, holder: object, key: PropertyKey): unknown {
  return asData ? readData(holder, key) : (holder as Record<PropertyKey, unknown>)[key];
}

/** True when `brand(value)` does not throw. */
function is(brand: (value: unknown) => unknown, value: unknown): boolean {
  try {
    brand(value);
    return true;
  } catch {
    return false;
  }
}

const regExpPrototype: object = RegExp.prototype;
const promisePrototype: object = Promise.prototype;
const weakMapHas = uncurry(WeakMap.prototype.has) as unknown as (self: unknown) => unknown;
const weakSetHas = uncurry(WeakSet.prototype.has) as unknown as (self: unknown) => unknown;

function isError(value: object): boolean {
  let prototype: unknown = value;
  for (let depth = 0; depth < 20 && prototype !== null && !isProxy(prototype as object); depth++) {
    if (prototype === ErrorPrototype) return value !== ErrorPrototype;
    prototype = ObjectGetPrototypeOf(prototype);
  }
  return false;
}

function unsupportedBrand(value: object): string | undefined {
  if (ObjectGetPrototypeOf(value) === promisePrototype) return "Promise";
  if (is(weakMapHas, value)) return "WeakMap";
  if (is(weakSetHas, value)) return "WeakSet";
  return undefined;
}
