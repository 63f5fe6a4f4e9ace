/** What can still be said about a snapshot that was refused. */
import { inflateInto } from "./deflate.js";
import { readHash, SECTION_KINDS, viewOf } from "./envelope.js";
import { hashesEqual, hashOf } from "./hash.js";

/** Where format 1 has its table; see envelope.ts. */
const HEAD_BYTES = 56;
const ENTRY_BYTES = 32;
const MAX_SECTIONS = 64;
const MAX_INDEX_BYTES = 1024 * 1024;
/** Names are shown to a model: they can say nothing but a name. */
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]{0,60}$/u;

/**
 * The names of the variables in a damaged snapshot of format 1 that was made for `binding`; none when its head or its
 * index is what is damaged. They are for a message and prove nothing.
 */
export async function salvageNames(bytes: Uint8Array, binding: string): Promise<string[]> {
  if (bytes.length < HEAD_BYTES + 8) return [];
  const view = viewOf(bytes);
  const count = view.getUint32(12, true);
  const tableEnd = HEAD_BYTES + count * ENTRY_BYTES;
  if (view.getUint16(4, true) !== 1 || count > MAX_SECTIONS || bytes.length < tableEnd + 8) return [];
  if (!hashesEqual(readHash(view, tableEnd), hashOf(bytes.subarray(0, tableEnd)))) return [];
  if (!hashesEqual(readHash(view, 48), hashOf(new TextEncoder().encode(binding)))) return [];
  for (let at = HEAD_BYTES; at < tableEnd; at += ENTRY_BYTES) {
    if (view.getUint16(at, true) !== SECTION_KINDS.index) continue;
    const offset = view.getUint32(at + 4, true);
    const stored = bytes.subarray(offset, offset + view.getUint32(at + 8, true));
    const rawSize = view.getUint32(at + 12, true);
    if (rawSize > MAX_INDEX_BYTES || !hashesEqual(readHash(view, at + 16), hashOf(stored))) return [];
    const raw = new Uint8Array(rawSize);
    const isDeflated = (view.getUint16(at + 2, true) & 1) !== 0;
    if (!isDeflated) return namesIn(stored);
    return (await inflateInto(raw, stored)) ? namesIn(raw) : [];
  }
  return [];
}

function namesIn(json: Uint8Array): string[] {
  try {
    const entries = JSON.parse(new TextDecoder().decode(json)) as { name?: unknown }[];
    return entries.flatMap(({ name }) => (typeof name === "string" && IDENTIFIER.test(name) ? [name] : []));
  } catch {
    return [];
  }
}
