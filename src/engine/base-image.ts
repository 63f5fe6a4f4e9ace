/**
 * The memory of a freshly booted engine with the prelude in place. It is byte for byte the same on every machine, so
 * a session starts as a copy of its few non-zero pages, and a snapshot holds only what differs from it.
 */

import { PRELUDE_PARTS } from "../prelude.generated.js";
import {
  type HeapLayout as AllocatorLayout,
  handedOutEnd,
  locateHeap,
  sweepFreeSpace,
} from "../snapshot/free-space.js";
import { applyPages, type PageSet, takeBaseImage } from "../snapshot/pages.js";
import { boot, type VmRoots } from "./boot.js";
import { ByteCrossing } from "./byte-crossing.js";
import type { EngineInstance } from "./engine-instance.js";
import { findHeapLayout, type HeapLayout, makeImmortal } from "./heap.js";
import { Vm } from "./vm.js";

const WASM_PAGE_BYTES = 65536;
/** Pages of 64 KiB the engine boots in: its minimum. */
const BASE_PAGES = 256;
/** The engine looks how deep it is before it goes deeper: measured, it was never more than 1.1 KB below its limit. */
const STACK_MARGIN = 16 * 1024;

export interface BaseImage {
  readonly pages: PageSet;
  readonly roots: VmRoots;
  readonly layout: HeapLayout;
  /** Where free memory can be told from used; absent when the allocator is not the one that is known. */
  readonly allocator: AllocatorLayout | undefined;
}

export async function bootBaseImage(module: WebAssembly.Module): Promise<BaseImage> {
  const vm = await Vm.create(module, BASE_PAGES, BASE_PAGES * 4);
  boot(vm, PRELUDE_PARTS);
  const layout = findHeapLayout(vm);
  vm.collectGarbage();
  vm.collectGarbage();
  makeImmortal(vm);
  const memory = new Uint8Array(vm.memory.buffer);
  const allocator = locateHeap(memory);
  // What booting freed is cleared, as every save does it: only then is free memory no difference between the two.
  const hints = allocator && sweepFreeSpace(memory, allocator);
  return { pages: takeBaseImage(memory, hints), roots: vm.roots, layout, allocator };
}

/**
 * An instance in the state of the base image, and of `image` on top of it: `spare`, which is there already, or a new
 * one, which takes about 1 ms. `memoryBytes` is the memory to start with, `limitBytes` what it may grow to.
 */
export async function startVm(
  module: WebAssembly.Module,
  base: BaseImage,
  limitBytes: number,
  image?: { readonly memoryBytes: number; readonly pages: PageSet },
  spare?: EngineInstance,
): Promise<Vm> {
  const { initial, maximum } = memoryPages(limitBytes, image?.memoryBytes);
  const vm = spare ? new Vm(spare) : await Vm.create(module, initial, maximum);
  const memory = new Uint8Array(vm.memory.buffer);
  if (!spare) applyPages(memory, base.pages);
  if (image) applyPages(memory, image.pages);
  vm.roots = base.roots;
  vm.bytes = new ByteCrossing(vm, base.layout);
  return vm;
}

/** What memory an instance needs, in pages of 64 KiB. */
export function memoryPages(limitBytes: number, memoryBytes = 0): { initial: number; maximum: number } {
  const initial = Math.max(BASE_PAGES, Math.ceil(memoryBytes / WASM_PAGE_BYTES));
  return { initial, maximum: Math.max(initial, Math.floor(limitBytes / WASM_PAGE_BYTES)) };
}

/**
 * Puts a used instance back into the state of the base image, byte for byte: nothing of its last user is left. False
 * when that cannot be known, or it has grown.
 */
export function resetInstance({ memory, stackBytes }: EngineInstance, base: BaseImage): boolean {
  const bytes = new Uint8Array(memory.buffer);
  const words = new Uint32Array(memory.buffer);
  const { allocator } = base;
  const end = allocator && handedOutEnd(words, allocator);
  if (!allocator || end === undefined || bytes.length !== BASE_PAGES * WASM_PAGE_BYTES) return false;
  // Of the stack only what was used: clearing all of it would take five times as long, and 5 MB of real memory.
  const deepest = Math.max(allocator.stackEnd, allocator.heapStart - stackBytes - STACK_MARGIN);
  const below = Math.max(allocator.stackEnd, deepest - STACK_MARGIN);
  for (let index = below >> 2; index < deepest >> 2; index++) if (words[index] !== 0) return false;
  bytes.fill(0, 0, allocator.stackEnd);
  bytes.fill(0, deepest, end);
  applyPages(bytes, base.pages);
  return true;
}
