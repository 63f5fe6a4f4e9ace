/** A Durable Object's SQLite refuses values above 2 MB; a character may take three bytes. */
const CHUNK_CHARACTERS = 500_000;

const encoder = new TextEncoder();

/** Sends text piece by piece: the bytes of a large state need not be there as a whole beside its text. */
export async function writeText(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  text: string,
): Promise<void> {
  for (const chunk of textChunks(text)) await writer.write(encoder.encode(chunk));
}

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
