/** What the built-ins need beyond `primordials.ts`, captured under the same rules. */
import { defineConstant } from "../define-data.js";
import { ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf, uncurry } from "../primordials.js";

const getter = (prototype: object, name: PropertyKey) =>
  uncurry(ObjectGetOwnPropertyDescriptor(prototype, name)?.get) as unknown as <R>(self: unknown) => R;

export const NativeMath = Math;
export const { imul: MathImul, trunc: MathTrunc } = Math;
export const { isView: ArrayBufferIsView } = ArrayBuffer;

interface LaterString {
  toWellFormed(): string;
}
export const StringToWellFormed = uncurry(
  (String.prototype as unknown as LaterString).toWellFormed,
) as unknown as (text: string) => string;
export const StringReplaceAll = uncurry(String.prototype.replaceAll) as unknown as (
  text: string,
  search: string,
  replacement: string,
) => string;
export const StringToLowerCase = uncurry(String.prototype.toLowerCase);
export const StringToUpperCase = uncurry(String.prototype.toUpperCase);
export const RegExpExec = uncurry(RegExp.prototype.exec);
export const ToUriComponent = encodeURIComponent;
export const FromUriComponent = decodeURIComponent;

export const ArraySort = uncurry(Array.prototype.sort) as <T>(
  array: T[],
  compare: (a: T, b: T) => number,
) => T[];
export const ArraySplice = uncurry(Array.prototype.splice) as unknown as (
  array: unknown[],
  start: number,
  count: number,
) => unknown[];

export const PrimitiveOf = {
  Boolean: uncurry(Boolean.prototype.valueOf),
  Number: uncurry(Number.prototype.valueOf),
  String: uncurry(String.prototype.valueOf),
  BigInt: uncurry(BigInt.prototype.valueOf),
  Symbol: uncurry(Symbol.prototype.valueOf),
} as const;
export const NativeObject = Object;

export const DateToString = uncurry(Date.prototype.toString);

export const typedArrayPrototype: object = ObjectGetPrototypeOf(Uint8Array.prototype) as object;
export const TypedArraySet = uncurry(Uint8Array.prototype.set) as unknown as (
  target: ArrayBufferView,
  source: ArrayBufferView,
  offset?: number,
) => void;

export const NativeDataView = DataView;

export const ArrayBufferMaxByteLength = getter(ArrayBuffer.prototype, "maxByteLength") as (
  self: unknown,
) => number;
export const ArrayBufferResizable = getter(ArrayBuffer.prototype, "resizable") as (self: unknown) => boolean;
export const ArrayBufferDetached = getter(ArrayBuffer.prototype, "detached") as (self: unknown) => boolean;
interface LaterArrayBuffer {
  transfer(): ArrayBuffer;
}
export const ArrayBufferTransfer = uncurry(
  (ArrayBuffer.prototype as unknown as LaterArrayBuffer).transfer,
) as unknown as (buffer: ArrayBuffer) => ArrayBuffer;

export const NativeUint16Array = Uint16Array;

/**
 * Gives a view an own `length`, so that its elements can be the arguments of a call although the guest may have
 * replaced the prototype's getter.
 */
export function asArguments<T extends ArrayBufferView>(view: T, length: number): T {
  defineConstant(view, "length", length);
  return view;
}
