import { invalidOption, SnapshotError } from "../errors.js";
import { type CapturedImage, captureImage, compressImage } from "./chain.js";
import { deflate, inflateInto } from "./deflate.js";
import {
  corrupt,
  type Envelope,
  hex,
  type NewSection,
  readEnvelope,
  SECTION_KINDS,
  type Section,
  type SectionName,
  sectionName,
  writeEnvelope,
} from "./envelope.js";
import { type Hash, hashesEqual, hashOf } from "./hash.js";
import { inflateImage, readImageSection, type SessionImage, writeImageSection } from "./image-section.js";
import type { BaseImage } from "./pages.js";
import { isSignedBy, SIGNATURE_BYTES, type SigningKey, sign } from "./signature.js";

/**
 * A snapshot as bytes: an envelope (see envelope.ts) around up to five sections. The image is exact and only for the
 * engine that wrote it; data, index and meta are JSON and readable by every later version, bytes are what data names.
 */

/** One variable of a session as the index lists it. */
export interface SnapshotVariable {
  readonly name: string;
  /** `array`, `Map`, `function`, ... as the guest calls it. */
  readonly type: string;
  /** Approximate size in bytes. */
  readonly size: number;
  /** The start of its rendered value. */
  readonly preview: string;
}

/** Host-side counters and the like; JSON. */
export type SnapshotMeta = Readonly<Record<string, unknown>>;

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
  return previous && bytesEqual(previous, bytes) ? previous : bytes;
}

export interface DecodeExpectations {
  /** The engine that would run the image; without it no image is read. */
  readonly engineId?: Uint8Array | undefined;
  /** No section may be larger, and the session's memory may not. */
  readonly maxMemoryBytes: number;
  /** With a key, only snapshots that it signed are read. */
  readonly signingKey?: SigningKey | undefined;
  /** With a binding, only snapshots made for it are read. */
  readonly binding?: string | undefined;
  /** Sections to read. @default all */
  readonly sections?: readonly SectionName[] | undefined;
}

export interface DecodedSnapshot {
  readonly formatVersion: number;
  readonly engineId: Uint8Array;
  /** False: the image is of another engine and was left alone. */
  readonly engineMatches: boolean;
  readonly signed: boolean;
  readonly image?: SessionImage | undefined;
  readonly data?: string | undefined;
  /** Of the data; left alone where the image is what counts. */
  readonly bytes?: Uint8Array | undefined;
  readonly index?: readonly SnapshotVariable[] | undefined;
  readonly meta?: SnapshotMeta | undefined;
}

/**
 * Reads a snapshot. Everything is verified and every limit checked before anything is inflated or copied; after a
 * refusal nothing of the snapshot was used.
 *
 * @throws {SnapshotError} `SNAPSHOT_CORRUPT`: short, cut, extended, foreign or altered. `SNAPSHOT_VERSION`: a format
 * this package does not read. `SNAPSHOT_SIGNATURE`: not signed by the key, or for another thread.
 * `SNAPSHOT_ENGINE`: only an image is wanted or present, and it is of another engine. `SNAPSHOT_TOO_LARGE`.
 */
export async function decodeSnapshot(
  bytes: Uint8Array,
  expectations: DecodeExpectations,
): Promise<DecodedSnapshot> {
  const { maxMemoryBytes } = expectations;
  if (!(maxMemoryBytes > 0)) throw invalidOption("maxMemoryBytes", maxMemoryBytes, "a number above 0");
  const envelope = readEnvelope(bytes);
  await checkOrigin(bytes, envelope, expectations);
  const wanted = (name: SectionName) => {
    if (expectations.sections && !expectations.sections.includes(name)) return undefined;
    return envelope.sections.find(({ kind }) => kind === SECTION_KINDS[name]);
  };
  const engineMatches =
    expectations.engineId !== undefined && bytesEqual(envelope.engineId, expectations.engineId);
  const [image, data, index, meta] = [wanted("image"), wanted("data"), wanted("index"), wanted("meta")];
  const rawBytes = wanted("bytes");
  if (image && !engineMatches && !data && expectations.engineId)
    throw foreignEngine(envelope, expectations.engineId);
  for (const section of [data, index, meta, rawBytes]) if (section) checkSize(section, maxMemoryBytes);
  const layout = image && engineMatches ? readImageSection(image.stored, maxMemoryBytes) : undefined;
  return {
    formatVersion: envelope.version,
    engineId: envelope.engineId.slice(),
    engineMatches,
    signed: envelope.signed,
    image: layout && (await inflateImage(layout)),
    data: data && (await readText(data)),
    bytes: layout ? undefined : rawBytes && (await readRaw(rawBytes)),
    index: index && parseIndex(await readText(index)),
    meta: meta && parseMeta(await readText(meta)),
  };
}

async function checkOrigin(
  bytes: Uint8Array,
  envelope: Envelope,
  { signingKey, binding }: DecodeExpectations,
): Promise<void> {
  if (
    binding !== undefined &&
    !(envelope.bindingHash && hashesEqual(envelope.bindingHash, hashOfBinding(binding)))
  )
    throw untrusted(
      envelope.bindingHash
        ? `The snapshot belongs to another thread than ${JSON.stringify(binding)}.`
        : `The snapshot names no thread, and one of ${JSON.stringify(binding)} is expected.`,
    );
  if (signingKey === undefined) return;
  if (!envelope.signed)
    throw untrusted("The snapshot is not signed, and snapshotSigningKey accepts only signed ones.");
  const end = bytes.length - SIGNATURE_BYTES;
  if (!(await isSignedBy(signingKey, binding ?? "", bytes.subarray(0, end), bytes.subarray(end))))
    throw untrusted(
      "The snapshot's signature is wrong: it was altered, or signed with another key or for another thread.",
    );
}

function checkSize(section: Section, maxMemoryBytes: number): void {
  if (section.rawSize > maxMemoryBytes)
    throw new SnapshotError(
      "SNAPSHOT_TOO_LARGE",
      `The snapshot's ${sectionName(section.kind)} section has ${section.rawSize} bytes; at most ${maxMemoryBytes} are allowed.`,
    );
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

async function readRaw(section: Section): Promise<Uint8Array> {
  let raw = section.stored;
  if (section.deflated) {
    raw = new Uint8Array(section.rawSize);
    if (!(await inflateInto(raw, section.stored)))
      throw corrupt(`its ${sectionName(section.kind)} section does not inflate to ${section.rawSize} bytes`);
  }
  if (!hashesEqual(hashOf(raw), section.rawHash))
    throw corrupt(`the content of its ${sectionName(section.kind)} section has the wrong checksum`);
  return raw;
}

async function readText(section: Section): Promise<string> {
  const raw = await readRaw(section);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    throw corrupt(`its ${sectionName(section.kind)} section is not UTF-8`);
  }
}

function parseIndex(text: string): SnapshotVariable[] {
  const value = parseJson(text, "index");
  if (!Array.isArray(value)) throw corrupt("its index is not a list");
  return value.map((entry: unknown) => {
    const { name, type, size, preview } = (entry ?? {}) as Record<string, unknown>;
    if (
      typeof name !== "string" ||
      typeof type !== "string" ||
      typeof size !== "number" ||
      typeof preview !== "string"
    )
      throw corrupt("its index has an entry without name, type, size or preview");
    return { name, type, size, preview };
  });
}

function parseMeta(text: string): SnapshotMeta {
  const value = parseJson(text, "meta");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw corrupt("its meta section is not an object");
  return value as SnapshotMeta;
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw corrupt(`its ${name} section is not JSON`);
  }
}

function hashOfBinding(binding: string): Hash {
  return hashOf(new TextEncoder().encode(binding));
}

function untrusted(message: string): SnapshotError {
  return new SnapshotError("SNAPSHOT_SIGNATURE", message);
}

function foreignEngine(envelope: Envelope, engineId: Uint8Array): SnapshotError {
  const short = (id: Uint8Array) => hex(id.subarray(0, 6));
  return new SnapshotError(
    "SNAPSHOT_ENGINE",
    `The snapshot was made by engine ${short(envelope.engineId)}, this is engine ${short(engineId)}, and there is no data section to restore instead of the image.`,
  );
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

function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
