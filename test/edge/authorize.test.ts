import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { type AuthorizeTarget, routeAgentRequest } from "../../edge/index.js";
import { createClient, say } from "./agent-client.js";

const runId = "6e1dbd3c-8c5f-4e0a-9d2a-0e0d6a3b7c33";

/** Every request that touches a thread, as `[method, path, body]`. */
const routes = (id: string): [string, string, object?][] => [
  ["GET", `/threads/${id}`],
  ["PATCH", `/threads/${id}`, { metadata: { taken: true } }],
  ["DELETE", `/threads/${id}`],
  ["POST", "/threads", { thread_id: id, if_exists: "do_nothing" }],
  ["POST", `/threads/${id}/copy`],
  ["POST", "/threads/prune", { thread_ids: [id] }],
  ["GET", `/threads/${id}/state`],
  ["POST", `/threads/${id}/state`, { values: { messages: [] } }],
  ["GET", `/threads/${id}/state/${runId}`],
  ["POST", `/threads/${id}/state/checkpoint`, { checkpoint: {} }],
  ["GET", `/threads/${id}/history`],
  ["POST", `/threads/${id}/history`, {}],
  ["GET", `/threads/${id}/runs`],
  ["POST", `/threads/${id}/runs`, { assistant_id: "agent" }],
  ["POST", `/threads/${id}/runs/stream`, { assistant_id: "agent" }],
  ["POST", `/threads/${id}/runs/wait`, { assistant_id: "agent" }],
  ["GET", `/threads/${id}/runs/${runId}`],
  ["DELETE", `/threads/${id}/runs/${runId}`],
  ["POST", `/threads/${id}/runs/${runId}/cancel`],
  ["GET", `/threads/${id}/runs/${runId}/join`],
  ["GET", `/threads/${id}/runs/${runId}/stream`],
  ["POST", "/runs/cancel", { thread_id: id }],
  ["GET", `/runs/${id}/stream`],
  ["GET", `/threads/${id}/snapshots/key`],
  ["PUT", `/threads/${id}/snapshots/key`, { base64: "" }],
  // Other ways to write the same thread.
  ["GET", `/threads/${id.toUpperCase()}`],
  ["GET", `/threads/${id}/`],
];

type Ask = (threadId: string | undefined) => boolean | Response;

function call(
  [method, path, body]: [string, string, object?],
  ask: Ask,
  headers: Record<string, string> = {},
) {
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { ...headers, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const authorize = (_request: Request, { threadId }: AuthorizeTarget<Cloudflare.Env>) => ask(threadId);
  return routeAgentRequest(request, env, { namespace: env.AGENTS as never, authorize });
}

test("who may not reach a thread reaches it by no route, and nothing of it changes", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create({ metadata: { mine: true } });
  await client.runs.wait(thread_id, "agent", { input: say("hello") });
  const before = await client.threads.get(thread_id);
  for (const route of routes(thread_id)) {
    const response = await call(route, (threadId) => threadId !== thread_id);
    expect([response?.status, await response?.json()], route.join(" ")).toEqual([
      401,
      { detail: "Not authorized." },
    ]);
  }
  expect(await client.threads.get(thread_id)).toEqual(before);
  expect(await client.runs.list(thread_id)).toHaveLength(1);
});

test("the hook is asked about the thread that is reached, and its own answer is what the client gets", async () => {
  const { thread_id } = await createClient().threads.create();
  for (const route of routes(thread_id)) {
    const asked: (string | undefined)[] = [];
    const response = await call(route, (threadId) => {
      asked.push(threadId);
      return threadId === thread_id ? new Response("no", { status: 418 }) : true;
    });
    expect([response?.status, asked.includes(thread_id)], route.join(" ")).toEqual([418, true]);
  }
});

test("a thread that a client names for itself is asked about by that name, one that is made for it by a new one", async () => {
  const asked: (string | undefined)[] = [];
  const ask: Ask = (threadId) => {
    asked.push(threadId);
    return true;
  };
  for (const path of ["/threads", "/threads"]) await call(["POST", path, {}], ask);
  for (const path of ["/runs", "/runs/wait"]) await call(["POST", path, { assistant_id: "agent" }], ask);
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(asked.every((threadId) => uuid.test(String(threadId)))).toBe(true);
  expect(new Set(asked).size).toBe(4);
});

test("a thread's agent is not shown what the client showed to be let in", async () => {
  const { thread_id } = await createClient().threads.create();
  const seen: (string | null)[] = [];
  const stub = env.AGENTS.get(env.AGENTS.idFromName(thread_id));
  const namespace = {
    idFromName: (name: string) => env.AGENTS.idFromName(name),
    get: () => ({
      fetch: (url: string, init: RequestInit) => {
        const headers = new Headers(init.headers);
        seen.push(headers.get("authorization"), headers.get("x-api-key"), headers.get("x-edge-stateless"));
        return stub.fetch(url, init as never);
      },
    }),
  };
  await routeAgentRequest(
    new Request(`http://localhost/threads/${thread_id}`, {
      headers: { authorization: "Bearer secret", "x-api-key": "secret", "x-edge-stateless": "1" },
    }),
    env,
    { namespace: namespace as never, authorize: () => true },
  );
  expect(seen).toEqual([null, null, null]);
});
