/**
 * Searches over threads that each live in an object of their own: ids from the index, newest first, and then one
 * question to each thread. What cannot be asked of an index costs a request per thread, so a search looks at a bounded
 * number of them.
 */
import type { ThreadSearch } from "./routes/requests.js";

/** A Worker may send 1000 requests for one it receives. */
const MAX_LOOKED_AT = 200;
const AT_ONCE = 20;

export type WireThread = Record<string, unknown> & { thread_id: string };

export interface SearchedThreads {
  /** Ids, newest first. */
  list(limit: number, offset: number): Promise<string[]>;
  /** Undefined for a thread that is gone, or that is not for whoever asks. */
  get(threadId: string): Promise<WireThread | undefined>;
}

/** All matching threads among those that are looked at, sorted as asked for; the page is for the caller to cut. */
export async function searchThreads(threads: SearchedThreads, query: ThreadSearch): Promise<WireThread[]> {
  const found: WireThread[] = [];
  const newestFirst = !query.sort_by || (query.sort_by === "created_at" && query.sort_order !== "asc");
  for (let offset = 0; offset < MAX_LOOKED_AT; offset += AT_ONCE) {
    const ids = query.ids?.slice(offset, offset + AT_ONCE) ?? (await threads.list(AT_ONCE, offset));
    const batch = await Promise.all(ids.map((id) => threads.get(id)));
    found.push(
      ...batch.filter((thread) => thread !== undefined && matches(thread, query)).map((thread) => thread!),
    );
    const enough = newestFirst && found.length >= query.offset + query.limit;
    if (ids.length < AT_ONCE || enough) break;
  }
  return newestFirst ? found : sorted(found, query);
}

/** Of an answer what the client asks for, or all of it. */
export function selectFields(
  answer: Record<string, unknown>,
  select: readonly string[] | null | undefined,
): object {
  return select ? Object.fromEntries(Object.entries(answer).filter(([key]) => select.includes(key))) : answer;
}

function matches(thread: WireThread, { status, metadata }: ThreadSearch): boolean {
  return (!status || thread["status"] === status) && (!metadata || contains(thread["metadata"], metadata));
}

/** Whether `whole` has everything `part` has, as PostgreSQL's `@>` means it. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return whole === part;
  if (typeof whole !== "object" || whole === null || Array.isArray(whole) !== Array.isArray(part))
    return false;
  if (Array.isArray(part))
    return part.every((item) => (whole as unknown[]).some((other) => contains(other, item)));
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && contains((whole as Record<string, unknown>)[key], value),
  );
}

function sorted(threads: WireThread[], { sort_by, sort_order }: ThreadSearch): WireThread[] {
  const sign = sort_order === "asc" ? 1 : -1;
  const text = (thread: WireThread) => String(thread[sort_by ?? "created_at"]);
  return threads.sort((a, b) => sign * (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}
