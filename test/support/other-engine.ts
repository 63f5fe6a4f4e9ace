import { writeHash } from "../../src/snapshot/envelope.js";
import { hashOf } from "../../src/snapshot/hash.js";

/** The snapshot as another build of the engine would have written it: the same bytes under another engine's id. */
export function byOtherEngine(snapshot: Uint8Array): Uint8Array {
  const bytes = snapshot.slice();
  const view = new DataView(bytes.buffer);
  bytes.fill(7, 16, 48);
  const tableEnd = 56 + 32 * view.getUint32(12, true);
  writeHash(view, tableEnd, hashOf(bytes.subarray(0, tableEnd)));
  return bytes;
}
