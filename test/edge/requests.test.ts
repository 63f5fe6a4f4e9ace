import { SELF } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { type AuthorizeTarget, bearerToken, routeAgentRequest } from "../../edge/index.js";
import { createClient, say } from "./agent-client.js";

const unknownThread = "6e1dbd3c-8c5f-4e0a-9d2a-0e0d6a3b7c11";

const call = (path: string, init?: RequestInit) => SELF.fetch(`http://localhost${path}`, init);
const post = (path: string, body: string, type = "application/json") =>
  call(path, { method: "POST", body, headers: { "content-type": type } });

async function refusal(response: Promise<Response>): Promise<[number, string]> {
  const { status, body } = await response.then(async (r) => ({ status: r.status, body: await r.json() }));
  return [status, (body as { detail: string }).detail];
}

/** First, because it is said once. */
test("that nobody is asked for a token on loopback is said aloud, once", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const target = { env: {}, threadId: undefined };
  for (const path of ["/info", "/threads"])
    expect(await bearerToken(new Request(`http://localhost${path}`), target)).toBe(true);
  expect(warn.mock.calls).toEqual([[expect.stringContaining("AUTH_TOKEN is not set")]]);
  warn.mockRestore();
});

test("what cannot be read or does not fit is refused with the reason", async () => {
  const { thread_id } = await createClient().threads.create();
  const runs = `/threads/${thread_id}/runs`;
  expect(await refusal(post("/threads", "{oops"))).toEqual([400, "The body is not valid JSON."]);
  expect(await refusal(post(runs, "{oops"))).toEqual([400, "The body is not valid JSON."]);
  expect(await refusal(post("/threads", "[]"))).toEqual([422, "The body must be a JSON object."]);
  expect(await refusal(post("/threads", '{"thread_id":"../other"}'))).toEqual([
    422,
    "thread_id: must be a UUID",
  ]);
  expect((await refusal(post(runs, "{}")))[0]).toBe(422);
  expect((await refusal(post(runs, '{"assistant_id":"agent","stream_mode":"sideways"}')))[1]).toContain(
    "stream_mode",
  );
  expect((await refusal(post(runs, '{"assistant_id":"agent","webhook":"http://x"}')))[1]).toContain(
    "not supported",
  );
  expect((await refusal(post(runs, '{"assistant_id":"nobody"}')))[0]).toBe(404);
  expect((await refusal(post(runs, '{"assistant_id":"agent"}', "text/plain")))[0]).toBe(415);
  expect((await refusal(post(runs, JSON.stringify({ input: "x".repeat(1_100_000) }))))[0]).toBe(413);
});

test("a field this server does not know is ignored", async () => {
  const { thread_id } = await createClient().threads.create();
  const response = await post(`/threads/${thread_id}/runs`, '{"assistant_id":"agent","from_the_future":1}');
  expect(response.status).toBe(200);
});

test("unknown routes, methods, threads and runs say so", async () => {
  const { thread_id } = await createClient().threads.create();
  expect((await refusal(call("/threads/not-a-uuid")))[0]).toBe(422);
  expect((await refusal(call(`/threads/${unknownThread}`)))[0]).toBe(404);
  expect((await refusal(post(`/threads/${unknownThread}/runs`, '{"assistant_id":"agent"}')))[0]).toBe(404);
  expect((await refusal(call(`/threads/${thread_id}/nonsense`)))[0]).toBe(404);
  expect((await refusal(call(`/threads/${thread_id}/runs/${unknownThread}`)))[0]).toBe(404);
  const wrongMethod = await call(`/threads/${thread_id}/state`, { method: "DELETE" });
  expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "GET, POST"]);
  expect((await call("/threads", { method: "GET" })).status).toBe(405);
  expect(await (await call("/elsewhere")).text()).toBe("test worker");
});

test("a thread that exists is not created again, unless the client does not mind", async () => {
  const client = createClient();
  const { thread_id: threadId } = await client.threads.create({ metadata: { a: 1 } });
  await expect(client.threads.create({ threadId })).rejects.toThrow("409");
  const again = await client.threads.create({ threadId, ifExists: "do_nothing", metadata: { a: 2 } });
  expect(again.metadata).toMatchObject({ a: 1 });
});

test("a run can create its thread", async () => {
  const client = createClient();
  const threadId = crypto.randomUUID();
  await client.runs
    .wait(threadId, "agent", { input: { messages: [] }, ifNotExists: "create" })
    .catch(() => {});
  expect((await client.threads.get(threadId)).thread_id).toBe(threadId);
});

test("looking for a thread that is not there leaves nothing behind", async () => {
  await call(`/threads/${unknownThread}/state`);
  const stub = env.AGENTS.get(env.AGENTS.idFromName(unknownThread));
  const { runInDurableObject } = await import("cloudflare:test");
  const tables = await runInDurableObject(stub, (_object, state) =>
    state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'agent_%'").toArray(),
  );
  expect(tables).toEqual([]);
});

const route = (
  request: Request,
  more: Partial<Parameters<typeof routeAgentRequest>[2]> = {},
  token?: string,
) => routeAgentRequest(request, { AUTH_TOKEN: token } as never, { namespace: env.AGENTS as never, ...more });

test("with a token configured only requests that carry it are served", async () => {
  const ask = (headers: Record<string, string>) =>
    route(new Request("https://agent.example/info", { headers }), {}, "secret");
  expect((await ask({}))!.status).toBe(401);
  expect((await ask({ authorization: "Bearer wrong" }))!.status).toBe(401);
  expect((await ask({ authorization: "Bearer secret" }))!.status).toBe(200);
  expect((await ask({ "x-api-key": "secret" }))!.status).toBe(200);
  expect((await ask({ "x-api-key": "secret " }))!.status).toBe(200);
  expect((await ask({ "x-api-key": "secre" }))!.status).toBe(401);
});

test("without a token only loopback addresses are served", async () => {
  expect((await route(new Request("https://agent.example/info")))!.status).toBe(401);
  expect((await route(new Request("http://127.0.0.1:8787/info")))!.status).toBe(200);
});

test("the hook decides by thread, and may answer itself", async () => {
  const asked: (string | undefined)[] = [];
  const authorize = (_request: Request, { threadId }: { threadId: string | undefined }) => {
    asked.push(threadId);
    return threadId === unknownThread ? new Response("not yours", { status: 403 }) : true;
  };
  const response = await route(new Request(`https://a.example/threads/${unknownThread}/state`), {
    authorize,
  });
  expect([response!.status, await response!.text()]).toEqual([403, "not yours"]);
  const created = await route(
    new Request("https://a.example/threads", {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    }),
    { authorize },
  );
  const { thread_id } = (await created!.json()) as { thread_id: string };
  expect(asked).toEqual([unknownThread, thread_id]);
});

test("pages of other origins are served only when they are on the list", async () => {
  const from = (origin: string, method = "GET") =>
    route(new Request("http://localhost/info", { method, headers: { origin } }), {
      allowedOrigins: ["https://app.example"],
    });
  expect((await from("https://evil.example"))!.status).toBe(403);
  expect((await from("https://evil.example", "OPTIONS"))!.status).toBe(403);
  expect((await from("http://localhost"))!.status).toBe(200);
  const allowed = (await from("https://app.example"))!;
  expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example");
  expect(allowed.headers.get("access-control-expose-headers")).toContain("content-location");
  expect((await from("https://app.example", "OPTIONS"))!.status).toBe(204);
});

test("a page that may call can read refusals and streams too", async () => {
  const { thread_id } = await createClient().threads.create();
  const from = (path: string, init: RequestInit, token?: string) =>
    route(
      new Request(`http://localhost${path}`, {
        ...init,
        headers: { origin: "https://app.example", "content-type": "application/json" },
      }),
      { allowedOrigins: ["https://app.example"] },
      token,
    );
  const run = JSON.stringify({ assistant_id: "agent", input: say("hi") });
  const responses = [
    await from("/info", {}, "secret"),
    await from(`/threads/${unknownThread}`, {}),
    await from(`/threads/${thread_id}/runs`, { method: "POST", body: "{oops" }),
    await from(`/threads/${thread_id}/runs/stream`, { method: "POST", body: run }),
  ];
  expect(responses.map((response) => response?.status)).toEqual([401, 404, 400, 200]);
  for (const response of responses) {
    expect(response?.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect(response?.headers.get("vary")).toBe("origin");
    await response?.text();
  }
});

test("a client cannot pass for a stateless run or for another thread", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const response = await call(`/threads/${unknownThread}/runs`, {
    method: "POST",
    body: '{"assistant_id":"agent"}',
    headers: { "content-type": "application/json", "x-edge-stateless": "1" },
  });
  expect(response.status).toBe(404);
  await client.runs.wait(thread_id, "agent", {
    input: { messages: [{ role: "user", content: "mine" }] },
    config: { configurable: { thread_id: unknownThread, __pregel_checkpointer: null } },
  });
  expect((await client.threads.getState(thread_id)).checkpoint.thread_id).toBe(thread_id);
});

/** Every request that touches a thread, as `[method, path, body]`. */
const routesTo = (id: string): [string, string, object?][] => [
  ["GET", `/threads/${id}`],
  ["PATCH", `/threads/${id}`, { metadata: { taken: true } }],
  ["DELETE", `/threads/${id}`],
  ["POST", "/threads", { thread_id: id, if_exists: "do_nothing" }],
  ["POST", `/threads/${id}/copy`],
  ["POST", "/threads/prune", { thread_ids: [id] }],
  ["GET", `/threads/${id}/state`],
  ["POST", `/threads/${id}/state`, { values: { messages: [] } }],
  ["GET", `/threads/${id}/state/${unknownThread}`],
  ["POST", `/threads/${id}/state/checkpoint`, { checkpoint: {} }],
  ["GET", `/threads/${id}/history`],
  ["POST", `/threads/${id}/history`, {}],
  ["GET", `/threads/${id}/runs`],
  ["POST", `/threads/${id}/runs`, { assistant_id: "agent" }],
  ["POST", `/threads/${id}/runs/stream`, { assistant_id: "agent" }],
  ["POST", `/threads/${id}/runs/wait`, { assistant_id: "agent" }],
  ["GET", `/threads/${id}/runs/${unknownThread}`],
  ["DELETE", `/threads/${id}/runs/${unknownThread}`],
  ["POST", `/threads/${id}/runs/${unknownThread}/cancel`],
  ["GET", `/threads/${id}/runs/${unknownThread}/join`],
  ["GET", `/threads/${id}/runs/${unknownThread}/stream`],
  ["POST", "/runs/cancel", { thread_id: id }],
  ["GET", `/runs/${id}/stream`],
  ["GET", `/threads/${id}/snapshots/key`],
  ["PUT", `/threads/${id}/snapshots/key`, { base64: "" }],
  // Other ways to write the same thread.
  ["GET", `/threads/${id.toUpperCase()}`],
  ["GET", `/threads/${id}/`],
];

type Ask = (threadId: string | undefined) => boolean | Response;

function callAs(
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
  for (const to of routesTo(thread_id)) {
    const response = await callAs(to, (threadId) => threadId !== thread_id);
    expect([response?.status, await response?.json()], to.join(" ")).toEqual([
      401,
      { detail: "Not authorized." },
    ]);
  }
  expect(await client.threads.get(thread_id)).toEqual(before);
  expect(await client.runs.list(thread_id)).toHaveLength(1);
});

test("the hook is asked about the thread that is reached, and its own answer is what the client gets", async () => {
  const { thread_id } = await createClient().threads.create();
  for (const to of routesTo(thread_id)) {
    const asked: (string | undefined)[] = [];
    const response = await callAs(to, (threadId) => {
      asked.push(threadId);
      return threadId === thread_id ? new Response("no", { status: 418 }) : true;
    });
    expect([response?.status, asked.includes(thread_id)], to.join(" ")).toEqual([418, true]);
  }
});

test("a thread that a client names for itself is asked about by that name, one that is made for it by a new one", async () => {
  const asked: (string | undefined)[] = [];
  const ask: Ask = (threadId) => {
    asked.push(threadId);
    return true;
  };
  for (const path of ["/threads", "/threads"]) await callAs(["POST", path, {}], ask);
  for (const path of ["/runs", "/runs/wait"]) await callAs(["POST", path, { assistant_id: "agent" }], ask);
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
