import type { SnapshotMeta, SnapshotVariable } from "./content.js";
import { decodeSnapshot } from "./decode-snapshot.js";
import { hex, readEnvelope, SECTION_KINDS, sectionName } from "./envelope.js";
import { countBits, readImageSection } from "./image-section.js";

/** What a snapshot says about itself. */
export interface SnapshotInspection {
  readonly formatVersion: number;
  /** Hexadecimal. */
  readonly engineId: string;
  /** Whether it carries a signature; whether that is right needs the key. */
  readonly signed: boolean;
  /** Whether it names the thread it belongs to. */
  readonly bound: boolean;
  readonly bytes: number;
  /** In the order of the bytes. A section of a later format is called `number` and its kind. */
  readonly sections: readonly {
    readonly name: string;
    readonly storedBytes: number;
    readonly rawBytes: number;
  }[];
  readonly image?:
    | { readonly memoryBytes: number; readonly pages: number; readonly segments: number }
    | undefined;
  readonly variables?: readonly SnapshotVariable[] | undefined;
  readonly meta?: SnapshotMeta | undefined;
}

/** An index or meta section that is larger is not looked at but refused. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/**
 * Tells what is in a snapshot without an engine: no guest code runs and no page is inflated. For people who debug,
 * and for lists of variables. It proves that the snapshot is whole, not where it came from.
 *
 * @throws {SnapshotError} when the snapshot is damaged, of an unknown format, or its index is absurdly large.
 */
export async function inspectSnapshot(bytes: Uint8Array): Promise<SnapshotInspection> {
  const { version, engineId, signed, bindingHash, sections } = readEnvelope(bytes);
  const { index, meta } = await decodeSnapshot(bytes, {
    maxMemoryBytes: MAX_TEXT_BYTES,
    sections: ["index", "meta"],
  });
  const image = sections.find(({ kind }) => kind === SECTION_KINDS.image);
  const layout = image && readImageSection(image.stored);
  return {
    formatVersion: version,
    engineId: hex(engineId),
    signed,
    bound: bindingHash !== undefined,
    bytes: bytes.length,
    sections: sections.map(({ kind, stored, rawSize }) => ({
      name: sectionName(kind),
      storedBytes: stored.length,
      rawBytes: rawSize,
    })),
    image: layout && {
      memoryBytes: layout.memoryBytes,
      pages: layout.segments.reduce((sum, { bits }) => sum + countBits(bits), 0),
      segments: layout.segments.length,
    },
    variables: index,
    meta,
  };
}
