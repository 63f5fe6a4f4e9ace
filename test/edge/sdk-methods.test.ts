import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Client } from "@langchain/langgraph-sdk";
import { expect, test } from "vitest";
import { routeAgentRequest } from "../../edge/index.js";
import { agentOf, collect, say } from "./agent-client.js";

/** A Worker as the README has it: what is not of the agent's API is not found. */
const requests: string[] = [];
const fetchHere = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
  const request = new Request(input as RequestInfo, init);
  requests.push(`${request.method} ${new URL(request.url).pathname}`);
  const response = await routeAgentRequest(request as never, env, { namespace: env.AGENTS as never });
  return (response as Response | undefined) ?? new Response("Not found", { status: 404 });
};
const client = new Client({
  apiUrl: "http://localhost",
  apiKey: null,
  callerOptions: { fetch: fetchHere as typeof fetch, maxRetries: 0 },
});

const newThread = async () => (await client.threads.create()).thread_id;
const talked = async () => {
  const threadId = await newThread();
  const run = await client.runs.create(threadId, "agent", { input: say("hi") });
  await client.runs.join(threadId, run.run_id);
  return { threadId, runId: run.run_id };
};
const input = say("hi");

/** Every method of the client's parts, with what it is to answer. */
const served: Record<string, () => Promise<unknown>> = {
  "threads.get": async () => client.threads.get(await newThread()),
  "threads.create": () => client.threads.create({ metadata: { a: 1 }, graphId: "agent", ttl: 60 }),
  "threads.copy": async () => client.threads.copy(await newThread()),
  "threads.update": async () => client.threads.update(await newThread(), { metadata: { a: 2 } }),
  "threads.delete": async () => client.threads.delete(await newThread()),
  "threads.prune": async () => client.threads.prune([await newThread()]),
  "threads.search": () => client.threads.search({ limit: 1 }),
  "threads.count": () => client.threads.count(),
  "threads.getState": async () => {
    const { threadId } = await talked();
    const state = await client.threads.getState(threadId);
    await client.threads.getState(threadId, state.checkpoint, { subgraphs: true });
    await client.threads.getState(threadId, state.checkpoint.checkpoint_id!);
    expect(await client.threads.getState(threadId, undefined, { select: ["next"] } as never)).toEqual({
      next: [],
    });
  },
  "threads.updateState": async () =>
    client.threads.updateState(await newThread(), { values: input, asNode: "model_request" }),
  "threads.getHistory": async () => {
    const { threadId } = await talked();
    const [latest] = await client.threads.getHistory(threadId, { limit: 1, select: ["next"] } as never);
    expect(latest).toEqual({ next: [] });
  },
  "runs.stream": async () => collect(client.runs.stream(await newThread(), "agent", { input })),
  "runs.create": async () => client.runs.create(await newThread(), "agent", { input }),
  "runs.wait": async () => client.runs.wait(await newThread(), "agent", { input }),
  "runs.list": async () => {
    const { threadId, runId } = await talked();
    expect(await client.runs.list(threadId, { select: ["run_id"] } as never)).toEqual([{ run_id: runId }]);
  },
  "runs.get": async () => {
    const { threadId, runId } = await talked();
    return client.runs.get(threadId, runId);
  },
  "runs.cancel": async () => {
    const { threadId, runId } = await talked();
    return client.runs.cancel(threadId, runId, true);
  },
  "runs.cancelMany": async () => client.runs.cancelMany({ threadId: await newThread(), status: "all" }),
  "runs.join": async () => {
    const { threadId, runId } = await talked();
    return client.runs.join(threadId, runId);
  },
  "runs.joinStream": async () => {
    const { threadId, runId } = await talked();
    return collect(client.runs.joinStream(threadId, runId));
  },
  "runs.delete": async () => {
    const { threadId, runId } = await talked();
    return client.runs.delete(threadId, runId);
  },
  "assistants.get": () => client.assistants.get("agent"),
  "assistants.getGraph": () => client.assistants.getGraph("agent", { xray: true }),
  "assistants.getSchemas": () => client.assistants.getSchemas("agent"),
  "assistants.getSubgraphs": async () => {
    await client.assistants.getSubgraphs("agent");
    return client.assistants.getSubgraphs("agent", { namespace: "tools" });
  },
  "assistants.search": () => client.assistants.search({ graphId: "agent" }),
  "assistants.count": () => client.assistants.count(),
};

/** What this server has none of, and the status that says so. */
const refused: Record<string, [status: number, call: () => Promise<unknown>]> = {
  "threads.patchState": [405, async () => client.threads.patchState(await newThread(), { a: 1 })],
  "threads.joinStream": [404, async () => collect(client.threads.joinStream(await newThread()))],
  "threads.stream": [404, async () => collect(await openThreadStream(await newThread()))],
  "runs.createBatch": [404, () => client.runs.createBatch([{ assistantId: "agent", input }])],
  "assistants.create": [404, () => client.assistants.create({ graphId: "agent" })],
  "assistants.update": [405, () => client.assistants.update("agent", { name: "other" })],
  "assistants.delete": [405, () => client.assistants.delete("agent")],
  "assistants.getVersions": [404, () => client.assistants.getVersions("agent")],
  "assistants.setLatest": [404, () => client.assistants.setLatest("agent", 1)],
  "crons.create": [404, () => client.crons.create("agent", { schedule: "* * * * *" })],
  "crons.createForThread": [
    405,
    async () => client.crons.createForThread(await newThread(), "agent", { schedule: "* * * * *" }),
  ],
  "crons.update": [404, () => client.crons.update(crypto.randomUUID(), { enabled: false })],
  "crons.delete": [404, () => client.crons.delete(crypto.randomUUID())],
  "crons.search": [404, () => client.crons.search()],
  "crons.count": [404, () => client.crons.count()],
  "store.putItem": [404, () => client.store.putItem(["a"], "key", { n: 1 })],
  "store.getItem": [404, () => client.store.getItem(["a"], "key")],
  "store.deleteItem": [404, () => client.store.deleteItem(["a"], "key")],
  "store.searchItems": [404, () => client.store.searchItems(["a"])],
  "store.listNamespaces": [404, () => client.store.listNamespaces()],
};

/** The newer protocol of one stream per thread. */
async function openThreadStream(threadId: string): Promise<AsyncIterable<unknown>> {
  const stream = client.threads.stream(threadId, {
    assistantId: "agent",
    maxReconnectAttempts: 0,
    fetch: fetchHere as typeof fetch,
  });
  await stream.run.start({ input });
  return stream as unknown as AsyncIterable<unknown>;
}

function methodsOf(part: "threads" | "runs" | "assistants" | "crons" | "store"): string[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(client[part]) as object);
  return names.filter((name) => name !== "constructor").map((name) => `${part}.${name}`);
}

test("every method of the SDK's client is served or refused here, and none is forgotten", () => {
  const parts = ["threads", "runs", "assistants", "crons", "store"] as const;
  expect([...Object.keys(served), ...Object.keys(refused)].sort()).toEqual(parts.flatMap(methodsOf).sort());
});

test.each(Object.entries(served))("%s is served", async (_name, call) => {
  await call();
});

test.each(Object.entries(refused))("%s is refused by its status", async (_name, [status, call]) => {
  requests.length = 0;
  const error = await call().then(
    () => undefined,
    (reason: unknown) => reason as Error & { status?: number },
  );
  expect(error, requests.join()).toBeInstanceOf(Error);
  expect(error?.message).toContain(String(status));
});

test("a thread may have a time to live, which a client may set anew", async () => {
  const threadId = (await client.threads.create({ ttl: 1 })).thread_id;
  const alarm = () =>
    runInDurableObject(agentOf(threadId), (_agent, { storage }) => storage.getAlarm()) as Promise<number>;
  const [before, soon] = [Date.now(), await alarm()];
  expect(soon).toBeGreaterThan(before);
  expect(soon).toBeLessThanOrEqual(before + 60_000);
  await client.threads.update(threadId, { ttl: 60, returnMinimal: true });
  expect(await alarm()).toBeGreaterThan(before + 3_000_000);
});

test("what a field asks for and this server does not have is refused with its name", async () => {
  const threadId = await newThread();
  await expect(
    client.threads.create({ ttl: { ttl: 1, strategy: "keep_latest" as "delete" } }),
  ).rejects.toThrow(/422.*ttl\.strategy/s);
  await expect(client.threads.search({ values: { a: 1 } })).rejects.toThrow(/422.*filtering by values/s);
  await expect(client.runs.create(threadId, "agent", { input, webhook: "https://a" })).rejects.toThrow(
    /422.*webhook/s,
  );
});
