import {
  arrayBufferLength,
  dataViewBuffer,
  dataViewLength,
  dataViewOffset,
  typedArrayBuffer,
  typedArrayBytes,
  typedArrayName,
  typedArrayOffset,
} from "../brands.js";
import { NativeTypeError, NativeUint8Array } from "../primordials.js";
import { ArrayBufferIsView } from "./intrinsics.js";

export interface ByteRange {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** The bytes behind a buffer, a typed array or a `DataView`, without copying. */
export function bytesOf(source: unknown, what: string): ByteRange {
  if (ArrayBufferIsView(source)) {
    const typed = typedArrayName(source) !== undefined;
    const buffer = typed ? typedArrayBuffer(source) : dataViewBuffer(source);
    const offset = typed ? typedArrayOffset(source) : dataViewOffset(source);
    const length = typed ? typedArrayBytes(source) : dataViewLength(source);
    return { bytes: new NativeUint8Array(buffer, offset, length), length };
  }
  let length: number;
  try {
    length = arrayBufferLength(source);
  } catch {
    throw new NativeTypeError(`${what}: the argument must be an ArrayBuffer or a view of one`);
  }
  return { bytes: new NativeUint8Array(source as ArrayBuffer), length };
}
