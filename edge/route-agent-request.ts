import type { AgentObject } from "./agent-object.js";
import { type Authorize, bearerToken } from "./authorize.js";
import { cors, preflightResponse } from "./cors.js";
import { errorResponse, HttpError } from "./http-error.js";
import { parseObject, readBody } from "./request-body.js";
import { STATELESS_HEADER } from "./routes/runs.js";
import { jsonResponse } from "./wire-json.js";

/**
 * From a request to the object of its thread. Only the id in the path (or the body, where a thread is created)
 * decides which object that is, and the same id is what `authorize` is asked about.
 */

export interface RouteAgentOptions<Env> {
  /** The binding of the class that extends `AgentObject`. */
  readonly namespace: DurableObjectNamespace<AgentObject<Env>>;
  /** @default bearerToken */
  readonly authorize?: Authorize<Env>;
  /** Origins of pages that may call, besides the Worker's own. @default [] */
  readonly allowedOrigins?: readonly string[];
  /** @default 1_048_576 */
  readonly maxBodyBytes?: number;
}

const ROUTED = /^\/(threads|runs|assistants)(\/|$)/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Not a UUID, so no thread can have this name. Assistants are read here. */
const SHARED_OBJECT = "shared";

/** The answer of the agent's API, or undefined for a path that is not of it. */
export async function routeAgentRequest<Env>(
  request: Request,
  env: Env,
  options: RouteAgentOptions<Env>,
): Promise<Response | undefined> {
  const url = new URL(request.url);
  if (url.pathname === "/ok" && request.method === "GET") return jsonResponse({ ok: true });
  if (!ROUTED.test(url.pathname) && url.pathname !== "/info") return undefined;
  const origin = cors(request, options.allowedOrigins ?? []);
  if (request.method === "OPTIONS") return preflightResponse(request, origin);
  try {
    if (!origin.allowed) throw new HttpError(403, "Pages of this origin may not call.");
    return withHeaders(await serve(request, url, env, options), origin.headers);
  } catch (error) {
    return withHeaders(errorResponse(error), origin.headers);
  }
}

async function serve<Env>(request: Request, url: URL, env: Env, options: RouteAgentOptions<Env>) {
  const authorize = options.authorize ?? bearerToken;
  const permit = async (threadId: string | undefined) => {
    const verdict = await authorize(request, { env, threadId });
    if (verdict instanceof Response) return verdict;
    if (!verdict) throw new HttpError(401, "Not authorized.", { "www-authenticate": "Bearer" });
    return undefined;
  };
  if (url.pathname === "/info")
    return (await permit(undefined)) ?? jsonResponse({ flags: { assistants: true, crons: false } });

  // Who may not know about any thread is refused before the body is read.
  const known = targetFromPath(url.pathname);
  const early = known === undefined ? undefined : await permit(known.threadId);
  if (early) return early;
  const body = await readBody(request, options.maxBodyBytes ?? 1_048_576);
  const target = known ?? targetFromBody(request.method, url.pathname, body);
  const late = known ? undefined : await permit(target.threadId);
  if (late) return late;

  const headers = new Headers(request.headers);
  headers.delete(STATELESS_HEADER);
  headers.delete("authorization");
  headers.delete("x-api-key");
  if (target.stateless) headers.set(STATELESS_HEADER, "1");
  const stub = options.namespace.get(options.namespace.idFromName(target.threadId ?? SHARED_OBJECT));
  const forwarded = new URL(target.path ?? url.pathname, "https://agent");
  forwarded.search = url.search;
  return stub.fetch(forwarded, {
    method: request.method,
    headers,
    ...(body === undefined ? {} : { body: target.body ?? body }),
    signal: request.signal,
  });
}

interface Target {
  readonly threadId: string | undefined;
  readonly path?: string;
  readonly body?: string;
  readonly stateless?: boolean;
}

/** Undefined where the body decides. */
function targetFromPath(pathname: string): Target | undefined {
  const [, kind, id] = pathname.split("/");
  if (kind === "assistants") return { threadId: undefined };
  if (kind === "threads" && id) {
    const threadId = toThreadId(id);
    return { threadId, path: pathname.replace(id, threadId) };
  }
  // A stateless run lives in a thread of its own, which has the run's id.
  if (kind === "runs" && id && UUID.test(id)) {
    const threadId = toThreadId(id);
    return { threadId, path: `/threads/${threadId}${pathname.replace(id, threadId)}` };
  }
  return undefined;
}

function targetFromBody(method: string, pathname: string, body: string | undefined): Target {
  const path = pathname.replace(/\/$/, "");
  if (method !== "POST") throw new HttpError(405, `${path} does not take ${method}.`, { allow: "POST" });
  const json = parseObject(body);
  if (path === "/threads") {
    const threadId = json["thread_id"] == null ? crypto.randomUUID() : toThreadId(json["thread_id"]);
    return { threadId, body: JSON.stringify({ ...json, thread_id: threadId }) };
  }
  if (path === "/runs/cancel") return { threadId: toThreadId(json["thread_id"]) };
  if (path === "/runs" || path === "/runs/stream" || path === "/runs/wait") {
    const threadId = crypto.randomUUID();
    return { threadId, path: `/threads/${threadId}${path}`, stateless: true };
  }
  throw new HttpError(404, `There is no ${method} ${path} here.`);
}

function toThreadId(value: unknown): string {
  if (typeof value !== "string" || !UUID.test(value)) throw new HttpError(422, "thread_id: must be a UUID");
  return value.toLowerCase();
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  if (Object.keys(headers).length === 0) return response;
  const copy = new Response(response.body, response);
  for (const [name, value] of Object.entries(headers)) copy.headers.set(name, value);
  return copy;
}
