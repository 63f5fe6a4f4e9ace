/** A Durable Object's SQLite refuses values above 2 MB; a character may take three bytes. */
const CHUNK_CHARACTERS = 500_000;

/** Cuts text into pieces one row can hold, never between the halves of a surrogate pair. */
export function* textChunks(text: string, size = CHUNK_CHARACTERS): Generator<string> {
  let start = 0;
  do {
    let end = Math.min(start + size, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    yield text.slice(start, end);
    start = end;
  } while (start < text.length);
}
