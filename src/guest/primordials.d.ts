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
type Uncurried<F> = F extends (this: infer T, ...rest: infer A) => infer R ? (self: T, ...rest: A) => R : never;
/** `uncurry(f)(self, ...args)` is `f.call(self, ...args)`, whatever happens to `Function.prototype.call`. */
export declare const uncurry: <F>(f: F) => Uncurried<F>;
export declare const FunctionApply: (f: unknown, self: unknown, args: readonly unknown[]) => unknown;
export declare const ObjectCreate: {
    (o: object | null): any;
    (o: object | null, properties: PropertyDescriptorMap & ThisType<any>): any;
}, ObjectDefineProperty: <T>(o: T, p: PropertyKey, attributes: PropertyDescriptor & ThisType<any>) => T, ObjectFreeze: {
    <T extends Function>(f: T): T;
    <T extends {
        [idx: string]: U | null | undefined | object;
    }, U extends string | bigint | number | boolean | symbol>(o: T): Readonly<T>;
    <T>(o: T): Readonly<T>;
}, ObjectGetOwnPropertyDescriptor: (o: any, p: PropertyKey) => PropertyDescriptor | undefined, ObjectGetOwnPropertyNames: (o: any) => string[], ObjectGetOwnPropertySymbols: (o: any) => symbol[], ObjectGetPrototypeOf: (o: any) => any, ObjectSetPrototypeOf: (o: any, proto: object | null) => any, ObjectKeys: {
    (o: object): string[];
    (o: {}): string[];
}, ObjectIs: (value1: any, value2: any) => boolean, ObjectIsFrozen: (o: any) => boolean;
export declare const ReflectOwnKeys: typeof Reflect.ownKeys, ReflectApply: typeof Reflect.apply, ReflectConstruct: typeof Reflect.construct;
export declare const ArrayIsArray: (arg: any) => arg is any[];
export declare const JSONStringify: {
    (value: any, replacer?: (this: any, key: string, value: any) => any, space?: string | number): string;
    (value: any, replacer?: (number | string)[] | null, space?: string | number): string;
}, JSONParse: (text: string, reviver?: (this: any, key: string, value: any) => any) => any;
export declare const NumberIsFinite: (number: unknown) => boolean, NumberIsInteger: (number: unknown) => boolean, NumberIsNaN: (number: unknown) => boolean;
export declare const MathFloor: (x: number) => number, MathMin: (...values: number[]) => number, MathMax: (...values: number[]) => number, MathCeil: (x: number) => number, MathRound: (x: number) => number;
export declare const ObjectPrototype: object;
export declare const ArrayPrototype: object;
export declare const FunctionPrototype: object;
export declare const ErrorPrototype: object;
export declare const MapPrototype: object;
export declare const SetPrototype: object;
export declare const ObjectHasOwn: (self: unknown, v: PropertyKey) => boolean;
export declare const ObjectToString: (self: unknown) => string;
export declare const ObjectPropertyIsEnumerable: (self: unknown, v: PropertyKey) => boolean;
export declare const ArrayJoin: (array: readonly unknown[], separator?: string) => string;
export declare const ArrayPush: (array: unknown[], item: unknown) => number;
export declare const ArrayPop: <T>(array: T[]) => T | undefined;
export declare const ArraySlice: <T>(array: readonly T[], start?: number, end?: number) => T[];
export declare const StringSlice: (self: unknown, start?: number | undefined, end?: number | undefined) => string;
export declare const StringIndexOf: (self: unknown, searchString: string, position?: number | undefined) => number;
export declare const StringCharCodeAt: (self: unknown, index: number) => number;
export declare const StringSplit: (text: string, separator: string) => string[];
export declare const StringRepeat: (self: unknown, count: number) => string;
export declare const StringPadEnd: (self: unknown, targetLength: number, padString?: string | undefined) => string;
export declare const StringPadStart: (self: unknown, targetLength: number, padString?: string | undefined) => string;
export declare const StringFromCharCode: (...codes: number[]) => string;
export declare const StringTrim: (self: unknown) => string;
export declare const MapGet: <K, V>(map: Map<K, V>, key: K) => V | undefined;
export declare const MapSet: <K, V>(map: Map<K, V>, key: K, value: V) => Map<K, V>;
export declare const MapHas: <K>(map: Map<K, unknown>, key: K) => boolean;
export declare const MapDelete: <K>(map: Map<K, unknown>, key: K) => boolean;
export declare const MapClear: (map: Map<unknown, unknown>) => void;
export declare const MapForEach: <K, V>(map: Map<K, V>, f: (value: V, key: K) => void) => void;
/** Throws for anything that is not a real Map: also serves as the brand check. */
export declare const MapSize: (map: unknown) => number;
export declare const SetAdd: <T>(set: Set<T>, item: T) => Set<T>;
export declare const SetHas: <T>(set: Set<T>, item: T) => boolean;
export declare const SetForEach: <T>(set: Set<T>, f: (item: T) => void) => void;
export declare const SetSize: (set: unknown) => number;
export declare const NativePromise: PromiseConstructor;
export declare const PromiseThen: (promise: Promise<unknown>, onFulfilled?: (value: unknown) => unknown, onRejected?: (reason: unknown) => unknown) => Promise<unknown>;
export declare const NativeError: ErrorConstructor;
export declare const NativeTypeError: TypeErrorConstructor;
export declare const NativeRangeError: RangeErrorConstructor;
export declare const NativeReferenceError: ReferenceErrorConstructor;
export declare const NativeMap: MapConstructor;
export declare const NativeSet: SetConstructor;
export declare const NativeDate: DateConstructor;
export declare const NativeString: StringConstructor;
export declare const NativeNumber: NumberConstructor;
export declare const NativeUint8Array: Uint8ArrayConstructor;
export declare const NativeArrayBuffer: ArrayBufferConstructor;
export declare const NativeProxy: ProxyConstructor;
export declare const SymbolIterator: typeof Symbol.iterator;
export declare const SymbolToStringTag: typeof Symbol.toStringTag;
export {};
//# sourceMappingURL=primordials.d.ts.map