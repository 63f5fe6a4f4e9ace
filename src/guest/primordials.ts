/**
 * The intrinsics this prelude uses, captured before any guest code runs. Guest code may replace
 * `JSON.stringify` or `Array.prototype.map`; it then breaks its own programs, never the prelude.
 *
 * Rules for every file in this folder:
 * - never call a method on a value (`array.map(f)`): use an uncurried one from here (`ArrayMap(array, f)`);
 * - never use a global by its name after boot; never `for...of`, spread of arrays into calls or array
 *   destructuring (they run `Symbol.iterator`): index loops;
 * - objects that serve as tables have a null prototype, or are `Map`s used through `MapGet` and its like.
 */

// The engine compiles `a${b}` to `"a".concat(b)`: with this method replaced, guest code would run in (and forge the
// text of) every template of the prelude. Nobody replaces it for a good reason, so it is made constant.
Object.defineProperty(String.prototype, "concat", { writable: false, configurable: false });

type Uncurried<F> = F extends (this: infer T, ...rest: infer A) => infer R
  ? (self: T, ...rest: A) => R
  : never;

const { bind, call, apply } = Function.prototype;
const uncurryCall = bind.bind(call) as (f: unknown) => unknown;
/** `uncurry(f)(self, ...args)` is `f.call(self, ...args)`, whatever happens to `Function.prototype.call`. */
export const uncurry = <F>(f: F): Uncurried<F> => uncurryCall(f) as Uncurried<F>;
export const FunctionApply = uncurryCall(apply) as (
  f: unknown,
  self: unknown,
  args: readonly unknown[],
) => unknown;

export const {
  create: ObjectCreate,
  defineProperty: ObjectDefineProperty,
  freeze: ObjectFreeze,
  getOwnPropertyDescriptor: ObjectGetOwnPropertyDescriptor,
  getOwnPropertyNames: ObjectGetOwnPropertyNames,
  getOwnPropertySymbols: ObjectGetOwnPropertySymbols,
  getPrototypeOf: ObjectGetPrototypeOf,
  setPrototypeOf: ObjectSetPrototypeOf,
  keys: ObjectKeys,
  is: ObjectIs,
  isFrozen: ObjectIsFrozen,
} = Object;
export const { ownKeys: ReflectOwnKeys, apply: ReflectApply, construct: ReflectConstruct } = Reflect;
export const { isArray: ArrayIsArray } = Array;
export const { stringify: JSONStringify, parse: JSONParse } = JSON;
export const { isFinite: NumberIsFinite, isInteger: NumberIsInteger, isNaN: NumberIsNaN } = Number;
export const { floor: MathFloor, min: MathMin, max: MathMax, ceil: MathCeil, round: MathRound } = Math;

export const ObjectPrototype: object = Object.prototype;
export const ArrayPrototype: object = Array.prototype;
export const FunctionPrototype: object = Function.prototype;
export const ErrorPrototype: object = Error.prototype;
export const MapPrototype: object = Map.prototype;
export const SetPrototype: object = Set.prototype;

export const ObjectHasOwn = uncurry(Object.prototype.hasOwnProperty);
export const ObjectToString = uncurry(Object.prototype.toString);
export const ObjectPropertyIsEnumerable = uncurry(Object.prototype.propertyIsEnumerable);

export const ArrayJoin = uncurry(Array.prototype.join) as (
  array: readonly unknown[],
  separator?: string,
) => string;
export const ArrayPush = uncurry(Array.prototype.push) as (array: unknown[], item: unknown) => number;
export const ArrayPop = uncurry(Array.prototype.pop) as <T>(array: T[]) => T | undefined;
export const ArraySlice = uncurry(Array.prototype.slice) as <T>(
  array: readonly T[],
  start?: number,
  end?: number,
) => T[];

export const StringSlice = uncurry(String.prototype.slice);
export const StringIndexOf = uncurry(String.prototype.indexOf);
export const StringLastIndexOf = uncurry(String.prototype.lastIndexOf);
export const StringCharCodeAt = uncurry(String.prototype.charCodeAt);
export const StringSplit = uncurry(String.prototype.split) as unknown as (
  text: string,
  separator: string,
) => string[];
export const StringIsWellFormed = uncurry(
  (String.prototype as unknown as { isWellFormed: () => boolean }).isWellFormed,
) as unknown as (text: string) => boolean;
export const StringRepeat = uncurry(String.prototype.repeat);
export const StringPadEnd = uncurry(String.prototype.padEnd);
export const StringPadStart = uncurry(String.prototype.padStart);
export const StringFromCharCode = String.fromCharCode;
export const StringTrim = uncurry(String.prototype.trim);
export const StringTrimEnd = uncurry(String.prototype.trimEnd);

export const MapGet = uncurry(Map.prototype.get) as <K, V>(map: Map<K, V>, key: K) => V | undefined;
export const MapSet = uncurry(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => Map<K, V>;
export const MapHas = uncurry(Map.prototype.has) as <K>(map: Map<K, unknown>, key: K) => boolean;
export const MapDelete = uncurry(Map.prototype.delete) as <K>(map: Map<K, unknown>, key: K) => boolean;
export const MapClear = uncurry(Map.prototype.clear) as (map: Map<unknown, unknown>) => void;
export const MapForEach = uncurry(Map.prototype.forEach) as <K, V>(
  map: Map<K, V>,
  f: (value: V, key: K) => void,
) => void;
const mapSizeGetter = Object.getOwnPropertyDescriptor(Map.prototype, "size")?.get;
/** Throws for anything that is not a real Map: also serves as the brand check. */
export const MapSize = uncurry(mapSizeGetter) as unknown as (map: unknown) => number;
export const SetAdd = uncurry(Set.prototype.add) as <T>(set: Set<T>, item: T) => Set<T>;
export const SetHas = uncurry(Set.prototype.has) as <T>(set: Set<T>, item: T) => boolean;
export const SetForEach = uncurry(Set.prototype.forEach) as <T>(set: Set<T>, f: (item: T) => void) => void;
const setSizeGetter = Object.getOwnPropertyDescriptor(Set.prototype, "size")?.get;
export const SetSize = uncurry(setSizeGetter) as unknown as (set: unknown) => number;

export const NativePromise: PromiseConstructor = Promise;
export const PromiseThen = uncurry(Promise.prototype.then) as (
  promise: Promise<unknown>,
  onFulfilled?: (value: unknown) => unknown,
  onRejected?: (reason: unknown) => unknown,
) => Promise<unknown>;

export const NativeError: ErrorConstructor = Error;
export const NativeTypeError: TypeErrorConstructor = TypeError;
export const NativeRangeError: RangeErrorConstructor = RangeError;
export const NativeReferenceError: ReferenceErrorConstructor = ReferenceError;
export const NativeSyntaxError: SyntaxErrorConstructor = SyntaxError;
export const NativeBigInt: BigIntConstructor = BigInt;
export const NativeRegExp: RegExpConstructor = RegExp;
export const NativeMap: MapConstructor = Map;
export const NativeSet: SetConstructor = Set;
export const NativeDate: DateConstructor = Date;
export const NativeString: StringConstructor = String;
export const NativeNumber: NumberConstructor = Number;
export const NativeUint8Array: Uint8ArrayConstructor = Uint8Array;
export const NativeArrayBuffer: ArrayBufferConstructor = ArrayBuffer;
export const NativeProxy: ProxyConstructor = Proxy;
export const SymbolIterator: typeof Symbol.iterator = Symbol.iterator;
export const SymbolToStringTag: typeof Symbol.toStringTag = Symbol.toStringTag;
