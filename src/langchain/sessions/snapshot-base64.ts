/** Snapshots out of places that hold only JSON. */

import { SnapshotError } from "../../errors.js";
import { fromBase64 } from "../../values/base64.js";

/** @throws {SnapshotError} `SNAPSHOT_CORRUPT` */
export function snapshotFromBase64(text: string): Uint8Array {
  try {
    return fromBase64(text);
  } catch (error) {
    throw new SnapshotError("SNAPSHOT_CORRUPT", "What was kept there is not a snapshot.", { cause: error });
  }
}
