/**
 * Pages of a session's memory, compared with the memory every session starts from.
 *
 * A page is 4 KiB. A fresh engine has about forty pages that are not zero, a small session a dozen that differ from
 * those; everything here works on such sparse sets and never needs a second whole memory.
 */

export const PAGE_BYTES = 4096;
const PAGE_WORDS = PAGE_BYTES / 4;

/** Some pages of a memory: page numbers in ascending order, and their bytes one after the other in that order. */
export interface PageSet {
  readonly pages: Uint32Array;
  readonly bytes: Uint8Array;
}

/** The pages of a freshly booted engine that are not zero. All others are zero. */
export type BaseImage = PageSet;

/** What is known about a memory that makes comparing it cheaper. */
export interface MemoryHints {
  /** Everything from here on was never written. @default the whole memory */
  readonly usedBytes?: number;
  /**
   * Runs of pages whose content means nothing (free memory, the unused part of the stack), ascending and disjoint.
   * They are not read and never count as changed.
   */
  readonly dead?: readonly PageRun[];
}

/** Pages from `start` up to, not including, `end`. */
export interface PageRun {
  readonly start: number;
  readonly end: number;
}

const nothing: BaseImage = { pages: new Uint32Array(0), bytes: new Uint8Array(0) };

/** Copies the pages that are not zero: what a booted engine's memory becomes once per process. */
export function takeBaseImage(memory: Uint8Array, hints?: MemoryHints): BaseImage {
  return copyPages(memory, changedPages(memory, nothing, hints));
}

/** The numbers of the pages that differ from the base, ascending. */
export function changedPages(memory: Uint8Array, base: BaseImage, hints: MemoryHints = {}): Uint32Array {
  const words = wordsOf(memory);
  const baseWords = wordsOf(base.bytes);
  const used = Math.min(hints.usedBytes ?? memory.length, memory.length);
  const end = Math.ceil(used / PAGE_BYTES);
  const changed = new Uint32Array(end);
  let count = 0;
  let next = 0;
  const compare = (from: number, to: number) => {
    for (let page = from; page < to; page++) {
      while (next < base.pages.length && base.pages[next]! < page) next++;
      const differs =
        base.pages[next] === page
          ? differsFrom(words, page * PAGE_WORDS, baseWords, next * PAGE_WORDS)
          : !isZero(words, page * PAGE_WORDS);
      if (differs) changed[count++] = page;
    }
  };
  let page = 0;
  for (const run of hints.dead ?? []) {
    compare(page, Math.min(run.start, end));
    page = Math.max(page, run.end);
  }
  compare(page, end);
  return changed.slice(0, count);
}

/**
 * Turns pages into their difference from the base (exclusive or), or back, in place. A refcount that changed in a
 * page of the prelude then costs a few bytes once compressed, instead of the page.
 */
export function differFromBase(set: PageSet, base: BaseImage): void {
  const words = wordsOf(set.bytes);
  const baseWords = wordsOf(base.bytes);
  let at = 0;
  set.pages.forEach((page, index) => {
    while (at < base.pages.length && base.pages[at]! < page) at++;
    if (base.pages[at] !== page) return;
    for (let i = 0; i < PAGE_WORDS; i++) words[index * PAGE_WORDS + i]! ^= baseWords[at * PAGE_WORDS + i]!;
  });
}

/** A copy of these pages of a memory. */
export function copyPages(
  memory: Uint8Array,
  pages: Uint32Array,
): { pages: Uint32Array; bytes: Uint8Array<ArrayBuffer> } {
  const bytes = new Uint8Array(pages.length * PAGE_BYTES);
  pages.forEach((page, index) => {
    bytes.set(memory.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES), index * PAGE_BYTES);
  });
  return { pages, bytes };
}

/**
 * Writes the pages into a memory. A restored session is a memory that holds the base image and then these.
 *
 * @throws {RangeError} when a page lies outside the memory; nothing was written then.
 */
export function applyPages(memory: Uint8Array, set: PageSet): void {
  const last = set.pages.at(-1);
  if (last !== undefined && (last + 1) * PAGE_BYTES > memory.length)
    throw new RangeError(`Page ${last} lies outside a memory of ${memory.length} bytes.`);
  const { pages, bytes } = set;
  for (let from = 0; from < pages.length; ) {
    // Pages that follow each other are one copy.
    let to = from + 1;
    while (to < pages.length && pages[to] === pages[to - 1]! + 1) to++;
    memory.set(bytes.subarray(from * PAGE_BYTES, to * PAGE_BYTES), pages[from]! * PAGE_BYTES);
    from = to;
  }
}

/** 32-bit words compare two to three times faster than 64-bit ones, which would be BigInts. */
function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

function isZero(words: Int32Array, start: number): boolean {
  for (let i = start; i < start + PAGE_WORDS; i += 8) {
    const any =
      words[i]! |
      words[i + 1]! |
      words[i + 2]! |
      words[i + 3]! |
      words[i + 4]! |
      words[i + 5]! |
      words[i + 6]! |
      words[i + 7]!;
    if (any !== 0) return false;
  }
  return true;
}

function differsFrom(words: Int32Array, start: number, base: Int32Array, baseStart: number): boolean {
  for (let i = 0; i < PAGE_WORDS; i += 4) {
    const a = start + i;
    const b = baseStart + i;
    const any =
      (words[a]! ^ base[b]!) |
      (words[a + 1]! ^ base[b + 1]!) |
      (words[a + 2]! ^ base[b + 2]!) |
      (words[a + 3]! ^ base[b + 3]!);
    if (any !== 0) return true;
  }
  return false;
}
