import { SnapshotError } from "../errors.js";
import { inflateInto } from "./deflate.js";
import { corrupt, readHash, viewOf, writeHash } from "./envelope.js";
import { type Hash, hashesEqual, hashOf } from "./hash.js";
import { inLanes } from "./lanes.js";
import { roomFor } from "./own-pages.js";
import { PAGE_BYTES, type PageSet } from "./pages.js";

/**
 * The image section: the pages that differ from the base image, in segments that are compressed one by one.
 *
 * | offset | size | content                                      |
 * |--------|------|----------------------------------------------|
 * | 0      | 4    | bytes of memory the session had              |
 * | 4      | 4    | number of segments                           |
 * | 8      | 24 n | one entry per segment, by ascending page     |
 * | 8+24n  | ...  | the segments, one after the other            |
 *
 * | offset in entry | size | content                                                  |
 * |-----------------|------|----------------------------------------------------------|
 * | 0               | 4    | number of the first page the bits stand for              |
 * | 4               | 4    | bit i: the segment holds page first + i                  |
 * | 8               | 4    | size as stored; the size of its pages: stored as they are, otherwise deflated |
 * | 12              | 4    | 0                                                        |
 * | 16              | 8    | hash of its pages                                        |
 */
export interface ImageSegment {
  readonly firstPage: number;
  readonly bits: number;
  readonly stored: Uint8Array;
  /** Hash of the pages, not of the stored bytes: what makes a segment recognisable in the next save. */
  readonly hash: Hash;
}

export interface ImageLayout {
  readonly memoryBytes: number;
  readonly segments: readonly ImageSegment[];
}

/** A session's memory as a snapshot holds it: apply it to a memory that holds the base image. */
export interface SessionImage extends PageSet {
  /** The memory the pages go into has to have this size at least. */
  readonly memoryBytes: number;
}

export const SEGMENT_PAGES = 32;
const HEAD_BYTES = 8;
const ENTRY_BYTES = 24;
const WASM_PAGE_BYTES = 65536;

export function writeImageSection(image: ImageLayout): Uint8Array {
  const tableEnd = HEAD_BYTES + image.segments.length * ENTRY_BYTES;
  const bytes = new Uint8Array(
    image.segments.reduce((sum, segment) => sum + segment.stored.length, tableEnd),
  );
  const view = viewOf(bytes);
  view.setUint32(0, image.memoryBytes, true);
  view.setUint32(4, image.segments.length, true);
  let offset = tableEnd;
  image.segments.forEach((segment, index) => {
    const at = HEAD_BYTES + index * ENTRY_BYTES;
    view.setUint32(at, segment.firstPage, true);
    view.setUint32(at + 4, segment.bits, true);
    view.setUint32(at + 8, segment.stored.length, true);
    writeHash(view, at + 16, segment.hash);
    bytes.set(segment.stored, offset);
    offset += segment.stored.length;
  });
  return bytes;
}

/** Checks the table and the limit; the segments are views. */
export function readImageSection(bytes: Uint8Array, maxMemoryBytes: number = Infinity): ImageLayout {
  const view = viewOf(bytes);
  if (bytes.length < HEAD_BYTES) throw corrupt(`its image section has only ${bytes.length} bytes`);
  const memoryBytes = view.getUint32(0, true);
  const count = view.getUint32(4, true);
  const tableEnd = HEAD_BYTES + count * ENTRY_BYTES;
  if (memoryBytes === 0 || memoryBytes % WASM_PAGE_BYTES !== 0)
    throw corrupt(
      `its image is of a memory of ${memoryBytes} bytes, which is not a number of WebAssembly pages`,
    );
  if (memoryBytes > maxMemoryBytes)
    throw new SnapshotError(
      "SNAPSHOT_TOO_LARGE",
      `The snapshot is of a session with ${memoryBytes} bytes of memory; memoryLimitBytes allows ${maxMemoryBytes}.`,
    );
  if (tableEnd > bytes.length) throw corrupt(`its image names ${count} segments, more than it has bytes for`);
  const segments: ImageSegment[] = [];
  const pageLimit = memoryBytes / PAGE_BYTES;
  let offset = tableEnd;
  let next = 0;
  for (let at = HEAD_BYTES; at < tableEnd; at += ENTRY_BYTES) {
    const firstPage = view.getUint32(at, true);
    const bits = view.getUint32(at + 4, true);
    const size = view.getUint32(at + 8, true);
    if (bits === 0 || firstPage < next || firstPage + highestBit(bits) >= pageLimit)
      throw corrupt(
        `the segment of its image at page ${firstPage} is empty, out of order or outside the memory`,
      );
    if (
      view.getUint32(at + 12, true) !== 0 ||
      size > bytes.length - offset ||
      size > countBits(bits) * PAGE_BYTES
    )
      throw corrupt(`the segment of its image at page ${firstPage} has an impossible size of ${size} bytes`);
    segments.push({
      firstPage,
      bits,
      stored: bytes.subarray(offset, offset + size),
      hash: readHash(view, at + 16),
    });
    next = firstPage + highestBit(bits) + 1;
    offset += size;
  }
  if (offset !== bytes.length)
    throw corrupt(`the segments of its image end at ${offset}, and the section at ${bytes.length}`);
  return { memoryBytes, segments };
}

/** Inflates the pages. A segment never inflates beyond the pages it names. */
export async function inflateImage(layout: ImageLayout): Promise<SessionImage> {
  const pages = new Uint32Array(layout.segments.reduce((sum, segment) => sum + countBits(segment.bits), 0));
  const bytes = roomFor(pages.length * PAGE_BYTES);
  let filled = 0;
  const starts = layout.segments.map(({ firstPage, bits }) => {
    const start = filled;
    for (let i = 0; i < 32; i++) if ((bits >>> i) & 1) pages[filled++] = firstPage + i;
    return start;
  });
  await inLanes(layout.segments, async ({ firstPage, stored, hash }, index) => {
    const target = bytes.subarray(starts[index]! * PAGE_BYTES, (starts[index + 1] ?? filled) * PAGE_BYTES);
    if (stored.length === target.length) target.set(stored);
    else if (!(await inflateInto(target, stored)))
      throw corrupt(
        `the segment of its image at page ${firstPage} does not inflate to ${target.length} bytes`,
      );
    if (!hashesEqual(hashOf(target), hash))
      throw corrupt(`the pages of its image from page ${firstPage} have the wrong checksum`);
  });
  return { memoryBytes: layout.memoryBytes, pages, bytes };
}

export function countBits(bits: number): number {
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) count++;
  return count;
}

function highestBit(bits: number): number {
  return 31 - Math.clz32(bits);
}
