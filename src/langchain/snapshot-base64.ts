/** Bytes for places that hold only JSON. */
import { SnapshotError } from "../errors.js";

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}

/** @throws {SnapshotError} `SNAPSHOT_CORRUPT` */
export function fromBase64(text: string): Uint8Array {
  try {
    const binary = atob(text);
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch (error) {
    throw new SnapshotError("SNAPSHOT_CORRUPT", "What was kept there is not a snapshot.", { cause: error });
  }
}
