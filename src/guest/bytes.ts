/** Bytes as base64 text, for the boundary. */
import { newList } from "./lists.js";
import {
  ArrayJoin,
  ArrayPush,
  MathMin,
  NativeArrayBuffer,
  NativeUint8Array,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  StringCharCodeAt,
  StringFromCharCode,
  uncurry,
} from "./primordials.js";

const typedArrayPrototype = ObjectGetPrototypeOf(NativeUint8Array.prototype) as object;
const getter = (prototype: object, name: string | symbol) =>
  uncurry(ObjectGetOwnPropertyDescriptor(prototype, name)?.get) as unknown as (self: unknown) => unknown;

/** `Uint8Array` and the like for a real typed array, `undefined` for everything else. Runs no guest code. */
export const typedArrayName = getter(typedArrayPrototype, Symbol.toStringTag) as (
  value: unknown,
) => string | undefined;
const typedArrayBuffer = getter(typedArrayPrototype, "buffer") as (view: unknown) => ArrayBuffer;
const typedArrayOffset = getter(typedArrayPrototype, "byteOffset") as (view: unknown) => number;
const typedArrayBytes = getter(typedArrayPrototype, "byteLength") as (view: unknown) => number;
/** These three throw for anything that is not of their kind: also brand checks. */
export const bufferByteLength = getter(NativeArrayBuffer.prototype, "byteLength") as (
  value: unknown,
) => number;
const dataViewBuffer = getter(DataView.prototype, "buffer") as (value: unknown) => ArrayBuffer;
const dataViewOffset = getter(DataView.prototype, "byteOffset") as (value: unknown) => number;
export const dataViewByteLength = getter(DataView.prototype, "byteLength") as (value: unknown) => number;

export function typedArrayView(value: unknown): Uint8Array {
  return new NativeUint8Array(typedArrayBuffer(value), typedArrayOffset(value), typedArrayBytes(value));
}

export function dataViewView(value: unknown): Uint8Array {
  return new NativeUint8Array(dataViewBuffer(value), dataViewOffset(value), dataViewByteLength(value));
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const codes = new NativeUint8Array(64);
const values = new NativeUint8Array(128);
for (let index = 0; index < 64; index++) {
  codes[index] = StringCharCodeAt(ALPHABET, index);
  values[StringCharCodeAt(ALPHABET, index)] = index;
}

/** Texts this long are joined at once; longer pieces would need a long argument list. */
const PIECE = 3072;

export function toBase64(bytes: Uint8Array): string {
  const pieces = newList<string>();
  const length = typedArrayBytes(bytes);
  for (let start = 0; start < length; start += PIECE) {
    let piece = "";
    const end = MathMin(start + PIECE, length);
    for (let index = start; index < end; index += 3) {
      const left = end - index;
      const word =
        (bytes[index]! << 16) |
        ((left > 1 ? bytes[index + 1]! : 0) << 8) |
        (left > 2 ? bytes[index + 2]! : 0);
      piece += StringFromCharCode(
        codes[word >> 18]!,
        codes[(word >> 12) & 63]!,
        left > 1 ? codes[(word >> 6) & 63]! : 61,
        left > 2 ? codes[word & 63]! : 61,
      );
    }
    ArrayPush(pieces, piece);
  }
  return ArrayJoin(pieces, "");
}

/** Of text this package wrote: no white space, padded. */
export function fromBase64(text: string): ArrayBuffer {
  let length = (text.length / 4) * 3;
  if (StringCharCodeAt(text, text.length - 1) === 61) length--;
  if (StringCharCodeAt(text, text.length - 2) === 61) length--;
  const buffer = new NativeArrayBuffer(text.length === 0 ? 0 : length);
  const bytes = new NativeUint8Array(buffer);
  let at = 0;
  for (let index = 0; index < text.length; index += 4) {
    const word =
      (values[StringCharCodeAt(text, index)]! << 18) |
      (values[StringCharCodeAt(text, index + 1)]! << 12) |
      (values[StringCharCodeAt(text, index + 2) & 127]! << 6) |
      values[StringCharCodeAt(text, index + 3) & 127]!;
    bytes[at++] = word >> 16;
    if (at < length) bytes[at++] = (word >> 8) & 255;
    if (at < length) bytes[at++] = word & 255;
  }
  return buffer;
}
