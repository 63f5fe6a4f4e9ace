/** UTF-8 as the Encoding standard has it, on index loops: neither side can be reached by a replaced prototype. */
import { typedArrayBuffer, typedArrayOffset } from "../brands.js";
import {
  FunctionApply,
  MathMin,
  NativeUint8Array,
  StringCharCodeAt,
  StringFromCharCode,
  StringSlice,
} from "../primordials.js";
import { asArguments, NativeUint16Array, TypedArraySet } from "./intrinsics.js";

/** Writes as much of `text` as fits; a lone surrogate becomes U+FFFD. */
export function encodeUtf8Into(
  text: string,
  target: Uint8Array,
  capacity: number,
): { read: number; written: number } {
  const length = text.length;
  let read = 0;
  let written = 0;
  while (read < length) {
    let code = StringCharCodeAt(text, read);
    if (code < 0x80) {
      if (written >= capacity) break;
      target[written++] = code;
      read++;
      continue;
    }
    let units = 1;
    if (code >= 0xd800 && code <= 0xdfff) {
      const low = code < 0xdc00 && read + 1 < length ? StringCharCodeAt(text, read + 1) : 0;
      if (low >= 0xdc00 && low <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        units = 2;
      } else code = 0xfffd;
    }
    const size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (written + size > capacity) break;
    if (size === 2) target[written++] = 0xc0 | (code >> 6);
    else {
      if (size === 3) target[written++] = 0xe0 | (code >> 12);
      else {
        target[written++] = 0xf0 | (code >> 18);
        target[written++] = 0x80 | ((code >> 12) & 63);
      }
      target[written++] = 0x80 | ((code >> 6) & 63);
    }
    target[written++] = 0x80 | (code & 63);
    read += units;
  }
  return { read, written };
}

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  // Most text is ASCII: the first attempt has exactly its size, and the rest is bounded by three bytes a unit.
  const bytes = new NativeUint8Array(text.length);
  const { read, written } = encodeUtf8Into(text, bytes, text.length);
  if (read === text.length) return bytes;
  const rest = StringSlice(text, read);
  const tail = new NativeUint8Array(rest.length * 3);
  const end = encodeUtf8Into(rest, tail, rest.length * 3);
  const all = new NativeUint8Array(written + end.written);
  TypedArraySet(all, new NativeUint8Array(typedArrayBuffer(bytes), 0, written));
  TypedArraySet(all, new NativeUint8Array(typedArrayBuffer(tail), 0, end.written), written);
  return all;
}

const CHUNK = 8192;
/** Below this a run of ASCII is not worth a call of its own. */
const SHORT_RUN = 16;

/** Collects UTF-16 code units and turns them into a string a chunk at a time. */
export class UnitBuffer {
  #units = new NativeUint16Array(CHUNK);
  #count = 0;
  #text = "";

  push(unit: number): void {
    this.#units[this.#count++] = unit;
    if (this.#count === CHUNK) this.#flush();
  }

  pushCodePoint(code: number): void {
    if (code < 0x10000) this.push(code);
    else {
      this.push(0xd800 + ((code - 0x10000) >> 10));
      this.push(0xdc00 + ((code - 0x10000) & 0x3ff));
    }
  }

  #flush(): void {
    const units = asArguments(this.#units, this.#count);
    this.#text += FunctionApply(StringFromCharCode, undefined, units as unknown as number[]) as string;
    this.#count = 0;
  }

  /** A run of ASCII, as long as it may be, without looking at each byte. */
  pushAscii(bytes: Uint8Array, start: number, end: number): void {
    if (this.#count > 0) this.#flush();
    for (let at = start; at < end; at += CHUNK) {
      const size = MathMin(end - at, CHUNK);
      const part = new NativeUint8Array(typedArrayBuffer(bytes), typedArrayOffset(bytes) + at, size);
      this.#text += FunctionApply(
        StringFromCharCode,
        undefined,
        asArguments(part, size) as unknown as number[],
      ) as string;
    }
  }

  finish(): string {
    if (this.#count > 0) this.#flush();
    const text = this.#text;
    this.#text = "";
    return text;
  }
}

/** The state of a decoder between two pieces of a stream. */
export interface Utf8State {
  needed: number;
  seen: number;
  code: number;
  lower: number;
  upper: number;
}

export const newUtf8State = (): Utf8State => ({ needed: 0, seen: 0, code: 0, lower: 0x80, upper: 0xbf });

/** Calls `malformed` for every maximal ill-formed sequence; it pushes U+FFFD or throws. */
export function decodeUtf8(
  bytes: Uint8Array,
  length: number,
  state: Utf8State,
  last: boolean,
  output: UnitBuffer,
  malformed: () => void,
): void {
  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!;
    if (state.needed === 0) {
      if (byte < 0x80) {
        let end = i + 1;
        while (end < length && bytes[end]! < 0x80) end++;
        if (end - i > SHORT_RUN) {
          output.pushAscii(bytes, i, end);
        } else for (; i < end; i++) output.push(bytes[i]!);
        i = end - 1;
      } else if (byte >= 0xc2 && byte <= 0xdf) {
        state.needed = 1;
        state.code = byte & 0x1f;
      } else if (byte >= 0xe0 && byte <= 0xef) {
        if (byte === 0xe0) state.lower = 0xa0;
        if (byte === 0xed) state.upper = 0x9f;
        state.needed = 2;
        state.code = byte & 0xf;
      } else if (byte >= 0xf0 && byte <= 0xf4) {
        if (byte === 0xf0) state.lower = 0x90;
        if (byte === 0xf4) state.upper = 0x8f;
        state.needed = 3;
        state.code = byte & 7;
      } else malformed();
      continue;
    }
    const fits = byte >= state.lower && byte <= state.upper;
    state.lower = 0x80;
    state.upper = 0xbf;
    if (!fits) {
      state.needed = 0;
      state.seen = 0;
      malformed();
      i--; // the byte may start a sequence of its own
      continue;
    }
    state.code = (state.code << 6) | (byte & 63);
    if (++state.seen === state.needed) {
      state.needed = 0;
      state.seen = 0;
      output.pushCodePoint(state.code);
    }
  }
  if (last && state.needed > 0) {
    state.needed = 0;
    state.seen = 0;
    state.lower = 0x80;
    state.upper = 0xbf;
    malformed();
  }
}
