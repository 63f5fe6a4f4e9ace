/** What is in a section, once it is inflated and its checksum is right. */
import type { SnapshotMeta, SnapshotVariable } from "./content.js";
import { inflateInto } from "./deflate.js";
import { corrupt, type Section, sectionName } from "./envelope.js";
import { hashesEqual, hashOf } from "./hash.js";

export async function readRaw(section: Section): Promise<Uint8Array> {
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

export async function readText(section: Section): Promise<string> {
  const raw = await readRaw(section);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    throw corrupt(`its ${sectionName(section.kind)} section is not UTF-8`);
  }
}

export function parseIndex(text: string): SnapshotVariable[] {
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

export function parseMeta(text: string): SnapshotMeta {
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
