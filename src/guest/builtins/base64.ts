/** `atob`, `btoa` and the methods of `Uint8Array` for base64 and hexadecimal, which the engine lacks. */
import { typedArrayBuffer, typedArrayLength, typedArrayName } from "../brands.js";
import {
  NativeString,
  NativeSyntaxError,
  NativeTypeError,
  NativeUint8Array,
  StringCharCodeAt,
} from "../primordials.js";
import {
  type Decoded,
  decodeBase64,
  decodeHex,
  decodeTables,
  encodeBase64,
  encodeTables,
  type LastChunk,
  latin1FromBytes,
} from "./base64-codec.js";
import { defineBuiltin, defineMethods, requireArguments } from "./define.js";
import { GuestDOMException } from "./dom-exception.js";
import { TypedArraySet } from "./intrinsics.js";

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
  if (typeof self !== "object" || self === null || typedArrayName(self) !== "Uint8Array")
    throw new NativeTypeError(`${what}: this is not a Uint8Array`);
}

function whole({ bytes, written, problem }: Decoded, what: string): Uint8Array {
  if (problem !== undefined) throw new NativeSyntaxError(`${what}: ${problem}`);
  if (typedArrayLength(bytes) === written) return bytes;
  const exact = new NativeUint8Array(written);
  TypedArraySet(exact, new NativeUint8Array(typedArrayBuffer(bytes), 0, written));
  return exact;
}

function into(target: Uint8Array, decoded: Decoded, what: string): { read: number; written: number } {
  TypedArraySet(target, new NativeUint8Array(typedArrayBuffer(decoded.bytes), 0, decoded.written));
  if (decoded.problem !== undefined) throw new NativeSyntaxError(`${what}: ${decoded.problem}`);
  return { read: decoded.read, written: decoded.written };
}

const instanceMethods = {
  toBase64(this: unknown, options?: Base64Options): string {
    requireBytes(this, "toBase64");
    const table = encodeTables[alphabetOf(options)];
    return encodeBase64(this, typedArrayLength(this), table, !options?.omitPadding);
  },
  toHex(this: unknown): string {
    requireBytes(this, "toHex");
    const length = typedArrayLength(this);
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
      decodeBase64(text, values, lastChunkOf(options), typedArrayLength(this)),
      "setFromBase64",
    );
  },
  setFromHex(this: unknown, text: unknown) {
    requireBytes(this, "setFromHex");
    requireText(text, "setFromHex");
    return into(this, decodeHex(text, typedArrayLength(this)), "setFromHex");
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
