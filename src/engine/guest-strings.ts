/** Texts between host and guest: made in the guest's memory, and read out of it. */
import type { Address, EngineInstance } from "./engine-instance.js";
import { VmOutOfMemory } from "./vm-errors.js";

/** A `JSValue` that points at a `JSString`, and where that has its length and its text. `findHeapLayout` proves it. */
const TAG_STRING = 0xfffffff9;
const STRING_LENGTH = 4;
const STRING_TEXT = 16;
/** Reading it in place is cheaper than through the engine up to here. */
const MAX_FLAT_CHARS = 100;
/** Up to here room for the longest encoding is taken, which saves a copy. */
const MAX_ENCODED_IN_PLACE = 1000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What of an instance is needed. */
export interface StringMemory {
  readonly instance: EngineInstance;
  readonly roots: { readonly context: Address };
  words(): Uint32Array;
}

export class GuestStrings {
  readonly #in: StringMemory;
  /** Bytes of the text that was written last. */
  #writtenBytes = 0;

  constructor(memory: StringMemory) {
    this.#in = memory;
  }

  /** A string value. @throws {VmOutOfMemory} when there is no room for it. */
  make(text: string): Address {
    return this.within(text, (start) => this.#in.instance.ffi.QTS_NewString(this.#in.roots.context, start));
  }

  /** Has the text in the guest's memory, as UTF-8 and a zero, as long as `use` takes. @throws {VmOutOfMemory} */
  within<T>(text: string, use: (start: Address, bytes: number) => T): T {
    const start = this.#write(text);
    const result = use(start, this.#writtenBytes);
    this.#in.instance.emscripten._free(start);
    return result;
  }

  #write(text: string): Address {
    const isShort = text.length <= MAX_ENCODED_IN_PLACE;
    const bytes = isShort ? undefined : encoder.encode(text);
    const room = bytes ? bytes.length : 3 * text.length;
    const { emscripten, memory } = this.#in.instance;
    const start = emscripten._malloc(room + 1);
    if (start === 0) throw new VmOutOfMemory("no room for a text");
    const target = new Uint8Array(memory.buffer, start, room + 1);
    if (bytes) target.set(bytes);
    this.#writtenBytes = bytes ? bytes.length : encoder.encodeInto(text, target).written;
    target[this.#writtenBytes] = 0;
    return start;
  }

  /** The text of a string, or of anything else as the engine turns it into one. */
  read(value: Address): string {
    const flat = this.#readFlat(value);
    if (flat !== undefined) return flat;
    const { ffi, memory } = this.#in.instance;
    const { context } = this.#in.roots;
    const start = ffi.QTS_GetString(context, value);
    if (start === 0) return "";
    const bytes = new Uint8Array(memory.buffer);
    const text = decoder.decode(bytes.subarray(start, bytes.indexOf(0, start)));
    ffi.QTS_FreeCString(context, start);
    return text;
  }

  /** Reads a short ASCII string where it lies; `undefined` for everything else. */
  #readFlat(value: Address): string | undefined {
    const words = this.#in.words();
    if (words[(value + 4) >> 2] !== TAG_STRING) return undefined;
    const text = words[value >> 2] ?? 0;
    const length = words[(text + STRING_LENGTH) >> 2] ?? 0;
    // The highest bit says that characters take two bytes.
    if (length > MAX_FLAT_CHARS) return undefined;
    const bytes = new Uint8Array(words.buffer, text + STRING_TEXT, length);
    for (let index = 0; index < length; index++) if ((bytes[index] as number) > 127) return undefined;
    return decoder.decode(bytes);
  }
}
