/** The Worker's side of the index of threads: kept up as threads come and go, asked for searches. */
import type { AgentObject } from "./agent-object.js";
import { HttpError } from "./http-error.js";
import { parseObject } from "./request-body.js";
import type { Target } from "./request-target.js";
import { check, threadSearch } from "./routes/requests.js";
import { searchThreads, selectFields, type WireThread } from "./search-threads.js";
import { jsonResponse } from "./wire-json.js";

// biome-ignore lint/suspicious/noExplicitAny: any environment will do, and a namespace is invariant in it
export type AgentNamespace = DurableObjectNamespace<AgentObject<any>>;

/** Not a UUID, so no thread can have this name. It holds the index and answers for the assistant. */
const SHARED_OBJECT = "shared";

export const objectOf = (namespace: AgentNamespace, threadId: string | undefined) =>
  namespace.get(namespace.idFromName(threadId ?? SHARED_OBJECT));

export class ThreadDirectory {
  readonly #namespace: AgentNamespace;

  constructor(namespace: AgentNamespace) {
    this.#namespace = namespace;
  }

  /** Notes what a request did to a thread's existence, once it has succeeded. */
  async follow(method: string, path: string, target: Target, body: string | undefined, response: Response) {
    if (!response.ok || target.threadId === undefined || target.stateless) return;
    const creates = method === "POST" && (path === "/threads" || body?.includes('"if_not_exists"'));
    if (creates) await this.add(target.threadId);
    else if (method === "DELETE" && path.split("/").length === 3) await this.remove(target.threadId);
  }

  add(threadId: string): Promise<void> {
    return this.#change({ add: [threadId] });
  }

  remove(threadId: string): Promise<void> {
    return this.#change({ remove: [threadId] });
  }

  /** `/threads/search` and `/threads/count`, over the threads that `mayRead` allows. */
  async search(
    kind: "search" | "count",
    body: string | undefined,
    mayRead: (threadId: string) => Promise<boolean>,
  ): Promise<Response> {
    const query = check(parseObject(body), threadSearch);
    const matching = await searchThreads(
      {
        list: async (limit, offset) =>
          (await this.#read(`/index?limit=${limit}&offset=${offset}`, undefined)) ?? [],
        get: async (threadId) => {
          if (!(await mayRead(threadId))) return undefined;
          const thread = await this.#read<WireThread>(`/threads/${threadId}`, threadId);
          // Its time was up; its object knows nothing of the index.
          if (!thread) await this.remove(threadId);
          return thread;
        },
      },
      kind === "count" ? { ...query, offset: 0, limit: Number.MAX_SAFE_INTEGER } : query,
    );
    if (kind === "count") return jsonResponse(matching.length);
    const page = matching.slice(query.offset, query.offset + query.limit);
    const headers = { "x-pagination-total": String(matching.length) };
    return jsonResponse(
      page.map((thread) => selectFields(thread, query.select)),
      { headers },
    );
  }

  async #change(change: { add?: string[]; remove?: string[] }): Promise<void> {
    const body = JSON.stringify(change);
    await objectOf(this.#namespace, undefined).fetch("https://agent/index", { method: "POST", body });
  }

  async #read<T>(path: string, threadId: string | undefined): Promise<T | undefined> {
    const response = await objectOf(this.#namespace, threadId).fetch(`https://agent${path}`);
    if (response.ok) return response.json<T>();
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new HttpError(502, "A thread did not answer.");
  }
}
