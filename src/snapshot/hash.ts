/**
 * A fast 64-bit checksum against damage, not against intent (that is what signatures are for).
 *
 * Two 32-bit lanes, each of which mixes every word by a bijection: a change confined to one aligned word always
 * changes both lanes. SHA-256 would be asynchronous everywhere and missing in insecure pages.
 */
export type Hash = readonly [number, number];

export function hashOf(bytes: Uint8Array): Hash {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let a = bytes.length | 0;
  let b = ~bytes.length;
  const whole = bytes.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    const word = view.getInt32(i, true);
    a = Math.imul(a ^ word, 0x85ebca6b);
    a ^= a >>> 13;
    b = Math.imul((b << 13) | (b >>> 19), 0x9e3779b1) ^ word;
  }
  let tail = 0;
  for (let i = whole; i < bytes.length; i++) tail |= bytes[i]! << ((i - whole) * 8);
  a = finish(Math.imul(a ^ tail, 0x85ebca6b));
  b = finish(Math.imul((b << 13) | (b >>> 19), 0x9e3779b1) ^ tail);
  return [a >>> 0, b >>> 0];
}

export function hashesEqual(a: Hash, b: Hash): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

function finish(lane: number): number {
  lane = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  lane = Math.imul(lane ^ (lane >>> 13), 0xc2b2ae35);
  return lane ^ (lane >>> 16);
}
