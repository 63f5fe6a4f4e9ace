/**
 * Where snapshots are kept when they are not kept in graph state: bytes under opaque keys with compare-and-set.
 * The contract is structural, so an adapter for any other place is an object with these members;
 * `edge-interpreter/testing` has the suite that says whether it keeps its word.
 */
import { invalidOption, StoreError } from "./errors.js";

/** What a store gives back for a key. */
export interface StoredSnapshot {
  /** A copy that belongs to the caller. */
  readonly bytes: Uint8Array;
  /** Names this value of this key; pass it as `replaces` to write only if nobody else wrote since. */
  readonly version: string;
}

export interface StoreEntry {
  readonly key: string;
  readonly version: string;
  /** Bytes of the value. */
  readonly size: number;
}

export interface StorePutOptions {
  /**
   * The version that this write replaces; `null`: the key must not exist; left out: whatever is there.
   *
   * @default undefined
   */
  readonly replaces?: string | null | undefined;
}

export interface StoreSupport {
  /** Values are still there after the process, tab or object that wrote them is gone. */
  readonly durable: boolean;
  /** Other processes, tabs or isolates see the same values. */
  readonly shared: boolean;
}

export interface StoreStatus {
  /** Where values are kept because the real place cannot be used; absent as long as it can. */
  readonly fallback?: "memory";
  /** Why. */
  readonly reason?: StoreError;
}

/**
 * Bytes under opaque keys with compare-and-set.
 *
 * Any string is a key, the empty one too, and no key is read as a path. A put is whole or not at all: until it resolves
 * a get returns the value before it, and if it rejects that value stays. A put that resolved is as durable as the place
 * can make it. Bytes are copied on the way in, before `put` returns its promise, and on the way out.
 *
 * Every method rejects with a `StoreError` (code and `cause`) and with nothing else.
 */
export interface SnapshotStore {
  /** What this store can promise. An adapter that fell back to memory answers for the memory. */
  readonly supports: StoreSupport;
  /** Whether the store is where the app wanted it. Left out by stores that have no fallback. */
  readonly status?: StoreStatus;

  /** @throws {StoreError} `STORE_READ`, `STORE_UNAVAILABLE` */
  get(key: string): Promise<StoredSnapshot | undefined>;

  /**
   * The version of the value that was written. No two puts of a key ever give the same one, also not after a delete.
   *
   * @throws {StoreError} `STORE_CONFLICT` when `replaces` is not what is there, `STORE_FULL` when the value does not fit,
   * `STORE_WRITE`, `STORE_UNAVAILABLE`. After each of them the previous value is still there.
   */
  put(key: string, bytes: Uint8Array, options?: StorePutOptions): Promise<string>;

  /** Deletes the key if it exists. */
  delete(key: string): Promise<void>;

  /** Every key that starts with `prefix`, the one written longest ago first. Reads no values. */
  list(prefix?: string): Promise<StoreEntry[]>;
}

export interface MemoryStoreOptions {
  /**
   * Sum of all values in bytes; a put that would exceed it is refused with `STORE_FULL`.
   *
   * @default no limit
   */
  readonly maxBytes?: number;
}

/** A store that lives as long as the object: for tests, for one process, and for where nothing better is available. */
export function memoryStore(options: MemoryStoreOptions = {}): SnapshotStore {
  const maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
  if (typeof maxBytes !== "number" || !(maxBytes >= 0))
    throw invalidOption("maxBytes", options.maxBytes, "a number of bytes, 0 or more");
  return new MemoryStore(maxBytes);
}

class MemoryStore implements SnapshotStore {
  readonly supports: StoreSupport = { durable: false, shared: false };
  readonly #maxBytes: number;
  /** In order of writing: a put deletes the entry first. */
  readonly #values = new Map<string, StoredSnapshot>();
  #used = 0;
  /** One counter for all keys, so that a key that is deleted and written again gets no version twice. */
  #writes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  async get(key: string): Promise<StoredSnapshot | undefined> {
    const stored = this.#values.get(key);
    return stored && { bytes: stored.bytes.slice(), version: stored.version };
  }

  async put(key: string, bytes: Uint8Array, options: StorePutOptions = {}): Promise<string> {
    const previous = this.#values.get(key);
    refuseStaleWrite(key, previous?.version, options.replaces);
    const used = this.#used - (previous?.bytes.length ?? 0) + bytes.length;
    if (used > this.#maxBytes)
      throw storeFull(
        key,
        bytes.length,
        `with it the store would hold ${used} bytes, \`maxBytes\` is ${this.#maxBytes}`,
      );
    const version = String(++this.#writes);
    // The copy comes before the first change: it is the one step that can fail.
    const copy = bytes.slice();
    this.#values.delete(key);
    this.#values.set(key, { bytes: copy, version });
    this.#used = used;
    return version;
  }

  async delete(key: string): Promise<void> {
    this.#used -= this.#values.get(key)?.bytes.length ?? 0;
    this.#values.delete(key);
  }

  async list(prefix = ""): Promise<StoreEntry[]> {
    const entries: StoreEntry[] = [];
    for (const [key, { version, bytes }] of this.#values)
      if (key.startsWith(prefix)) entries.push({ key, version, size: bytes.length });
    return entries;
  }
}

/**
 * The compare of compare-and-set, for adapters: call it where nobody can write between it and the write.
 *
 * @throws {StoreError} `STORE_CONFLICT`
 */
export function refuseStaleWrite(
  key: string,
  current: string | undefined,
  replaces: string | null | undefined,
): void {
  if (replaces === undefined || (current ?? null) === replaces) return;
  const found = current === undefined ? "does not exist" : `is at version ${current}`;
  const wanted = replaces === null ? "must not exist" : `must be at version ${replaces}`;
  throw new StoreError(
    "STORE_CONFLICT",
    `The snapshot ${JSON.stringify(key)} ${wanted} for this write, but it ${found}. Load it again.`,
  );
}

/** For adapters: the refusal of a value that does not fit. */
export function storeFull(key: string, size: number, why: string, cause?: unknown): StoreError {
  const text = `The snapshot ${JSON.stringify(key)} of ${size} bytes was not stored: ${why}.`;
  return new StoreError("STORE_FULL", text, cause === undefined ? {} : { cause });
}

/**
 * For adapters: a version that no other process makes. A counter would start again with a store that was deleted or evicted, and a
 * caller that still holds version 1 of the old one would replace version 1 of the new one.
 */
export function randomVersion(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
