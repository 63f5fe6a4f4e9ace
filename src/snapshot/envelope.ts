import { SnapshotError } from "../errors.js";
import { type Hash, hashesEqual, hashOf } from "./hash.js";
import { SIGNATURE_BYTES } from "./signature.js";

/**
 * The envelope of a snapshot: what it is, for which engine, where its sections are. All numbers little endian.
 *
 * | offset   | size | content                                                                    |
 * |----------|------|----------------------------------------------------------------------------|
 * | 0        | 4    | `EISN`                                                                     |
 * | 4        | 2    | format version, 1; the six bytes up to here mean the same in every version |
 * | 6        | 2    | flags: 1 = signed, 2 = bound; other bits are 0                             |
 * | 8        | 4    | size of the whole snapshot                                                 |
 * | 12       | 4    | number of sections, at most 64                                             |
 * | 16       | 32   | engine id: SHA-256 over the engine and the prelude                         |
 * | 48       | 8    | hash of the binding, 0 when not bound                                      |
 * | 56       | 32 n | one entry per section, in the order of the bytes                           |
 * | 56+32n   | 8    | hash of everything up to here                                              |
 * | 64+32n   | ...  | the sections, one after the other, without gaps                            |
 * | size-32  | 32   | HMAC-SHA256 over everything up to here, when signed                        |
 *
 * | offset in entry | size | content                                          |
 * |-----------------|------|--------------------------------------------------|
 * | 0               | 2    | kind: 1 image, 2 data, 3 index, 4 meta, 5 bytes  |
 * | 2               | 2    | flags: 1 = deflated                              |
 * | 4               | 4    | offset from the start of the snapshot            |
 * | 8               | 4    | size as stored                                   |
 * | 12              | 4    | size when inflated                               |
 * | 16              | 8    | hash of the bytes as stored                      |
 * | 24              | 8    | hash of the bytes when inflated                  |
 *
 * The hash of the head covers the hashes of the sections, so one pass over the bytes proves all of them and says
 * which part is damaged. A reader skips sections whose kind it does not know. What changes meaning gets a new
 * format version and a new reader below; the old readers stay.
 */
export interface Envelope {
  readonly version: number;
  readonly engineId: Uint8Array;
  readonly signed: boolean;
  /** Hash of the binding, when the snapshot is bound. */
  readonly bindingHash: Hash | undefined;
  readonly sections: readonly Section[];
}

export interface Section {
  readonly kind: number;
  readonly deflated: boolean;
  readonly offset: number;
  /** The bytes as stored, a view. */
  readonly stored: Uint8Array;
  readonly rawSize: number;
  readonly rawHash: Hash;
}

export const SECTION_KINDS = { image: 1, data: 2, index: 3, meta: 4, bytes: 5 } as const;
export type SectionName = keyof typeof SECTION_KINDS;

const FORMAT_VERSION = 1;
const ENGINE_ID_BYTES = 32;
const MAGIC = 0x4e534945;
const HEAD_BYTES = 56;
const ENTRY_BYTES = 32;
const HASH_BYTES = 8;
const MAX_SECTIONS = 64;
const SIGNED = 1;
const BOUND = 2;
const DEFLATED = 1;

/** One reader per format version that was ever released. */
const readers: ReadonlyMap<number, (bytes: Uint8Array) => Envelope> = new Map([[1, readVersion1]]);

/** Reads and verifies everything but the signature. Copies and inflates nothing. */
export function readEnvelope(bytes: Uint8Array): Envelope {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("A snapshot must be a Uint8Array.");
  if (bytes.length < 6)
    throw corrupt(`it has ${bytes.length} bytes, and the smallest snapshot has ${HEAD_BYTES + HASH_BYTES}`);
  const view = viewOf(bytes);
  if (view.getUint32(0, true) !== MAGIC)
    throw corrupt(
      `it starts with ${hex(bytes.subarray(0, 4))}, and a snapshot starts with 4549534e ("EISN")`,
    );
  const version = view.getUint16(4, true);
  const reader = readers.get(version);
  if (!reader)
    throw new SnapshotError(
      "SNAPSHOT_VERSION",
      `The snapshot has format version ${version}; this version of edge-interpreter reads ${[...readers.keys()].join(", ")}.` +
        (version > FORMAT_VERSION ? " It was written by a newer version: update the package." : ""),
    );
  return reader(bytes);
}

function readVersion1(bytes: Uint8Array): Envelope {
  const view = viewOf(bytes);
  const smallest = HEAD_BYTES + HASH_BYTES;
  if (bytes.length < smallest)
    throw corrupt(`it has ${bytes.length} bytes, and the smallest snapshot has ${smallest}`);
  const size = view.getUint32(8, true);
  if (size !== bytes.length) throw corrupt(`it has ${bytes.length} bytes, and its head says ${size}`);
  const count = view.getUint32(12, true);
  const tableEnd = HEAD_BYTES + count * ENTRY_BYTES;
  const flags = view.getUint16(6, true);
  const signed = (flags & SIGNED) !== 0;
  const end = size - (signed ? SIGNATURE_BYTES : 0);
  if (count > MAX_SECTIONS || tableEnd + HASH_BYTES > end)
    throw corrupt(`its head names ${count} sections, which do not fit into ${size} bytes`);
  if (!hashesEqual(readHash(view, tableEnd), hashOf(bytes.subarray(0, tableEnd))))
    throw corrupt("the checksum of its head is wrong");
  if ((flags & ~(SIGNED | BOUND)) !== 0) throw corrupt(`its head has unknown flags (${flags})`);
  const sections: Section[] = [];
  let offset = tableEnd + HASH_BYTES;
  for (let at = HEAD_BYTES; at < tableEnd; at += ENTRY_BYTES) {
    const kind = view.getUint16(at, true);
    const storedSize = view.getUint32(at + 8, true);
    if (view.getUint32(at + 4, true) !== offset || storedSize > end - offset)
      throw corrupt(`its ${sectionName(kind)} section does not lie where the sections before it end`);
    const stored = bytes.subarray(offset, offset + storedSize);
    if (!hashesEqual(readHash(view, at + 16), hashOf(stored)))
      throw corrupt(`the checksum of its ${sectionName(kind)} section is wrong`);
    const sectionFlags = view.getUint16(at + 2, true);
    if ((sectionFlags & ~DEFLATED) !== 0 && isKnown(kind))
      throw corrupt(`its ${sectionName(kind)} section has unknown flags (${sectionFlags})`);
    const deflated = (sectionFlags & DEFLATED) !== 0;
    const rawSize = view.getUint32(at + 12, true);
    if (!deflated && rawSize !== storedSize)
      throw corrupt(
        `its ${sectionName(kind)} section has ${storedSize} bytes, and the table says ${rawSize}`,
      );
    if (sections.some((other) => other.kind === kind))
      throw corrupt(`it has two ${sectionName(kind)} sections`);
    sections.push({ kind, deflated, offset, stored, rawSize, rawHash: readHash(view, at + 24) });
    offset += storedSize;
  }
  if (offset !== end) throw corrupt(`its sections end at ${offset}, and it ends at ${end}`);
  return {
    version: 1,
    engineId: bytes.subarray(16, 16 + ENGINE_ID_BYTES),
    signed,
    bindingHash: (flags & BOUND) !== 0 ? readHash(view, 48) : undefined,
    sections,
  };
}

/** A section to write. */
export interface NewSection {
  readonly name: SectionName;
  readonly deflated: boolean;
  readonly stored: Uint8Array;
  readonly rawSize: number;
  readonly rawHash: Hash;
}

/** The snapshot without its signature; where `signed`, the last 32 bytes are left zero for it. */
export function writeEnvelope(
  sections: readonly NewSection[],
  options: { engineId: Uint8Array; signed: boolean; bindingHash: Hash | undefined },
): Uint8Array<ArrayBuffer> {
  if (options.engineId.length !== ENGINE_ID_BYTES)
    throw new TypeError(`An engine id has ${ENGINE_ID_BYTES} bytes, not ${options.engineId.length}.`);
  const tableEnd = HEAD_BYTES + sections.length * ENTRY_BYTES;
  const content = sections.reduce((sum, section) => sum + section.stored.length, 0);
  const size = tableEnd + HASH_BYTES + content + (options.signed ? SIGNATURE_BYTES : 0);
  const bytes = new Uint8Array(size);
  const view = viewOf(bytes);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, FORMAT_VERSION, true);
  view.setUint16(6, (options.signed ? SIGNED : 0) | (options.bindingHash ? BOUND : 0), true);
  view.setUint32(8, size, true);
  view.setUint32(12, sections.length, true);
  bytes.set(options.engineId, 16);
  if (options.bindingHash) writeHash(view, 48, options.bindingHash);
  let offset = tableEnd + HASH_BYTES;
  sections.forEach((section, index) => {
    const at = HEAD_BYTES + index * ENTRY_BYTES;
    view.setUint16(at, SECTION_KINDS[section.name], true);
    view.setUint16(at + 2, section.deflated ? DEFLATED : 0, true);
    view.setUint32(at + 4, offset, true);
    view.setUint32(at + 8, section.stored.length, true);
    view.setUint32(at + 12, section.rawSize, true);
    writeHash(view, at + 16, hashOf(section.stored));
    writeHash(view, at + 24, section.rawHash);
    bytes.set(section.stored, offset);
    offset += section.stored.length;
  });
  writeHash(view, tableEnd, hashOf(bytes.subarray(0, tableEnd)));
  return bytes;
}

export function corrupt(what: string): SnapshotError {
  return new SnapshotError("SNAPSHOT_CORRUPT", `The snapshot is damaged or not a snapshot: ${what}.`);
}

function isKnown(kind: number): boolean {
  return Object.values(SECTION_KINDS).some((value) => value === kind);
}

export function sectionName(kind: number): string {
  const known = Object.entries(SECTION_KINDS).find(([, value]) => value === kind);
  return known ? known[0] : `number ${kind}`;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function readHash(view: DataView, at: number): Hash {
  return [view.getUint32(at, true), view.getUint32(at + 4, true)];
}

export function writeHash(view: DataView, at: number, hash: Hash): void {
  view.setUint32(at, hash[0], true);
  view.setUint32(at + 4, hash[1], true);
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
