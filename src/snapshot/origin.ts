/** Whether a snapshot is from whom it has to be from, and for the thread it is read for. */
import { SnapshotError } from "../errors.js";
import type { Envelope } from "./envelope.js";
import { type Hash, hashesEqual, hashOf } from "./hash.js";
import { isSignedBy, SIGNATURE_BYTES, type SigningKey } from "./signature.js";

export interface ExpectedOrigin {
  /** With a key, only snapshots that it signed are read. */
  readonly signingKey?: SigningKey | undefined;
  /** With a binding, only snapshots made for it are read. */
  readonly binding?: string | undefined;
}

export async function checkOrigin(
  bytes: Uint8Array,
  envelope: Envelope,
  { signingKey, binding }: ExpectedOrigin,
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

export function hashOfBinding(binding: string): Hash {
  return hashOf(new TextEncoder().encode(binding));
}

function untrusted(message: string): SnapshotError {
  return new SnapshotError("SNAPSHOT_SIGNATURE", message);
}
