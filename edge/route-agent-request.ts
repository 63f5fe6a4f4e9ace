/**
 * From a request to the object of its thread. Only the id in the path (or the body, where a thread is created)
 * decides which object that is, and the same id is what `authorize` is asked about.
 */
import type { AgentObject } from "./agent-object.js";
import { type Authorize, bearerToken } from "./authorize.js";
import { copyThread } from "./copy-thread.js";
import { cors, preflightResponse } from "./cors.js";
import { errorResponse, HttpError } from "./http-error.js";
import { pruneThreads } from "./prune-threads.js";
import { readBody } from "./request-body.js";
import { requirePost, type Target, targetFromBody, targetFromPath } from "./request-target.js";
import { STATELESS_HEADER } from "./routes/runs.js";
import { objectOf, ThreadDirectory } from "./thread-directory.js";
import { jsonResponse } from "./wire-json.js";

export interface RouteAgentOptions<Env> {
  /** The binding of the class that extends `AgentObject`. */
  readonly namespace: DurableObjectNamespace<AgentObject<Env>>;
  /** @default bearerToken */
  readonly authorize?: Authorize<Env>;
  /** Origins of pages that may call, besides the Worker's own. @default [] */
  readonly allowedOrigins?: readonly string[];
  /** @default 1_048_576 */
  readonly maxBodyBytes?: number;
  /** What `/info` says of the deployment, to whoever may use it. @default {} */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

const ROUTED = /^\/(threads|runs|assistants)(\/|$)/;

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

async function serve<Env>(
  request: Request,
  url: URL,
  env: Env,
  options: RouteAgentOptions<Env>,
): Promise<Response> {
  const authorize = options.authorize ?? bearerToken;
  const ask = async (threadId: string | undefined) => authorize(request, { env, threadId });
  const permit = async (threadId: string | undefined) => {
    const verdict = await ask(threadId);
    if (verdict instanceof Response) return verdict;
    if (!verdict) throw new HttpError(401, "Not authorized.", { "www-authenticate": "Bearer" });
    return undefined;
  };
  const path = url.pathname.replace(/\/$/, "");
  const directory = new ThreadDirectory(options.namespace);
  if (path === "/info") {
    const { metadata = {} } = options;
    return (await permit(undefined)) ?? jsonResponse({ flags: { assistants: true, crons: false }, metadata });
  }

  // Who may not know about any thread is refused before the body is read.
  const known = targetFromPath(path);
  const early = known === undefined ? undefined : await permit(known.threadId);
  if (early) return early;
  if (known?.many || known?.copyId) requirePost(request.method, path);
  const body = await readBody(request, options.maxBodyBytes ?? 1_048_576);
  if (known?.many === "prune") return pruneThreads(options.namespace, directory, body, permit);
  if (known?.many)
    return directory.search(known.many, body, async (threadId) => (await ask(threadId)) === true);
  if (known?.copyId) {
    const refusal = await permit(known.copyId);
    if (refusal) return refusal;
    await copyThread(options.namespace, known.threadId!, known.copyId);
    await directory.add(known.copyId);
    return objectOf(options.namespace, known.copyId).fetch(`https://agent/threads/${known.copyId}`);
  }
  const target = known ?? targetFromBody(request.method, path, body);
  const late = known ? undefined : await permit(target.threadId);
  if (late) return late;
  const response = await forward(request, url, options, target, body);
  await directory.follow(request.method, path, target, body, response);
  return response;
}

function forward<Env>(
  request: Request,
  url: URL,
  options: RouteAgentOptions<Env>,
  target: Target,
  body: string | undefined,
): Promise<Response> {
  const headers = new Headers(request.headers);
  for (const name of [STATELESS_HEADER, "authorization", "x-api-key"]) headers.delete(name);
  if (target.stateless) headers.set(STATELESS_HEADER, "1");
  const sent = target.body ?? body;
  const forwarded = new URL(target.path ?? url.pathname, "https://agent");
  forwarded.search = url.search;
  return objectOf(options.namespace, target.threadId).fetch(forwarded, {
    method: request.method,
    headers,
    ...(sent === undefined ? {} : { body: sent }),
    signal: request.signal,
  });
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  if (Object.keys(headers).length === 0) return response;
  const copy = new Response(response.body, response);
  for (const [name, value] of Object.entries(headers)) copy.headers.set(name, value);
  return copy;
}
