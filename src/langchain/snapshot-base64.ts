/** Snapshots out of places that hold only JSON. */
import { fromBase64 } from "../base64.js";
import { SnapshotError } from "../errors.js";

/** @throws {SnapshotError} `SNAPSHOT_CORRUPT` */
export function snapshotFromBase64(text: string): Uint8Array {
  try {
    return fromBase64(text);
  } catch (error) {
    throw new SnapshotError("SNAPSHOT_CORRUPT", "What was kept there is not a snapshot.", { cause: error });
  }
}
