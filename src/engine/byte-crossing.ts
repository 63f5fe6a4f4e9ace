/**
 * Bytes on their way between host and guest. They cross beside the text that names them, straight from memory to
 * memory: as text they would cost the guest a step for each, and several times their size.
 */
import { bufferBytes, type HeapLayout } from "./heap.js";
import type { Address, Vm } from "./vm.js";

export class ByteCrossing {
  readonly #vm: Vm;
  readonly #layout: HeapLayout;
  #fromGuest: Uint8Array<ArrayBuffer>[] = [];
  #sent = 0;
  #toGuest: readonly Uint8Array[] = [];

  constructor(vm: Vm, layout: HeapLayout) {
    this.#vm = vm;
    this.#layout = layout;
  }

  /** What the guest sent in front of the text that names it. */
  take(): readonly Uint8Array<ArrayBuffer>[] {
    const bytes = this.#fromGuest;
    this.#fromGuest = [];
    return bytes;
  }

  /** Has the bytes ready for a text that names them, as long as `read` takes. */
  offer<T>(bytes: readonly Uint8Array[], read: () => T): T {
    this.#toGuest = bytes;
    try {
      return read();
    } finally {
      this.#toGuest = [];
    }
  }

  /** Answers a request of the guest; undefined when it is about something else. */
  answer(operation: string, argument: string, value: Address): string | undefined {
    if (operation === "send-bytes") return this.#keep(argument, value);
    if (operation === "take-bytes") return this.#give(argument, value);
    return undefined;
  }

  /** One view after the other of a value; the first one begins the value. */
  #keep(argument: string, value: Address): string {
    const [index = 0, offset = 0, length = 0] = argument.split(" ").map(Number);
    if (index === 0) {
      this.#fromGuest = [];
      this.#sent = 0;
    }
    this.#sent += length;
    // Views may overlap: many of one buffer can be more than the host should hold.
    if (this.#sent > this.#vm.memory.buffer.byteLength) {
      this.#fromGuest = [];
      return tooMany;
    }
    const source = bufferBytes(this.#vm, value, this.#layout);
    if (!source) return noBuffer;
    this.#fromGuest.push(source.slice(offset, offset + length));
    return "=";
  }

  #give(argument: string, value: Address): string {
    const [index = 0, offset = 0] = argument.split(" ").map(Number);
    const target = bufferBytes(this.#vm, value, this.#layout);
    if (!target) return noBuffer;
    const bytes = this.#toGuest[index]?.subarray(offset, offset + target.length);
    if (bytes?.length !== target.length) return noSuchBytes;
    target.set(bytes);
    return "=";
  }
}

const refusal = (name: string, message: string) => `!${JSON.stringify({ name, message })}`;
const tooMany = refusal(
  "RangeError",
  "The typed arrays are more bytes together than the memory has. Pass the buffer once, or parts of it.",
);
const noBuffer = refusal("TypeError", "That is no buffer.");
const noSuchBytes = refusal("Error", "There are no such bytes.");
