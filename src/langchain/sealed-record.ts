/** A small text with a snapshot's envelope around it: the checksum, and the signature where there is a key. */
import type { Seal } from "../session/session-state.js";
import { decodeSnapshot } from "../snapshot/decode-snapshot.js";
import { encodeSnapshot } from "../snapshot/encode-snapshot.js";

/** No heap is in it, so no engine has to fit. */
const noEngine = new Uint8Array(32);

export function sealRecord(kind: string, text: string, seal: Seal): Promise<Uint8Array> {
  return encodeSnapshot({ meta: { [kind]: text } }, { engineId: noEngine, ...seal });
}

/** @throws {SnapshotError} for bytes that are no record, are altered, or are another session's. */
export async function openRecord(kind: string, bytes: Uint8Array, seal: Seal): Promise<string> {
  const { meta } = await decodeSnapshot(bytes, {
    maxMemoryBytes: Number.MAX_SAFE_INTEGER,
    sections: ["meta"],
    ...seal,
  });
  return String((meta as Readonly<Record<string, unknown>> | undefined)?.[kind]);
}
