import { typedArrayLength, typedArrayName } from "../brands.js";
import {
  NativeRangeError,
  NativeString,
  NativeTypeError,
  NativeUint8Array,
  ObjectCreate,
  StringSlice,
  StringSplit,
  StringTrim,
} from "../primordials.js";
import { bytesOf } from "./bytes.js";
import { defineClass, requireArguments } from "./define.js";
import { StringToLowerCase } from "./intrinsics.js";
import { decodeUtf8, encodeUtf8, encodeUtf8Into, newUtf8State, UnitBuffer } from "./utf8.js";

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

const labels: Record<string, Encoding> = ObjectCreate(null);
const addLabels = (encoding: Encoding, names: string) => {
  const list = StringSplit(names, " ");
  for (let i = 0; i < list.length; i++) labels[list[i]!] = encoding;
};
addLabels("utf-8", "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8");
addLabels("utf-16le", "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le");
addLabels("utf-16be", "unicodefffe utf-16be");
addLabels(
  "windows-1252",
  "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
);

/** What windows-1252 has at 0x80-0x9F; zero means the byte itself. */
const windows1252 = [
  0x20ac, 0, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17d, 0,
  0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0, 0x17e,
  0x178,
];

class GuestTextEncoder {
  get encoding(): string {
    return "utf-8";
  }

  encode(text: unknown = ""): Uint8Array {
    return encodeUtf8(NativeString(text));
  }

  encodeInto(source: unknown, target: Uint8Array): { read: number; written: number } {
    requireArguments("TextEncoder.encodeInto", arguments.length, 2);
    if (typeof target !== "object" || typedArrayName(target) !== "Uint8Array")
      throw new NativeTypeError("TextEncoder.encodeInto: the target must be a Uint8Array");
    return encodeUtf8Into(NativeString(source), target, typedArrayLength(target));
  }
}

class GuestTextDecoder {
  readonly #encoding: Encoding;
  readonly #fatal: boolean;
  readonly #ignoreBOM: boolean;
  #utf8 = newUtf8State();
  #oddByte = -1;
  #highSurrogate = -1;
  #started = false;
  #streaming = false;

  constructor(label: unknown = "utf-8", options: { fatal?: unknown; ignoreBOM?: unknown } = {}) {
    const encoding = labels[StringToLowerCase(StringTrim(NativeString(label)))];
    if (encoding === undefined)
      throw new NativeRangeError(
        `The encoding "${NativeString(label)}" is not supported here: utf-8, utf-16le, utf-16be and windows-1252 (latin1) are`,
      );
    this.#encoding = encoding;
    this.#fatal = !!options?.fatal;
    this.#ignoreBOM = !!options?.ignoreBOM;
  }

  get encoding(): string {
    return this.#encoding;
  }
  get fatal(): boolean {
    return this.#fatal;
  }
  get ignoreBOM(): boolean {
    return this.#ignoreBOM;
  }

  decode(source?: unknown, options: { stream?: unknown } = {}): string {
    const { bytes, length } =
      source === undefined
        ? { bytes: new NativeUint8Array(0), length: 0 }
        : bytesOf(source, "TextDecoder.decode");
    if (!this.#streaming) this.#reset();
    this.#streaming = !!options?.stream;
    const output = new UnitBuffer();
    const fail = () => {
      if (this.#fatal) {
        this.#streaming = false;
        throw new NativeTypeError(`The encoded data was not valid for encoding ${this.#encoding}`);
      }
      output.push(0xfffd);
    };
    if (this.#encoding === "utf-8") decodeUtf8(bytes, length, this.#utf8, !this.#streaming, output, fail);
    else if (this.#encoding === "windows-1252") decodeWindows1252(bytes, length, output);
    else this.#decodeUtf16(bytes, length, output, fail);
    const text = output.finish();
    if (this.#started || text === "") return text;
    this.#started = true;
    const marked = this.#encoding !== "windows-1252" && !this.#ignoreBOM && text[0] === "\ufeff";
    return marked ? StringSlice(text, 1) : text;
  }

  #reset(): void {
    this.#utf8 = newUtf8State();
    this.#oddByte = -1;
    this.#highSurrogate = -1;
    this.#started = false;
  }

  #decodeUtf16(bytes: Uint8Array, length: number, output: UnitBuffer, fail: () => void): void {
    for (let i = 0; i < length; i++) {
      if (this.#oddByte < 0) {
        this.#oddByte = bytes[i]!;
        continue;
      }
      const unit =
        this.#encoding === "utf-16le" ? this.#oddByte | (bytes[i]! << 8) : (this.#oddByte << 8) | bytes[i]!;
      this.#oddByte = -1;
      const high = this.#highSurrogate;
      this.#highSurrogate = -1;
      const isLow = unit >= 0xdc00 && unit <= 0xdfff;
      if (high >= 0) {
        if (isLow) {
          output.push(high);
          output.push(unit);
          continue;
        }
        fail();
      }
      if (unit >= 0xd800 && unit < 0xdc00) this.#highSurrogate = unit;
      else if (isLow) fail();
      else output.push(unit);
    }
    if (!this.#streaming && (this.#oddByte >= 0 || this.#highSurrogate >= 0)) {
      this.#oddByte = -1;
      this.#highSurrogate = -1;
      fail();
    }
  }
}

function decodeWindows1252(bytes: Uint8Array, length: number, output: UnitBuffer): void {
  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!;
    output.push(byte >= 0x80 && byte < 0xa0 ? windows1252[byte - 0x80] || byte : byte);
  }
}

export function installTextEncoding(): void {
  defineClass(globalThis, "TextEncoder", GuestTextEncoder);
  defineClass(globalThis, "TextDecoder", GuestTextDecoder);
}
