import { invalidOption } from "../errors.js";

/**
 * HMAC-SHA256 over a snapshot, bound to the thread or session it belongs to.
 *
 * The key that signs is derived from the app's key and the binding, so that the snapshot itself is signed in place
 * instead of being copied behind a prefix. A snapshot of one thread never verifies for another.
 */

export const SIGNATURE_BYTES = 32;

/** The app's secret: at least one byte. A string stands for its UTF-8 bytes. */
export type SigningKey = Uint8Array | string;

export async function sign(key: SigningKey, binding: string, message: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", await bindKey(key, binding), message));
}

export async function isSignedBy(
  key: SigningKey,
  binding: string,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  return crypto.subtle.verify("HMAC", await bindKey(key, binding), signature, message);
}

async function bindKey(key: SigningKey, binding: string): Promise<CryptoKey> {
  const bytes = typeof key === "string" ? new TextEncoder().encode(key) : key;
  if (!(bytes instanceof Uint8Array) || bytes.length === 0)
    throw invalidOption("snapshotSigningKey", key, "a string or bytes, not empty");
  const label = new TextEncoder().encode(`edge-interpreter snapshot\n${binding}`);
  const derived = await crypto.subtle.sign("HMAC", await importKey(bytes), label);
  return importKey(new Uint8Array(derived));
}

function importKey(bytes: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}
