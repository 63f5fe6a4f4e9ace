/** Text within a bound: head and tail are kept, a marker says how much is missing. */

/** `… [12,345 characters cut] …`, with the place of the whole where it is known. */
export function cutMarker(count: number, where?: string): string {
  const digits = String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `… [${digits} characters cut${where === undefined ? "" : `; the whole value is in ${where}`}] …`;
}

/**
 * At most `max` characters, the marker included, and never half of a surrogate pair. When `max` cannot hold the marker,
 * the text is a marker alone: a reader has to learn that something is missing.
 */
export function cutMiddle(text: string, max: number, where?: string): string {
  if (text.length <= max) return text;
  const room = max - cutMarker(text.length, where).length - 2;
  if (room < 8) {
    const marker = cutMarker(text.length, where);
    return marker.length <= max ? marker : cutMarker(text.length);
  }
  const head = Math.ceil((room * 3) / 5);
  const end = isPair(text, head - 1) ? head - 1 : head;
  const tail = text.length - (room - head);
  const start = isPair(text, tail - 1) ? tail + 1 : tail;
  return `${text.slice(0, end)}\n${cutMarker(start - end, where)}\n${text.slice(start)}`;
}

function isPair(text: string, index: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(index, index + 2));
}

/** Lone surrogates cannot be encoded on the way to a model; each becomes one replacement character. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}
