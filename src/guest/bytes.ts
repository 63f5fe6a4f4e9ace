/** Bytes, and their way across the boundary: beside the text, so that they cost the guest no step and no memory. */
import {
  dataViewBuffer,
  dataViewLength,
  dataViewOffset,
  typedArrayBuffer,
  typedArrayBytes,
  typedArrayOffset,
} from "./brands.js";
import { askHost } from "./host.js";
import { NativeArrayBuffer, NativeUint8Array, StringCharCodeAt } from "./primordials.js";

export function typedArrayView(value: unknown): Uint8Array {
  return new NativeUint8Array(typedArrayBuffer(value), typedArrayOffset(value), typedArrayBytes(value));
}

export function dataViewView(value: unknown): Uint8Array {
  return new NativeUint8Array(dataViewBuffer(value), dataViewOffset(value), dataViewLength(value));
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
