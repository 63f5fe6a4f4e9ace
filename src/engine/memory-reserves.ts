/** Room that is held back in an instance's memory, so that a full one can still be put in order. */
import type { Address, Vm } from "./vm.js";

/**
 * Blocks that are held back so that a full memory can still be put in order. The guest's is given up when memory runs
 * out inside it: the error can then be made, caught and told. The host's is given up to end an eval or to begin one.
 * `slot` is where the block's address is kept, behind the room for arguments, so that images carry it.
 */
const RESERVES: Readonly<Record<"guest" | "host", { readonly slot: number; readonly bytes: number }>> = {
  guest: { slot: 16, bytes: 96 * 1024 },
  host: { slot: 20, bytes: 320 * 1024 },
};
/** Where the slots end, behind the room for arguments. */
export const RESERVE_SLOTS_END = 24;
/** What an eval needs at least, beside the reserves. */
const WORKING_BYTES = 256 * 1024;

type Memory = Pick<Vm, "memory" | "words" | "roots" | "allocate" | "freeBlock">;

export class MemoryReserves {
  readonly #vm: Memory;

  constructor(vm: Memory) {
    this.#vm = vm;
  }

  /** Holds back what is not held, and says whether there was room for it. */
  hold(): boolean {
    let whole = true;
    for (const { slot, bytes } of Object.values(RESERVES)) {
      if (this.#block(slot) !== 0) continue;
      const block = this.#vm.allocate(bytes);
      // What is in it would be part of every image.
      if (block !== 0) new Uint8Array(this.#vm.memory.buffer).fill(0, block, block + bytes);
      this.#vm.words()[this.#place(slot)] = block;
      whole &&= block !== 0;
    }
    return whole;
  }

  /** Gives one up; false when it was gone already. */
  giveUp(whose: keyof typeof RESERVES): boolean {
    const { slot } = RESERVES[whose];
    const block = this.#block(slot);
    if (block === 0) return false;
    this.#vm.words()[this.#place(slot)] = 0;
    this.#vm.freeBlock(block);
    return true;
  }

  /** Where those lie that are held, ascending. Nothing is in them. */
  held(): { readonly start: Address; readonly end: Address }[] {
    return Object.values(RESERVES)
      .map(({ slot, bytes }) => ({ start: this.#block(slot), end: this.#block(slot) + bytes }))
      .filter(({ start }) => start !== 0)
      .sort((a, b) => a.start - b.start);
  }

  /** True when an ordinary eval has room to work in. */
  hasRoom(): boolean {
    const block = this.#vm.allocate(WORKING_BYTES);
    if (block !== 0) this.#vm.freeBlock(block);
    return block !== 0;
  }

  #block(slot: number): Address {
    return this.#vm.words()[this.#place(slot)] ?? 0;
  }

  #place(slot: number): number {
    return (this.#vm.roots.argv + slot) >> 2;
  }
}
