/**
 * Raw deflate through the platform's streams, and inflation that never produces more than it was told to expect.
 */

export async function deflate(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new CompressionStream("deflate-raw");
  const chunks: Uint8Array[] = [];
  let length = 0;
  const written = feed(stream.writable, bytes);
  for await (const chunk of chunksOf(stream.readable)) {
    chunks.push(chunk);
    length += chunk.length;
  }
  await written;
  const result = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    result.set(chunk, offset);
    offset += chunk.length;
  }
  return result;
}

/**
 * Inflates into `target`, which has the declared size. Resolves to false when the input is not deflate data or does
 * not inflate to exactly that size; it stops at the first byte too many, so a bomb costs one chunk.
 */
export async function inflateInto(target: Uint8Array, bytes: Uint8Array): Promise<boolean> {
  const stream = new DecompressionStream("deflate-raw");
  const written = feed(stream.writable, bytes);
  // The reader below sees the same failure; without a handler here it would also be an unhandled rejection.
  written.catch(() => {});
  let offset = 0;
  try {
    for await (const chunk of chunksOf(stream.readable)) {
      if (chunk.length > target.length - offset) return false;
      target.set(chunk, offset);
      offset += chunk.length;
    }
    await written;
  } catch {
    return false;
  }
  return offset === target.length;
}

async function feed(writable: ByteWritable, bytes: Uint8Array): Promise<void> {
  const writer = writable.getWriter();
  const results = await Promise.allSettled([writer.write(bytes), writer.close()]);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** Leaving the loop early cancels the stream. */
async function* chunksOf(readable: ByteReadable): AsyncGenerator<Uint8Array> {
  const reader = readable.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value === undefined) {
        ended = true;
        return;
      }
      yield value;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => {});
  }
}
