import { defineConstant, defineData } from "../define-data.js";
import { MathMin, NativeTypeError, ReflectApply, ReflectConstruct, SymbolIterator } from "../primordials.js";
import { defineMethods } from "./define.js";
import { MathTrunc, NativeObject } from "./intrinsics.js";

const NativeArray = Array;
const SymbolAsyncIterator: typeof Symbol.asyncIterator = Symbol.asyncIterator;

type MapFunction = (item: unknown, index: number) => unknown;
type Target = Record<number, unknown> & { length: number };

const isConstructor = (value: unknown): value is new (length?: number) => Target => {
  if (typeof value !== "function") return false;
  try {
    ReflectConstruct(NativeObject, [], value);
    return true;
  } catch {
    return false;
  }
};

const methods = {
  /** Here `for await` is right: to run the iterators of the guest is what it is asked for. */
  async fromAsync(this: unknown, source: unknown, map?: MapFunction, self?: unknown): Promise<unknown> {
    if (map !== undefined && typeof map !== "function")
      throw new NativeTypeError("Array.fromAsync: the second argument must be a function");
    if (source === undefined || source === null)
      throw new NativeTypeError("Array.fromAsync: the first argument must be iterable or like an array");
    const type = isConstructor(this) ? this : NativeArray;
    const iterable = source as AsyncIterable<unknown> & Iterable<unknown>;
    let index = 0;
    if (
      (iterable as { [SymbolAsyncIterator]?: unknown })[SymbolAsyncIterator] != null ||
      iterable[SymbolIterator] != null
    ) {
      const target = new type() as Target;
      for await (const item of iterable) {
        const mapped = map === undefined ? item : await ReflectApply(map, self, [item, index]);
        defineData(target, index++, mapped, true);
      }
      target.length = index;
      return target;
    }
    const list = NativeObject(source) as ArrayLike<unknown>;
    const length = toLength(list.length);
    const target = new type(length) as Target;
    for (; index < length; index++) {
      const item = await list[index];
      defineData(
        target,
        index,
        map === undefined ? item : await ReflectApply(map, self, [item, index]),
        true,
      );
    }
    target.length = length;
    return target;
  },
};

const toLength = (value: unknown) => {
  const length = MathTrunc(+(value as number));
  return length > 0 ? MathMin(length, 9007199254740991) : 0;
};

export function installFromAsync(): void {
  defineConstant(methods.fromAsync, "length", 1);
  defineMethods(NativeArray, methods);
}
