/**
 * `Math.random` and the random values of `crypto`.
 *
 * `Math.random` is sfc32, seeded by the session: at boot, so that the base image is the same everywhere, and again
 * from the host when a session starts or is restored. `crypto` asks the host, unless the app asked for a run that
 * can be repeated: then its values come from the same numbers.
 */
import { typedArrayBuffer, typedArrayBytes, typedArrayName, typedArrayOffset } from "../brands.js";
import { defineConstant } from "../define-data.js";
import { askHost } from "../host.js";
import {
  NativeTypeError,
  NativeUint8Array,
  ObjectCreate,
  StringCharCodeAt,
  StringSlice,
  SymbolToStringTag,
} from "../primordials.js";
import { defineBuiltin, defineMethods, requireArguments } from "./define.js";
import { GuestDOMException } from "./dom-exception.js";
import { MathImul, NativeMath } from "./intrinsics.js";

let a = 0;
let b = 0;
let c = 0;
let counter = 1;
let isRepeatable = false;

function next(): number {
  const result = (((a + b) | 0) + counter) | 0;
  counter = (counter + 1) | 0;
  a = b ^ (b >>> 9);
  b = (c + (c << 3)) | 0;
  c = (c << 21) | (c >>> 11);
  c = (c + result) | 0;
  return result >>> 0;
}

/** Restarts `Math.random`. The same text gives the same numbers; one that starts with `=` is the app's own. */
export function reseed(seedText: string): void {
  isRepeatable = StringCharCodeAt(seedText, 0) === 61;
  const words = [0x9e3779b9, 0x243f6a88, 0xb7e15162];
  for (let i = 0; i < seedText.length; i++) {
    const code = StringCharCodeAt(seedText, i);
    for (let k = 0; k < 3; k++) {
      const mixed = MathImul(words[k]! ^ (code + i), 0x85ebca6b + 2 * k);
      words[k] = mixed ^ (mixed >>> 13) ^ words[(k + 1) % 3]!;
    }
  }
  a = words[0]! | 0;
  b = words[1]! | 0;
  c = words[2]! | 0;
  counter = 1;
  for (let i = 0; i < 16; i++) next();
}

const mathMethods = {
  random(): number {
    return ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
  },
};

const integerTypes: Record<string, true> = ObjectCreate(null);
integerTypes["Int8Array"] = integerTypes["Uint8Array"] = integerTypes["Uint8ClampedArray"] = true;
integerTypes["Int16Array"] = integerTypes["Uint16Array"] = integerTypes["Int32Array"] = true;
integerTypes["Uint32Array"] = integerTypes["BigInt64Array"] = integerTypes["BigUint64Array"] = true;

function randomHex(length: number): string {
  if (!isRepeatable) return askHost("random", `${length}`);
  let hex = "";
  for (let i = 0; i < length; i++) {
    const byte = next() >>> 24;
    hex += "0123456789abcdef"[byte >> 4]! + "0123456789abcdef"[byte & 15]!;
  }
  return hex;
}

const hexValue = (code: number) => (code < 58 ? code - 48 : code - 87);

function fill(bytes: Uint8Array, length: number): void {
  const hex = randomHex(length);
  for (let i = 0; i < length; i++)
    bytes[i] = (hexValue(StringCharCodeAt(hex, 2 * i)) << 4) | hexValue(StringCharCodeAt(hex, 2 * i + 1));
}

const cryptoMethods = {
  getRandomValues(array: unknown): unknown {
    requireArguments("crypto.getRandomValues", arguments.length, 1);
    const tag = typeof array === "object" && array !== null ? (typedArrayName(array) as string) : undefined;
    if (tag === undefined)
      throw new NativeTypeError("crypto.getRandomValues: the argument must be a typed array");
    if (!integerTypes[tag])
      throw new GuestDOMException(
        "crypto.getRandomValues: the array must hold integers",
        "TypeMismatchError",
      );
    const length = typedArrayBytes(array);
    if (length > 65_536)
      throw new GuestDOMException(
        `crypto.getRandomValues: at most 65536 bytes at once, not ${length}`,
        "QuotaExceededError",
      );
    fill(new NativeUint8Array(typedArrayBuffer(array), typedArrayOffset(array), length), length);
    return array;
  },
  randomUUID(): string {
    const hex = randomHex(16);
    const variant = "89ab"[StringCharCodeAt(hex, 16) & 3];
    const part = (start: number, end: number) => StringSlice(hex, start, end);
    return `${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-${variant}${part(17, 20)}-${part(20, 32)}`;
  },
};

export function installRandom(): void {
  reseed("");
  defineBuiltin(NativeMath, "random", mathMethods.random);
  const crypto = {};
  defineMethods(crypto, cryptoMethods);
  defineConstant(crypto, SymbolToStringTag, "Crypto");
  defineBuiltin(globalThis, "crypto", crypto);
}
