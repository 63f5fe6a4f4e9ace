/**
 * Raw deflate through the platform's streams, and inflation that never produces more than it was told to expect.
 */

export async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const { readable, writable } = new CompressionStream("deflate-raw");
  const written = feed(writable, bytes);
  const reader = readable.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || !value) break;
    chunks.push(value);
    length += value.length;
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
 * not inflate to exactly that size; it stops at the first chunk too many, so a bomb costs one chunk.
 */
export async function inflateInto(target: Uint8Array, bytes: Uint8Array): Promise<boolean> {
  const { readable, writable } = new DecompressionStream("deflate-raw");
  const written = feed(writable, bytes);
  // The reader sees the same failure; without a handler here it would also be an unhandled rejection.
  written.catch(() => {});
  const reader = readable.getReader();
  let offset = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || !value) break;
      if (value.length > target.length - offset) {
        await reader.cancel();
        return false;
      }
      target.set(value, offset);
      offset += value.length;
    }
    await written;
  } catch {
    return false;
  }
  return offset === target.length;
}

/** Both promises are handled at once: a write that fails makes the close fail too. */
async function feed(writable: ByteWritable, bytes: Uint8Array): Promise<void> {
  const writer = writable.getWriter();
  await Promise.all([writer.write(bytes), writer.close()]);
}
