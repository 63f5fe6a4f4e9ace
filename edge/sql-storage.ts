/**
 * What the store and the saver share about a Durable Object's SQLite: which part of the storage they use, how a string
 * becomes TEXT without loss, how bytes become rows, and which failures mean that there is no space.
 */
import { invalidOption, StoreError } from "../src/errors.js";

/** The part of `ctx.storage` that is used. */
export type SqlObjectStorage = Pick<DurableObjectStorage, "sql" | "transactionSync" | "sync">;

/**
 * A row, blob or string may have 2 MB (https://developers.cloudflare.com/durable-objects/platform/limits/); the measured
 * ceiling is a little below 2 200 000 bytes. 1 MiB leaves room for the other columns.
 */
export const chunkSize = 1024 * 1024;

/** @throws {StoreError} `STORE_UNAVAILABLE` when the class of the object was not migrated with `new_sqlite_classes` */
export function requireSql(storage: SqlObjectStorage): void {
  try {
    if (storage.sql) return;
  } catch (cause) {
    const text =
      "The Durable Object has no SQLite storage. List its class under `new_sqlite_classes` in the migrations.";
    throw new StoreError("STORE_UNAVAILABLE", text, { cause });
  }
  throw invalidOption("storage", storage, "the `storage` of a Durable Object's `ctx`");
}

/** The prefix becomes part of SQL, where a name cannot be a parameter. */
export function requireTablePrefix(prefix: string): string {
  if (
    typeof prefix !== "string" ||
    !/^[a-z_][a-z0-9_]{0,40}$/i.test(prefix) ||
    /^_cf_|^sqlite_/i.test(prefix)
  )
    throw invalidOption(
      "tablePrefix",
      prefix,
      "letters, digits and `_`, not starting with a digit, `_cf_` or `sqlite_`",
    );
  return prefix;
}

/** UTF-8 has no lone surrogates, and a NUL ends a string in some tools: both would make two keys one. */
const notText = /^"|[\0\p{Surrogate}]/u;

/** A string as TEXT: itself where possible, as JSON where it would not come back the same. */
export function toText(value: string): string {
  return notText.test(value) ? JSON.stringify(value).replaceAll("\0", "\\u0000") : value;
}

export function fromText(text: string): string {
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** Views of `bytes`, each at most a chunk; SQLite stores only the view. One empty view for no bytes. */
export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  do {
    yield bytes.subarray(start, start + chunkSize);
    start += chunkSize;
  } while (start < bytes.length);
}

/** One array of `size` bytes. @throws {Error} when the chunks do not add up to it */
export function joinChunks(size: number, chunks: Iterable<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let end = 0;
  for (const chunk of chunks) {
    if (end + chunk.byteLength > size)
      throw new Error(`There are more than the ${size} bytes that belong together.`);
    bytes.set(new Uint8Array(chunk), end);
    end += chunk.byteLength;
  }
  if (end !== size) throw new Error(`There are ${end} bytes of the ${size} that belong together.`);
  return bytes;
}

export function isOutOfSpace(error: unknown): boolean {
  return error instanceof Error && /SQLITE_(FULL|TOOBIG)/.test(error.message);
}
