import { NativeTypeError, NativeUint8Array } from "../primordials.js";
import {
  ArrayBufferByteLength,
  ArrayBufferIsView,
  DataViewBuffer,
  DataViewByteLength,
  DataViewByteOffset,
  TypedArrayBuffer,
  TypedArrayByteLength,
  TypedArrayByteOffset,
  TypedArrayTag,
} from "./intrinsics.js";

export interface ByteRange {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** The bytes behind a buffer, a typed array or a `DataView`, without copying. */
export function bytesOf(source: unknown, what: string): ByteRange {
  if (ArrayBufferIsView(source)) {
    const typed = TypedArrayTag(source) !== undefined;
    const buffer = typed ? TypedArrayBuffer(source) : DataViewBuffer(source);
    const offset = typed ? TypedArrayByteOffset(source) : DataViewByteOffset(source);
    const length = typed ? TypedArrayByteLength(source) : DataViewByteLength(source);
    return { bytes: new NativeUint8Array(buffer, offset, length), length };
  }
  let length: number;
  try {
    length = ArrayBufferByteLength(source);
  } catch {
    throw new NativeTypeError(`${what}: the argument must be an ArrayBuffer or a view of one`);
  }
  return { bytes: new NativeUint8Array(source as ArrayBuffer), length };
}
