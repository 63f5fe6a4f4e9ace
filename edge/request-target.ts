/** Which thread a request is about, and the path its object knows it by. */
import { HttpError } from "./http-error.js";
import { parseObject } from "./request-body.js";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface Target {
  readonly threadId: string | undefined;
  readonly path?: string;
  readonly body?: string;
  readonly stateless?: boolean;
  /** Not about one thread but about many of them. */
  readonly many?: "search" | "count" | "prune";
  /** The new thread that becomes a copy of this one. */
  readonly copyId?: string;
}

const MANY = /^\/threads\/(search|count|prune)$/;
/** Where the body says which thread it is about, or the thread is a new one. */
const BY_BODY: readonly string[] = ["/threads", "/runs", "/runs/stream", "/runs/wait", "/runs/cancel"];

/** Undefined where the body decides. */
export function targetFromPath(pathname: string): Target | undefined {
  const [, kind, id] = pathname.split("/");
  if (kind === "assistants") return { threadId: undefined };
  const [, many] = MANY.exec(pathname) ?? [];
  if (many) return { threadId: undefined, many: many as "search" | "count" | "prune" };
  if (kind === "threads" && id) {
    const threadId = toThreadId(id);
    const path = pathname.replace(id, threadId);
    return path === `/threads/${threadId}/copy`
      ? { threadId, path, copyId: crypto.randomUUID() }
      : { threadId, path };
  }
  // A stateless run lives in a thread of its own, which has the run's id.
  if (kind === "runs" && id && UUID.test(id)) {
    const threadId = toThreadId(id);
    return { threadId, path: `/threads/${threadId}${pathname.replace(id, threadId)}` };
  }
  if (!BY_BODY.includes(pathname)) throw new HttpError(404, `There is no ${pathname} here.`);
  return undefined;
}

export function targetFromBody(method: string, path: string, body: string | undefined): Target {
  requirePost(method, path);
  const json = parseObject(body);
  if (path === "/threads") {
    const threadId = json["thread_id"] == null ? crypto.randomUUID() : toThreadId(json["thread_id"]);
    return { threadId, body: JSON.stringify({ ...json, thread_id: threadId }) };
  }
  if (path === "/runs/cancel") {
    const threadId = toThreadId(json["thread_id"]);
    return { threadId, body: JSON.stringify({ ...json, thread_id: threadId }) };
  }
  const threadId = crypto.randomUUID();
  return { threadId, path: `/threads/${threadId}${path}`, stateless: true };
}

export function requirePost(method: string, path: string): void {
  if (method !== "POST") throw new HttpError(405, `${path} does not take ${method}.`, { allow: "POST" });
}

export function toThreadId(value: unknown): string {
  if (typeof value !== "string" || !UUID.test(value)) throw new HttpError(422, "thread_id: must be a UUID");
  return value.toLowerCase();
}
