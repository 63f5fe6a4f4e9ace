/** Bytes as a snapshot, once it is known to be whole, expected and small enough. */
import { invalidOption, SnapshotError } from "../errors.js";
import { sameBytes } from "../values/same-bytes.js";
import type { SnapshotMeta, SnapshotVariable } from "./content.js";
import {
  type Envelope,
  hex,
  readEnvelope,
  SECTION_KINDS,
  type Section,
  type SectionName,
  sectionName,
} from "./envelope.js";
import { inflateImage, readImageSection, type SessionImage } from "./image-section.js";
import { checkOrigin, type ExpectedOrigin } from "./origin.js";
import { parseIndex, parseMeta, readRaw, readText } from "./read-section.js";

export interface DecodeExpectations extends ExpectedOrigin {
  /** The engine that would run the image; without it no image is read. */
  readonly engineId?: Uint8Array | undefined;
  /** No section may be larger, and the session's memory may not. */
  readonly maxMemoryBytes: number;
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
    expectations.engineId !== undefined && sameBytes(envelope.engineId, expectations.engineId);
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

function checkSize(section: Section, maxMemoryBytes: number): void {
  if (section.rawSize > maxMemoryBytes)
    throw new SnapshotError(
      "SNAPSHOT_TOO_LARGE",
      `The snapshot's ${sectionName(section.kind)} section has ${section.rawSize} bytes; at most ${maxMemoryBytes} are allowed.`,
    );
}

function foreignEngine(envelope: Envelope, engineId: Uint8Array): SnapshotError {
  const short = (id: Uint8Array) => hex(id.subarray(0, 6));
  return new SnapshotError(
    "SNAPSHOT_ENGINE",
    `The snapshot was made by engine ${short(envelope.engineId)}, this is engine ${short(engineId)}, and there is no data section to restore instead of the image.`,
  );
}
