/** Bytes, and their way across the boundary: beside the text, so that they cost the guest no step and no memory. */
import { askHost } from "./host.js";
import {
  NativeArrayBuffer,
  NativeUint8Array,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  StringCharCodeAt,
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

/**
 * Gives the host the bytes that a value holds, in this order: it reads them where they lie. Whatever names them has to
 * be the next that is said to the host.
 */
export function sendBytes(views: readonly Uint8Array[]): void {
  for (let index = 0; index < views.length; index++) {
    const view = views[index]!;
    askHost(
      "send-bytes",
      `${index} ${typedArrayOffset(view)} ${typedArrayBytes(view)}`,
      typedArrayBuffer(view),
    );
  }
}

/** Bytes that the host has ready: `length` of those at `index`, from `offset` on. */
export function takeBytes(index: number, offset: number, length: number): ArrayBuffer {
  const buffer = new NativeArrayBuffer(length);
  if (length > 0) askHost("take-bytes", `${index} ${offset}`, buffer);
  return buffer;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const values = new NativeUint8Array(128);
for (let index = 0; index < 64; index++) values[StringCharCodeAt(ALPHABET, index)] = index;

/** What data sections of the first snapshots hold; these have no white space and are padded. */
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
