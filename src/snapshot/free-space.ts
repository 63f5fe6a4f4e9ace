import { type MemoryHints, PAGE_BYTES, type PageRun } from "./pages.js";

/**
 * Free memory, found and cleared before a save: what the guest freed is neither stored nor readable in a snapshot.
 *
 * The pinned engine allocates with emscripten's dlmalloc inside its own linear memory: 32-bit, 8-byte alignment, no
 * locks, no footers, no mmap, and `sbrk` called by nobody else, hence one segment. A chunk is
 *
 *     +0 size of the chunk before, when that is free
 *     +4 own size | 1 when the chunk before is in use | 2 when this one is
 *     +8 next and +12 previous free chunk of its bin; from 256 bytes on also +16 ... +31, its place in a tree
 *
 * Everything else inside a free chunk, the top chunk behind its head, whatever `sbrk` has not handed out, and the
 * stack below its resting point have no meaning to anyone. The walk first proves the whole heap, links included,
 * and changes nothing if a single thing is not as it has to be: then a save is merely larger.
 *
 * What stays: a few bytes of slack at the end of a chunk in use, and what an object in use holds without showing it
 * (the spare capacity of an array, a deleted but not yet collected cycle).
 */
export interface HeapLayout {
  /** Address of dlmalloc's state. */
  readonly state: number;
  /** The heap begins where the stack begins; the stack grows down from here. */
  readonly heapStart: number;
  readonly stackEnd: number;
}

/** The stack the pinned build was linked with. */
const STACK_BYTES = 5 * 1024 * 1024;

// Offsets in dlmalloc's state.
const DV_SIZE = 8;
const TOP_SIZE = 12;
const LEAST_ADDRESS = 16;
const DV = 20;
const TOP = 24;
const MAGIC = 36;
const SMALL_BINS = 40;
const SEGMENT_BASE = 448;
const SEGMENT_SIZE = 452;
const SEGMENT_NEXT = 456;
/** `mparams`, which the linker put right behind the state, begins with the same magic. */
const PARAMETERS = 472;

const PREVIOUS_IN_USE = 1;
const IN_USE = 2;
const FLAG_BITS = 7;
const SMALLEST_CHUNK = 16;
const SMALLEST_LARGE = 256;
/** What the end of a segment keeps for itself. */
const TOP_FOOT = 40;
/** Static data begins here and is smaller than a megabyte. */
const DATA_START = 1024;
const DATA_END = 1 << 20;

/**
 * Finds the allocator in the memory of an engine that was just booted. Once per process: the place is fixed when the
 * engine is linked. `undefined` when this is not the build that this file knows.
 */
export function locateHeap(memory: Uint8Array): HeapLayout | undefined {
  const words = wordsOf(memory);
  for (let state = DATA_START; state < DATA_END; state += 4) {
    const heapStart = words[(state + LEAST_ADDRESS) >> 2]!;
    if (heapStart < STACK_BYTES || words[(state + SEGMENT_BASE) >> 2] !== heapStart) continue;
    const layout = { state, heapStart, stackEnd: heapStart - STACK_BYTES };
    // The state lies in front of the stack, and an engine that just booted never used the far end of that.
    const farEnd = words.subarray(layout.stackEnd >> 2, (layout.stackEnd + 65536) >> 2);
    if (state + PARAMETERS < layout.stackEnd && walk(words, layout) && farEnd.every((word) => word === 0))
      return layout;
  }
  return undefined;
}

/**
 * Clears the free parts of a session's memory and says which pages have no content and how far the memory is used.
 * The session goes on as if nothing had happened. Costs about as much as looking at every allocation once.
 *
 * Only between calls into the engine: while a guest function is on the stack, the stack is not free.
 *
 * @returns `undefined` when the heap is not in order. Nothing was changed then; save the memory as it is.
 */
export function sweepFreeSpace(memory: Uint8Array, layout: HeapLayout): MemoryHints | undefined {
  const words = wordsOf(memory);
  const heap = walk(words, layout);
  if (!heap) return undefined;
  const dead: PageRun[] = [];
  clear(memory, layout.stackEnd, layout.heapStart, dead);
  for (let i = 0; i < heap.free.length; i += 2) clear(memory, heap.free[i]!, heap.free[i + 1]!, dead);
  return { usedBytes: heap.end, dead };
}

/**
 * The end of what the heap uses, the head of its last free chunk included; behind it nothing was handed out. Much
 * cheaper than the walk, and as good in a heap that nobody tampered with. `undefined` when the figures make no sense.
 */
export function usedEnd(words: Uint32Array, { state, heapStart }: HeapLayout): number | undefined {
  const top = words[(state + TOP) >> 2]!;
  const size = words[(state + TOP_SIZE) >> 2]!;
  const segmentEnd = words[(state + SEGMENT_BASE) >> 2]! + words[(state + SEGMENT_SIZE) >> 2]!;
  const ordered = top > heapStart && top % 8 === 0 && top + size <= segmentEnd;
  return ordered && segmentEnd <= words.length * 4 ? top + SMALLEST_CHUNK : undefined;
}

/** The end of what `sbrk` ever handed out: the engine's allocator gives nothing back (`MORECORE_CANNOT_TRIM`). */
export function handedOutEnd(words: Uint32Array, layout: HeapLayout): number | undefined {
  if (usedEnd(words, layout) === undefined) return undefined;
  return words[(layout.state + SEGMENT_BASE) >> 2]! + words[(layout.state + SEGMENT_SIZE) >> 2]!;
}

/** Writes what the allocator keeps behind its last free chunk, into a memory that was filled up to `usedEnd`. */
export function closeHeap(words: Uint32Array, { state }: HeapLayout): void {
  words[(words[(state + TOP) >> 2]! + words[(state + TOP_SIZE) >> 2]! + 4) >> 2] = TOP_FOOT;
}

/** Whole pages are not written, only named: that keeps untouched memory untouched. */
function clear(memory: Uint8Array, start: number, end: number, dead: PageRun[]): void {
  const firstPage = Math.ceil(start / PAGE_BYTES);
  const endPage = Math.floor(end / PAGE_BYTES);
  if (firstPage >= endPage) {
    memory.fill(0, start, end);
    return;
  }
  memory.fill(0, start, firstPage * PAGE_BYTES);
  memory.fill(0, endPage * PAGE_BYTES, end);
  dead.push({ start: firstPage, end: endPage });
}

/** Free ranges as start, end, start, end, ... ascending; and the end of what `sbrk` handed out. */
interface Heap {
  readonly free: readonly number[];
  readonly end: number;
}

/** The memory may come from a forged snapshot: every address is checked before it is used, and every step moves on. */
function walk(words: Uint32Array, { state, heapStart }: HeapLayout): Heap | undefined {
  const at = (address: number) => words[address >> 2]!;
  const top = at(state + TOP);
  const topSize = at(state + TOP_SIZE);
  const dv = at(state + DV);
  const dvSize = at(state + DV_SIZE);
  const end = heapStart + at(state + SEGMENT_SIZE);
  if (
    at(state + LEAST_ADDRESS) !== heapStart ||
    at(state + SEGMENT_BASE) !== heapStart ||
    at(state + SEGMENT_NEXT) !== 0 ||
    at(state + MAGIC) === 0 ||
    at(state + MAGIC) !== at(state + PARAMETERS) ||
    end > words.length * 4 ||
    top % 8 !== 0 ||
    top < heapStart ||
    top + topSize + TOP_FOOT !== end ||
    at(top + 4) !== (topSize | PREVIOUS_IN_USE) ||
    at(top + topSize + 4) !== TOP_FOOT
  )
    return undefined;

  /** A free chunk, or one of the bins, whose first and second link lie where a chunk's would. */
  const canLink = (address: number) =>
    address % 4 === 0 &&
    ((address >= heapStart && address < top) ||
      (address >= state + SMALL_BINS - 8 && address < state + SEGMENT_BASE));
  const linked = (chunk: number) => {
    const next = at(chunk + 8);
    const previous = at(chunk + 12);
    return canLink(next) && canLink(previous) && at(next + 12) === chunk && at(previous + 8) === chunk;
  };

  const free: number[] = [];
  let previousInUse = true;
  let chunk = heapStart;
  while (chunk < top) {
    const head = at(chunk + 4);
    const size = (head & ~FLAG_BITS) >>> 0;
    if ((head & 4) !== 0 || size < SMALLEST_CHUNK || size > top - chunk) return undefined;
    if (((head & PREVIOUS_IN_USE) !== 0) !== previousInUse) return undefined;
    const inUse = (head & IN_USE) !== 0;
    if (!inUse) {
      if (!previousInUse || at(chunk + size) !== size) return undefined;
      let content = chunk + 8;
      if (chunk === dv) {
        if (size !== dvSize) return undefined;
      } else {
        if (!linked(chunk)) return undefined;
        content = chunk + (size < SMALLEST_LARGE ? 16 : 32);
      }
      if (content < chunk + size) free.push(content, chunk + size);
    }
    previousInUse = inUse;
    chunk += size;
  }
  if (chunk !== top || !previousInUse) return undefined;
  free.push(top + 8, top + topSize);
  return { free, end };
}

function wordsOf(memory: Uint8Array): Uint32Array {
  return new Uint32Array(memory.buffer, memory.byteOffset, memory.length >> 2);
}
