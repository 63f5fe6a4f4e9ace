/** What happens when the guest asks for more memory than it has: it grows, or the allocation fails in good order. */
import type { Address } from "./engine-instance.js";
import type { MemoryReserves } from "./memory-reserves.js";

const PAGE_BYTES = 65536;
/** `JSRuntime.malloc_gc_threshold`: creating an object beyond it collects garbage first. */
const GC_THRESHOLD = 108;

/** Whose memory grows, and who decides. */
export interface GrowingMemory {
  readonly memory: WebAssembly.Memory;
  /** Of 64 KiB. */
  readonly maximumPages: number;
  readonly roots: { readonly runtime: Address; readonly argv: Address };
  readonly reserves: MemoryReserves;
  readonly hooks: { mayGrow(bytes: number): boolean; memoryRefused(): void };
  words(): Uint32Array;
}

export class MemoryGrowth {
  readonly #of: GrowingMemory;
  #refusedSinceAsked = false;

  constructor(of: GrowingMemory) {
    this.#of = of;
  }

  /** The glue would over-grow by up to 20 % and then fail although the request itself fits; grow just enough here. */
  grow(bytes: number, refreshGlueViews: (bytes: number) => boolean): boolean {
    const { memory, maximumPages, hooks } = this.#of;
    const current = memory.buffer.byteLength;
    const needed = Math.ceil(bytes / PAGE_BYTES);
    if (needed > maximumPages || !hooks.mayGrow(needed * PAGE_BYTES)) return this.#refuse();
    const comfortable = Math.min(maximumPages, Math.max(needed, Math.ceil((current / PAGE_BYTES) * 1.125)));
    try {
      memory.grow(comfortable - current / PAGE_BYTES);
    } catch {
      return this.#refuse();
    }
    this.collectSoon();
    return refreshGlueViews(memory.buffer.byteLength);
  }

  /**
   * The allocation that asked fails. Called from inside the allocator, which at this point holds nothing of its state
   * outside its tables: freeing a block here is allowed, and later allocations find it.
   */
  #refuse(): false {
    const { hooks, reserves, roots } = this.#of;
    hooks.memoryRefused();
    if (roots.argv !== 0) reserves.giveUp("guest");
    // Code that goes on after an error in a full memory is refused again and again; one collection is enough for it.
    if (!this.#refusedSinceAsked) this.collectSoon();
    this.#refusedSinceAsked = true;
    return false;
  }

  /** The engine asked whether to go on, so the guest got further since the last refusal. */
  noteProgress(): void {
    this.#refusedSinceAsked = false;
  }

  /**
   * Lets the next object that is made collect garbage first. The engine itself collects by the number of allocations,
   * for it cannot see their sizes: a few unreachable buffers would fill the memory.
   */
  collectSoon(): void {
    const { roots } = this.#of;
    if (roots.runtime !== 0) this.#of.words()[(roots.runtime + GC_THRESHOLD) >> 2] = 0;
  }
}
