/**
 * Keys of a `SnapshotStore`: `threads/<thread>/head` and `threads/<thread>/<session>/<version>-<time>-<random>`, with
 * the thread's id encoded. So the snapshots of a thread can be listed and deleted by prefix.
 */

/** What the keys of a thread start with; runs without a thread share one prefix. */
export function threadPrefix(thread: string | undefined): string {
  return thread === undefined ? "runs/" : `threads/${[...thread].map(encodeUnit).join("")}/`;
}

export function headKey(thread: string): string {
  return `${threadPrefix(thread)}head`;
}

export function snapshotKey(thread: string | undefined, session: string, version: number): string {
  const number = String(version).padStart(8, "0");
  const time = Date.now().toString(36).padStart(9, "0");
  return `${threadPrefix(thread)}${session}/${number}-${time}-${crypto.randomUUID().slice(0, 8)}`;
}

export interface SnapshotKeyParts {
  readonly session: string;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** `undefined` for keys that are not of a snapshot. */
export function parseSnapshotKey(key: string): SnapshotKeyParts | undefined {
  const [, session, version, time] = /([^/]+)\/(\d{8,})-([0-9a-z]{9,})-[0-9a-f]{8}$/.exec(key) ?? [];
  if (session === undefined || version === undefined || time === undefined) return undefined;
  return { session, version: Number(version), time: Number.parseInt(time, 36) };
}

/** Halves of surrogate pairs are not text to `encodeURIComponent`. */
function encodeUnit(unit: string): string {
  return /\p{Surrogate}/u.test(unit) ? `%u${unit.charCodeAt(0).toString(16)}` : encodeURIComponent(unit);
}
