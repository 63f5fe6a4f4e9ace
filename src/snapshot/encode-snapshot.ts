/**
 * A snapshot as bytes: an envelope (see envelope.ts) around up to five sections. The image is exact and only for the
 * engine that wrote it; data, index and meta are JSON and readable by every later version, bytes are what data names.
 */

import { sameBytes } from "../values/same-bytes.js";
import { type CapturedImage, captureImage, compressImage } from "./chain.js";
import type { SnapshotMeta, SnapshotVariable } from "./content.js";
import { deflate } from "./deflate.js";
import {
  type NewSection,
  readEnvelope,
  SECTION_KINDS,
  type Section,
  type SectionName,
  writeEnvelope,
} from "./envelope.js";
import { hashesEqual, hashOf } from "./hash.js";
import { writeImageSection } from "./image-section.js";
import { hashOfBinding } from "./origin.js";
import type { BaseImage } from "./pages.js";
import { SIGNATURE_BYTES, type SigningKey, sign } from "./signature.js";

export interface SnapshotParts {
  /** The memory and the pages of it that count. Both are read before `encodeSnapshot` returns its promise. */
  readonly image?:
    | {
        readonly memory: Uint8Array;
        readonly pages: Uint32Array;
        /** Pages that lie in the base are then stored as their difference from it; see `differFromBase`. */
        readonly base?: BaseImage | undefined;
      }
    | undefined;
  /** JSON text; it has to be well-formed Unicode, which `JSON.stringify` guarantees. */
  readonly data?: string | undefined;
  /** What of the data are bytes, one after the other. */
  readonly bytes?: readonly Uint8Array[] | undefined;
  readonly index?: readonly SnapshotVariable[] | undefined;
  readonly meta?: SnapshotMeta | undefined;
}

export interface EncodeOptions {
  /** 32 bytes. */
  readonly engineId: Uint8Array;
  /** The thread or session the snapshot is for. Readers that expect another one refuse it. */
  readonly binding?: string | undefined;
  readonly signingKey?: SigningKey | undefined;
  /**
   * The last snapshot of the same session, saved or restored. What did not change since is taken over in its
   * compressed form, and when nothing changed the result is this very array. It must be one that `encodeSnapshot`
   * made or `decodeSnapshot` accepted.
   */
  readonly previous?: Uint8Array | undefined;
}

export async function encodeSnapshot(parts: SnapshotParts, options: EncodeOptions): Promise<Uint8Array> {
  const { previous } = options;
  const known = previous ? readEnvelope(previous).sections : [];
  const lastImage = known.find(({ kind }) => kind === SECTION_KINDS.image)?.stored;
  // Before the first await: the memory may change after that.
  const image =
    parts.image && captureImage(parts.image.memory, parts.image.pages, lastImage, parts.image.base);
  const sections: NewSection[] = [];
  if (parts.meta) sections.push(await textSection("meta", JSON.stringify(parts.meta), known));
  if (parts.index) sections.push(await textSection("index", JSON.stringify(parts.index), known));
  if (parts.data !== undefined) sections.push(await textSection("data", parts.data, known));
  if (parts.bytes?.length) sections.push(await rawSection("bytes", concatenate(parts.bytes), known));
  if (image) sections.push(await imageSection(image));
  const { engineId, signingKey, binding } = options;
  const signed = signingKey !== undefined;
  const bindingHash = binding === undefined ? undefined : hashOfBinding(binding);
  const bytes = writeEnvelope(sections, { engineId, signed, bindingHash });
  if (signingKey !== undefined) {
    const signature = await sign(signingKey, binding ?? "", bytes.subarray(0, -SIGNATURE_BYTES));
    bytes.set(signature, bytes.length - SIGNATURE_BYTES);
  }
  return previous && sameBytes(previous, bytes) ? previous : bytes;
}

async function imageSection(image: CapturedImage): Promise<NewSection> {
  const stored = writeImageSection(await compressImage(image));
  return { name: "image", deflated: false, stored, rawSize: stored.length, rawHash: hashOf(stored) };
}

function textSection(name: SectionName, text: string, known: readonly Section[]): Promise<NewSection> {
  return rawSection(name, new TextEncoder().encode(text), known);
}

async function rawSection(
  name: SectionName,
  raw: Uint8Array,
  known: readonly Section[],
): Promise<NewSection> {
  const rawHash = hashOf(raw);
  const rawSize = raw.length;
  const same = known.find(({ kind }) => kind === SECTION_KINDS[name]);
  if (same && same.rawSize === rawSize && hashesEqual(same.rawHash, rawHash))
    return { name, deflated: same.deflated, stored: same.stored, rawSize, rawHash };
  const stored = await deflate(raw);
  if (stored.length < rawSize) return { name, deflated: true, stored, rawSize, rawHash };
  return { name, deflated: false, stored: raw, rawSize, rawHash };
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
