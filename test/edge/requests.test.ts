import { SELF } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { routeAgentRequest } from "../../edge/index.js";
import { createClient } from "./agent-client.js";

const unknownThread = "6e1dbd3c-8c5f-4e0a-9d2a-0e0d6a3b7c11";

const call = (path: string, init?: RequestInit) => SELF.fetch(`http://localhost${path}`, init);
const post = (path: string, body: string, type = "application/json") =>
  call(path, { method: "POST", body, headers: { "content-type": type } });

async function refusal(response: Promise<Response>): Promise<[number, string]> {
  const { status, body } = await response.then(async (r) => ({ status: r.status, body: await r.json() }));
  return [status, (body as { detail: string }).detail];
}

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

test("that nobody is asked for a token on loopback is said aloud, once", async () => {
  vi.resetModules();
  const { bearerToken } = await import("../../edge/authorize.js");
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  for (const path of ["/info", "/threads"])
    expect(await bearerToken(new Request(`http://localhost${path}`), { env: {}, threadId: undefined })).toBe(
      true,
    );
  expect(warn.mock.calls).toEqual([[expect.stringContaining("AUTH_TOKEN is not set")]]);
  warn.mockRestore();
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
