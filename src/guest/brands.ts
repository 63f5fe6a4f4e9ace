/**
 * What kind of object a value is and what its internal slots hold, read through intrinsics that look at slots and
 * own data properties only. Nothing here runs guest code, whatever the guest did to prototypes.
 *
 * An intrinsic prototype in the chain says which check to try, so plain objects and class instances cost one walk
 * and no exception.
 */
import {
  ArrayIsArray,
  ErrorPrototype,
  FunctionPrototype,
  MapPrototype,
  MapSize,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ObjectPrototype,
  SetPrototype,
  SetSize,
  SymbolIterator,
  SymbolToStringTag,
  uncurry,
} from "./primordials.js";
import { isProxy } from "./proxies.js";

type Read<T> = (value: unknown) => T;

function getter<T>(owner: object, key: PropertyKey): Read<T> {
  const get = ObjectGetOwnPropertyDescriptor(owner, key)?.get;
  return (get === undefined ? () => undefined : uncurry(get)) as Read<T>;
}

const TypedArrayPrototype = ObjectGetPrototypeOf(Uint8Array.prototype) as object;
const GeneratorPrototype = ObjectGetPrototypeOf(function* () {}.prototype) as object;
const AsyncGeneratorPrototype = ObjectGetPrototypeOf(async function* () {}.prototype) as object;
const IteratorPrototype = ObjectGetPrototypeOf(GeneratorPrototype) as object;
const AsyncIteratorPrototype = ObjectGetPrototypeOf(AsyncGeneratorPrototype) as object;
const AsyncFunctionPrototype = ObjectGetPrototypeOf(async () => {}) as object;
const GeneratorFunctionPrototype = ObjectGetPrototypeOf(function* () {}) as object;
const AsyncGeneratorFunctionPrototype = ObjectGetPrototypeOf(async function* () {}) as object;

/** `Uint8Array`, ... for a typed array, otherwise undefined. */
export const typedArrayName: Read<string | undefined> = getter(TypedArrayPrototype, SymbolToStringTag);
export const typedArrayLength: Read<number> = getter(TypedArrayPrototype, "length");
export const typedArrayBytes: Read<number> = getter(TypedArrayPrototype, "byteLength");
export const typedArrayOffset: Read<number> = getter(TypedArrayPrototype, "byteOffset");
export const typedArrayBuffer: Read<ArrayBuffer> = getter(TypedArrayPrototype, "buffer");
export const arrayBufferLength: Read<number> = getter(ArrayBuffer.prototype, "byteLength");
export const sharedBufferLength: Read<number> = getter(SharedArrayBuffer.prototype, "byteLength");
export const dataViewLength: Read<number> = getter(DataView.prototype, "byteLength");
export const dataViewOffset: Read<number> = getter(DataView.prototype, "byteOffset");
export const dataViewBuffer: Read<ArrayBuffer> = getter(DataView.prototype, "buffer");
export const dateTime = uncurry(Date.prototype.getTime) as Read<number>;
export const dateISO = uncurry(Date.prototype.toISOString) as Read<string>;
export const regExpSource: Read<string> = getter(RegExp.prototype, "source");
const numberValue = uncurry(Number.prototype.valueOf) as Read<number>;
const stringValue = uncurry(String.prototype.valueOf) as Read<string>;
const booleanValue = uncurry(Boolean.prototype.valueOf) as Read<boolean>;
const bigintValue = uncurry(BigInt.prototype.valueOf) as Read<bigint>;
const symbolValue = uncurry(Symbol.prototype.valueOf) as Read<symbol>;
/** Engine extension: the file of a function written in JavaScript, undefined for a native one. */
const functionFile: Read<string | undefined> = getter(FunctionPrototype, "fileName");

/** `RegExp.prototype.flags` reads properties the guest can replace; these read the slot. */
const flagReaders: { readonly flag: string; readonly has: Read<boolean> }[] = [
  { flag: "d", has: getter(RegExp.prototype, "hasIndices") },
  { flag: "g", has: getter(RegExp.prototype, "global") },
  { flag: "i", has: getter(RegExp.prototype, "ignoreCase") },
  { flag: "m", has: getter(RegExp.prototype, "multiline") },
  { flag: "s", has: getter(RegExp.prototype, "dotAll") },
  { flag: "u", has: getter(RegExp.prototype, "unicode") },
  { flag: "v", has: getter(RegExp.prototype, "unicodeSets") },
  { flag: "y", has: getter(RegExp.prototype, "sticky") },
];

export function regExpFlags(value: object): string {
  let flags = "";
  for (let i = 0; i < flagReaders.length; i++) {
    const reader = flagReaders[i] as { flag: string; has: Read<boolean> };
    if (reader.has(value)) flags += reader.flag;
  }
  return flags;
}

export type Kind =
  | "plain"
  | "null-prototype"
  | "instance"
  | "array"
  | "arguments"
  | "function"
  | "proxy"
  | "error"
  | "date"
  | "regexp"
  | "map"
  | "set"
  | "typed-array"
  | "array-buffer"
  | "shared-buffer"
  | "data-view"
  | "promise"
  | "boxed"
  | "module"
  | "iterator"
  /** Cannot be looked into: weak collections and the like. */
  | "opaque";

/** Prototypes that say what to check. A failed check means: an ordinary object that inherits from it. */
const families: { readonly prototype: object; readonly kind: Kind; readonly check: Read<unknown> }[] = [
  { prototype: ErrorPrototype, kind: "error", check: () => 0 },
  { prototype: MapPrototype, kind: "map", check: MapSize },
  { prototype: SetPrototype, kind: "set", check: SetSize },
  { prototype: Date.prototype, kind: "date", check: dateTime },
  { prototype: Promise.prototype, kind: "promise", check: () => 0 },
  { prototype: RegExp.prototype, kind: "regexp", check: getter(RegExp.prototype, "global") },
  { prototype: ArrayBuffer.prototype, kind: "array-buffer", check: arrayBufferLength },
  { prototype: SharedArrayBuffer.prototype, kind: "shared-buffer", check: sharedBufferLength },
  { prototype: DataView.prototype, kind: "data-view", check: getter(DataView.prototype, "buffer") },
  { prototype: IteratorPrototype, kind: "iterator", check: () => 0 },
  { prototype: AsyncIteratorPrototype, kind: "iterator", check: () => 0 },
  { prototype: WeakMap.prototype, kind: "opaque", check: () => 0 },
  { prototype: WeakSet.prototype, kind: "opaque", check: () => 0 },
  { prototype: WeakRef.prototype, kind: "opaque", check: () => 0 },
  { prototype: FinalizationRegistry.prototype, kind: "opaque", check: () => 0 },
  { prototype: Number.prototype, kind: "boxed", check: numberValue },
  { prototype: String.prototype, kind: "boxed", check: stringValue },
  { prototype: Boolean.prototype, kind: "boxed", check: booleanValue },
  { prototype: BigInt.prototype, kind: "boxed", check: bigintValue },
  { prototype: Symbol.prototype, kind: "boxed", check: symbolValue },
];

function passes(check: Read<unknown>, value: object): boolean {
  try {
    return check(value) !== undefined;
  } catch {
    return false;
  }
}

/** The prototype, or null where asking for it would run a trap. */
export function prototypeOf(value: object): object | null {
  return isProxy(value) ? null : ObjectGetPrototypeOf(value);
}

/** A chain longer than this is nobody's class hierarchy. */
const MAX_CHAIN = 32;

export function kindOf(value: object): Kind {
  if (isProxy(value)) return "proxy";
  if (typeof value === "function") return "function";
  if (ArrayIsArray(value)) return "array";
  if (typedArrayName(value) !== undefined) return "typed-array";
  const first = ObjectGetPrototypeOf(value) as object | null;
  if (first === null) return ownData(value, SymbolToStringTag) === "Module" ? "module" : "null-prototype";
  if (first === ObjectPrototype) return isArguments(value) ? "arguments" : "plain";
  let prototype: object | null = first;
  for (let i = 0; i < MAX_CHAIN && prototype !== null && prototype !== ObjectPrototype; i++) {
    for (let j = 0; j < families.length; j++) {
      const family = families[j] as (typeof families)[number];
      if (family.prototype === prototype && passes(family.check, value)) return family.kind;
    }
    prototype = prototypeOf(prototype);
  }
  return "instance";
}

function isArguments(value: object): boolean {
  return (
    ObjectHasOwn(value, "callee") &&
    ObjectHasOwn(value, "length") &&
    ObjectHasOwn(value, SymbolIterator) &&
    typeof ownData(value, "length") === "number"
  );
}

/** An own property's value when it is data, otherwise undefined. */
export function ownData(value: object, key: PropertyKey): unknown {
  if (isProxy(value)) return undefined;
  const descriptor = ObjectGetOwnPropertyDescriptor(value, key);
  return descriptor !== undefined && ObjectHasOwn(descriptor, "value") ? descriptor.value : undefined;
}

/** The first data property of that name on the value or its prototypes; an accessor or a proxy ends the search. */
export function inheritedData(value: object, key: PropertyKey): unknown {
  let owner: object | null = value;
  for (let i = 0; i < MAX_CHAIN && owner !== null && !isProxy(owner); i++) {
    const descriptor = ObjectGetOwnPropertyDescriptor(owner, key);
    if (descriptor !== undefined) return ObjectHasOwn(descriptor, "value") ? descriptor.value : undefined;
    owner = ObjectGetPrototypeOf(owner) as object | null;
  }
  return undefined;
}

/** The name of a function as data, or an empty string. */
export function functionName(value: unknown): string {
  if (typeof value !== "function") return "";
  const name = ownData(value, "name");
  return typeof name === "string" ? name : "";
}

/** The name of the class an object is an instance of, or an empty string. */
export function className(value: object): string {
  const prototype = prototypeOf(value);
  return prototype === null ? "" : functionName(inheritedData(prototype, "constructor"));
}

export function boxedValue(value: object): unknown {
  for (let j = 0; j < families.length; j++) {
    const family = families[j] as (typeof families)[number];
    if (family.kind === "boxed" && passes(family.check, value)) return family.check(value);
  }
  return undefined;
}

export type FunctionKind =
  | "class"
  | "Function"
  | "AsyncFunction"
  | "GeneratorFunction"
  | "AsyncGeneratorFunction";

/** Told from slots and from `prototype`, which only a class written in JavaScript has as a constant. */
export function functionKind(value: object): FunctionKind {
  const prototype = ObjectGetOwnPropertyDescriptor(value, "prototype");
  const constant =
    prototype !== undefined && ObjectHasOwn(prototype, "writable") && prototype.writable === false;
  if (constant && functionFile(value) !== undefined) return "class";
  const parent = ObjectGetPrototypeOf(value);
  if (parent === AsyncFunctionPrototype) return "AsyncFunction";
  if (parent === GeneratorFunctionPrototype) return "GeneratorFunction";
  if (parent === AsyncGeneratorFunctionPrototype) return "AsyncGeneratorFunction";
  return "Function";
}
