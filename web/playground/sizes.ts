/** Numbers as people read them. */

const UNITS = ["B", "KB", "MB", "GB"];

export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[unit]}`;
}

/** About four characters make a token, in English as in JSON. */
export function tokensText(characters: number): string {
  const tokens = Math.ceil(characters / 4);
  if (tokens < 1000) return `${tokens}`;
  if (tokens >= 1_000_000) return `${(tokens / 1_000_000).toFixed(1)} million`;
  return tokens < 100_000 ? `${(tokens / 1000).toFixed(1)}k` : `${Math.round(tokens / 1000)}k`;
}

export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
