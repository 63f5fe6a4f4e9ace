/**
 * A fast 64-bit checksum against damage, not against intent (that is what signatures are for).
 *
 * Two 32-bit lanes that take in every word by a bijection: a change confined to one aligned word always changes both. SHA-256 would be asynchronous everywhere and missing in insecure pages.
 */
export type Hash = readonly [number, number];

export function hashOf(bytes: Uint8Array): Hash {
  const whole = bytes.length & ~7;
  const words = wordsOf(bytes, whole);
  // Even and odd words apart: four chains that do not wait for each other.
  let a = bytes.length | 0;
  let b = ~a;
  let c = 1;
  let d = 2;
  for (let i = 0; i < words.length; i += 2) {
    const even = words[i]!;
    const odd = words[i + 1]!;
    a = Math.imul((a << 13) | (a >>> 19), 0x85ebca6b) ^ even;
    b = Math.imul((b << 15) | (b >>> 17), 0x9e3779b1) ^ even;
    c = Math.imul((c << 13) | (c >>> 19), 0x27d4eb2f) ^ odd;
    d = Math.imul((d << 15) | (d >>> 17), 0xc2b2ae3d) ^ odd;
  }
  for (let i = whole; i < bytes.length; i++) {
    a = Math.imul(a, 0x85ebca6b) ^ bytes[i]!;
    d = Math.imul(d, 0xc2b2ae3d) ^ bytes[i]!;
  }
  return [finish(finish(a) ^ c), finish(finish(b) ^ d)];
}

export function hashesEqual(a: Hash, b: Hash): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** An aligned copy is cheaper than reading unaligned words. WebAssembly memory and these words are little endian. */
function wordsOf(bytes: Uint8Array, length: number): Int32Array {
  if (bytes.byteOffset % 4 === 0) return new Int32Array(bytes.buffer, bytes.byteOffset, length >> 2);
  return new Int32Array(bytes.slice(0, length).buffer);
}

function finish(lane: number): number {
  lane = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  lane = Math.imul(lane ^ (lane >>> 13), 0xc2b2ae35);
  return (lane ^ (lane >>> 16)) >>> 0;
}
