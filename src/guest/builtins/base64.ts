/** Base64 and hexadecimal: `atob`, `btoa` and the methods of `Uint8Array` that the engine lacks. */
import {
  FunctionApply,
  MathMin,
  NativeString,
  NativeTypeError,
  NativeUint8Array,
  StringCharCodeAt,
  StringFromCharCode,
  StringSlice,
} from "../primordials.js";
import { defineBuiltin, defineMethods, requireArguments } from "./define.js";
import { GuestDOMException } from "./dom-exception.js";
import {
  asArguments,
  TypedArrayBuffer,
  TypedArrayLength,
  TypedArraySet,
  TypedArrayTag,
} from "./intrinsics.js";

const NativeSyntaxError = SyntaxError;
const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const urlSafe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const hexDigits = "0123456789abcdef";

const codesOf = (digits: string) => {
  const codes = new NativeUint8Array(digits.length);
  for (let i = 0; i < digits.length; i++) codes[i] = StringCharCodeAt(digits, i);
  return codes;
};
const encodeTables = { base64: codesOf(plain), base64url: codesOf(urlSafe), hex: codesOf(hexDigits) };
const NOT_A_DIGIT = 255;
const valuesOf = (digits: string, alike: string = "") => {
  const values = new NativeUint8Array(128).fill(NOT_A_DIGIT);
  for (let i = 0; i < digits.length; i++) values[StringCharCodeAt(digits, i)] = i;
  for (let i = 0; i < alike.length; i++) values[StringCharCodeAt(alike, i)] = i;
  return values;
};
const decodeTables = {
  base64: valuesOf(plain),
  base64url: valuesOf(urlSafe),
  hex: valuesOf(hexDigits, "0123456789ABCDEF"),
};
const PAD = 61;
const CHUNK = 32_760;

/** One code unit per byte. */
export function latin1FromBytes(bytes: Uint8Array, length: number): string {
  let text = "";
  const buffer = TypedArrayBuffer(bytes);
  for (let at = 0; at < length; at += CHUNK) {
    const size = MathMin(length - at, CHUNK);
    const part = asArguments(new NativeUint8Array(buffer, at, size), size);
    text += FunctionApply(StringFromCharCode, undefined, part as unknown as number[]) as string;
  }
  return text;
}

function encodeBase64(bytes: Uint8Array, length: number, table: Uint8Array, padded: boolean): string {
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

interface Decoded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly written: number;
  readonly read: number;
  /** Set where the text is not base64; what was decoded before it stays valid. */
  readonly problem?: string;
}

type LastChunk = "loose" | "strict" | "stop-before-partial";

/** FromBase64 of the language specification, with the one case of `atob` (unpadded rest allowed) as `loose`. */
function decodeBase64(text: string, values: Uint8Array, lastChunk: LastChunk, capacity: number): Decoded {
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

function decodeHex(text: string, capacity: number): Decoded {
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

interface Base64Options {
  readonly alphabet?: unknown;
  readonly omitPadding?: unknown;
  readonly lastChunkHandling?: unknown;
}

function alphabetOf(options: Base64Options | undefined): "base64" | "base64url" {
  const alphabet = options?.alphabet ?? "base64";
  if (alphabet !== "base64" && alphabet !== "base64url")
    throw new NativeTypeError('alphabet must be "base64" or "base64url"');
  return alphabet;
}

function lastChunkOf(options: Base64Options | undefined): LastChunk {
  const handling = options?.lastChunkHandling ?? "loose";
  if (handling !== "loose" && handling !== "strict" && handling !== "stop-before-partial")
    throw new NativeTypeError('lastChunkHandling must be "loose", "strict" or "stop-before-partial"');
  return handling;
}

function requireText(text: unknown, what: string): asserts text is string {
  if (typeof text !== "string") throw new NativeTypeError(`${what}: the argument must be a string`);
}

function requireBytes(self: unknown, what: string): asserts self is Uint8Array {
  if (typeof self !== "object" || self === null || TypedArrayTag(self) !== "Uint8Array")
    throw new NativeTypeError(`${what}: this is not a Uint8Array`);
}

function whole({ bytes, written, problem }: Decoded, what: string): Uint8Array {
  if (problem !== undefined) throw new NativeSyntaxError(`${what}: ${problem}`);
  if (TypedArrayLength(bytes) === written) return bytes;
  const exact = new NativeUint8Array(written);
  TypedArraySet(exact, new NativeUint8Array(TypedArrayBuffer(bytes), 0, written));
  return exact;
}

function into(target: Uint8Array, decoded: Decoded, what: string): { read: number; written: number } {
  TypedArraySet(target, new NativeUint8Array(TypedArrayBuffer(decoded.bytes), 0, decoded.written));
  if (decoded.problem !== undefined) throw new NativeSyntaxError(`${what}: ${decoded.problem}`);
  return { read: decoded.read, written: decoded.written };
}

const instanceMethods = {
  toBase64(this: unknown, options?: Base64Options): string {
    requireBytes(this, "toBase64");
    const table = encodeTables[alphabetOf(options)];
    return encodeBase64(this, TypedArrayLength(this), table, !options?.omitPadding);
  },
  toHex(this: unknown): string {
    requireBytes(this, "toHex");
    const length = TypedArrayLength(this);
    const out = new NativeUint8Array(length * 2);
    for (let i = 0; i < length; i++) {
      out[2 * i] = encodeTables.hex[this[i]! >> 4]!;
      out[2 * i + 1] = encodeTables.hex[this[i]! & 15]!;
    }
    return latin1FromBytes(out, length * 2);
  },
  setFromBase64(this: unknown, text: unknown, options?: Base64Options) {
    requireBytes(this, "setFromBase64");
    requireText(text, "setFromBase64");
    const values = decodeTables[alphabetOf(options)];
    return into(
      this,
      decodeBase64(text, values, lastChunkOf(options), TypedArrayLength(this)),
      "setFromBase64",
    );
  },
  setFromHex(this: unknown, text: unknown) {
    requireBytes(this, "setFromHex");
    requireText(text, "setFromHex");
    return into(this, decodeHex(text, TypedArrayLength(this)), "setFromHex");
  },
};

const staticMethods = {
  fromBase64(text: unknown, options?: Base64Options): Uint8Array {
    requireText(text, "fromBase64");
    const values = decodeTables[alphabetOf(options)];
    return whole(decodeBase64(text, values, lastChunkOf(options), Infinity), "fromBase64");
  },
  fromHex(text: unknown): Uint8Array {
    requireText(text, "fromHex");
    return whole(decodeHex(text, Infinity), "fromHex");
  },
};

const globals = {
  btoa(text: unknown): string {
    requireArguments("btoa", arguments.length, 1);
    const source = NativeString(text);
    const bytes = new NativeUint8Array(source.length);
    for (let i = 0; i < source.length; i++) {
      const code = StringCharCodeAt(source, i);
      if (code > 255)
        throw new GuestDOMException(
          "btoa: the text has characters outside of the Latin1 range; encode it with TextEncoder and use Uint8Array.prototype.toBase64",
          "InvalidCharacterError",
        );
      bytes[i] = code;
    }
    return encodeBase64(bytes, source.length, encodeTables.base64, true);
  },
  atob(text: unknown): string {
    requireArguments("atob", arguments.length, 1);
    const { bytes, written, problem } = decodeBase64(
      NativeString(text),
      decodeTables.base64,
      "loose",
      Infinity,
    );
    if (problem !== undefined)
      throw new GuestDOMException(`atob: the text is not base64: ${problem}`, "InvalidCharacterError");
    return latin1FromBytes(bytes, written);
  },
};

export function installBase64(): void {
  defineBuiltin(globalThis, "atob", globals.atob);
  defineBuiltin(globalThis, "btoa", globals.btoa);
  defineMethods(NativeUint8Array, staticMethods);
  defineMethods(NativeUint8Array.prototype, instanceMethods);
}
