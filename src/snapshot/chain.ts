import { deflate } from "./deflate.js";
import { hashesEqual, hashOf } from "./hash.js";
import { type ImageLayout, type ImageSegment, readImageSection, SEGMENT_PAGES } from "./image-section.js";
import { PAGE_BYTES } from "./pages.js";

/**
 * Saves that cost what changed since the last one.
 */

/** A session's memory at one moment: what did not change is already compressed, the rest is a copy. */
export interface CapturedImage {
  readonly memoryBytes: number;
  readonly segments: readonly CapturedSegment[];
}

interface CapturedSegment extends Omit<ImageSegment, "stored"> {
  readonly stored?: Uint8Array;
  readonly raw?: Uint8Array;
}

/** Copies the pages, except those that the image section of the previous snapshot already holds. Synchronous. */
export function captureImage(memory: Uint8Array, pages: Uint32Array, previous?: Uint8Array): CapturedImage {
  const known = new Map<number, ImageSegment>();
  if (previous)
    for (const segment of readImageSection(previous).segments) known.set(segment.firstPage, segment);

  const scratch = new Uint8Array(SEGMENT_PAGES * PAGE_BYTES);
  const segments: CapturedSegment[] = [];
  for (let i = 0; i < pages.length; ) {
    const firstPage = pages[i]! - (pages[i]! % SEGMENT_PAGES);
    let bits = 0;
    let length = 0;
    for (; i < pages.length && pages[i]! < firstPage + SEGMENT_PAGES; i++) {
      const page = pages[i]!;
      bits |= 1 << (page - firstPage);
      scratch.set(memory.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES), length);
      length += PAGE_BYTES;
    }
    bits >>>= 0;
    const hash = hashOf(scratch.subarray(0, length));
    const same = known.get(firstPage);
    if (same && same.bits === bits && hashesEqual(same.hash, hash)) segments.push(same);
    else segments.push({ firstPage, bits, hash, raw: scratch.slice(0, length) });
  }
  return { memoryBytes: memory.length, segments };
}

/** At most this many segments are compressed at once: each costs a quarter of a megabyte while it runs. */
const LANES = 4;

export async function compressImage(image: CapturedImage): Promise<ImageLayout> {
  const segments: ImageSegment[] = new Array(image.segments.length);
  const queue = image.segments.entries();
  const lane = async () => {
    for (const [index, segment] of queue) {
      const { firstPage, bits, hash, raw } = segment;
      const stored = segment.stored ?? (await smallest(raw!));
      segments[index] = { firstPage, bits, hash, stored };
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { memoryBytes: image.memoryBytes, segments };
}

async function smallest(raw: Uint8Array): Promise<Uint8Array> {
  const deflated = await deflate(raw);
  return deflated.length < raw.length ? deflated : raw;
}
