/** Base64 and hexadecimal as the language specification has them, from bytes to text and back. */
import { typedArrayBuffer } from "../brands.js";
import {
  FunctionApply,
  MathMin,
  NativeUint8Array,
  StringCharCodeAt,
  StringFromCharCode,
  StringSlice,
} from "../primordials.js";
import { asArguments } from "./intrinsics.js";

const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const urlSafe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const hexDigits = "0123456789abcdef";

const codesOf = (digits: string) => {
  const codes = new NativeUint8Array(digits.length);
  for (let i = 0; i < digits.length; i++) codes[i] = StringCharCodeAt(digits, i);
  return codes;
};
export const encodeTables = { base64: codesOf(plain), base64url: codesOf(urlSafe), hex: codesOf(hexDigits) };
const NOT_A_DIGIT = 255;
const valuesOf = (digits: string, alike: string = "") => {
  const values = new NativeUint8Array(128).fill(NOT_A_DIGIT);
  for (let i = 0; i < digits.length; i++) values[StringCharCodeAt(digits, i)] = i;
  for (let i = 0; i < alike.length; i++) values[StringCharCodeAt(alike, i)] = i;
  return values;
};
export const decodeTables = {
  base64: valuesOf(plain),
  base64url: valuesOf(urlSafe),
  hex: valuesOf(hexDigits, "0123456789ABCDEF"),
};
const PAD = 61;
const CHUNK = 32_760;

/** One code unit per byte. */
export function latin1FromBytes(bytes: Uint8Array, length: number): string {
  let text = "";
  const buffer = typedArrayBuffer(bytes);
  for (let at = 0; at < length; at += CHUNK) {
    const size = MathMin(length - at, CHUNK);
    const part = asArguments(new NativeUint8Array(buffer, at, size), size);
    text += FunctionApply(StringFromCharCode, undefined, part as unknown as number[]) as string;
  }
  return text;
}

export function encodeBase64(bytes: Uint8Array, length: number, table: Uint8Array, padded: boolean): string {
  const out = new NativeUint8Array(4 * ((length + 2 - ((length + 2) % 3)) / 3));
  let at = 0;
  for (let i = 0; i < length; i += 3) {
    const left = length - i;
    const bits = (bytes[i]! << 16) | (left > 1 ? bytes[i + 1]! << 8 : 0) | (left > 2 ? bytes[i + 2]! : 0);
    out[at++] = table[bits >> 18]!;
    out[at++] = table[(bits >> 12) & 63]!;
    if (left > 1) out[at++] = table[(bits >> 6) & 63]!;
    else if (padded) out[at++] = PAD;
    if (left > 2) out[at++] = table[bits & 63]!;
    else if (padded) out[at++] = PAD;
  }
  return latin1FromBytes(out, at);
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13 && code !== 11);

export interface Decoded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly written: number;
  readonly read: number;
  /** Set where the text is not base64; what was decoded before it stays valid. */
  readonly problem?: string;
}

export type LastChunk = "loose" | "strict" | "stop-before-partial";

/** FromBase64 of the language specification, with the one case of `atob` (unpadded rest allowed) as `loose`. */
export function decodeBase64(
  text: string,
  values: Uint8Array,
  lastChunk: LastChunk,
  capacity: number,
): Decoded {
  const length = text.length;
  const room = ((length - (length % 4)) / 4) * 3 + 3;
  const bytes = new NativeUint8Array(MathMin(room, capacity));
  let written = 0;
  let read = 0;
  let bits = 0;
  let count = 0;
  const result = (problem?: string): Decoded =>
    problem === undefined ? { bytes, written, read } : { bytes, written, read, problem };
  const flushPartial = () => {
    bytes[written++] = count === 2 ? bits >> 4 : bits >> 10;
    if (count === 3) bytes[written++] = (bits >> 2) & 255;
  };
  if (capacity === 0) return result();
  for (let i = 0; ; i++) {
    while (i < length && isSpace(StringCharCodeAt(text, i))) i++;
    if (i >= length) {
      if (count === 0) {
        read = length;
        return result();
      }
      if (lastChunk === "stop-before-partial") return result();
      if (lastChunk === "strict") return result("the last group of characters is not padded");
      if (count === 1) return result("one character is left over");
      flushPartial();
      read = length;
      return result();
    }
    const code = StringCharCodeAt(text, i);
    if (code === PAD) {
      if (count < 2) return result("the padding is in the wrong place");
      let next = i + 1;
      while (next < length && isSpace(StringCharCodeAt(text, next))) next++;
      if (count === 2) {
        if (next >= length) {
          if (lastChunk === "stop-before-partial") return result();
          return result("the padding is incomplete");
        }
        if (StringCharCodeAt(text, next) !== PAD) return result("the padding is incomplete");
        next++;
        while (next < length && isSpace(StringCharCodeAt(text, next))) next++;
      }
      if (next < length) return result("there is text after the padding");
      if (lastChunk === "strict" && (count === 2 ? bits & 15 : bits & 3))
        return result("unused bits are not zero");
      flushPartial();
      read = length;
      return result();
    }
    const value = code < 128 ? values[code]! : NOT_A_DIGIT;
    if (value === NOT_A_DIGIT) return result(`the character ${quoted(text, i)} is not allowed`);
    const remaining = capacity - written;
    if ((remaining === 1 && count === 2) || (remaining === 2 && count === 3)) return result();
    bits = (bits << 6) | value;
    if (++count < 4) continue;
    bytes[written++] = bits >> 16;
    bytes[written++] = (bits >> 8) & 255;
    bytes[written++] = bits & 255;
    bits = 0;
    count = 0;
    read = i + 1;
    if (written === capacity) return result();
  }
}

const quoted = (text: string, at: number) => `"${StringSlice(text, at, at + 1)}" at ${at}`;

export function decodeHex(text: string, capacity: number): Decoded {
  const room = (text.length - (text.length % 2)) / 2;
  const bytes = new NativeUint8Array(MathMin(room, capacity));
  let written = 0;
  let read = 0;
  if (text.length % 2 !== 0) return { bytes, written, read, problem: "the number of digits is odd" };
  while (read < text.length && written < capacity) {
    const codeHigh = StringCharCodeAt(text, read);
    const codeLow = StringCharCodeAt(text, read + 1);
    const high = codeHigh < 128 ? decodeTables.hex[codeHigh]! : NOT_A_DIGIT;
    const low = codeLow < 128 ? decodeTables.hex[codeLow]! : NOT_A_DIGIT;
    if (high === NOT_A_DIGIT || low === NOT_A_DIGIT)
      return {
        bytes,
        written,
        read,
        problem: `the character ${quoted(text, high === NOT_A_DIGIT ? read : read + 1)} is not a hexadecimal digit`,
      };
    bytes[written++] = (high << 4) | low;
    read += 2;
  }
  return { bytes, written, read };
}
