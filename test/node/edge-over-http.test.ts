/** What only shows over a real connection: inside workerd, a stream of an object that died stays open. */
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EdgeServer, startEdgeServer } from "../bench/edge-server.mjs";

let server: EdgeServer;
let client: Client;

beforeAll(async () => {
  server = await startEdgeServer();
  client = new Client({ apiUrl: server.url, apiKey: null, callerOptions: { maxRetries: 0 } });
}, 30_000);

afterAll(() => server.dispose());

const say = (content: string) => ({ messages: [{ role: "user", content }] });

test("a client whose stream a crash cut gets the rest by itself, without a gap", async () => {
  const { thread_id } = await client.threads.create();
  const stream = client.runs.stream(thread_id, "agent", {
    input: say('call count {"label":"done"}; wait {"label":"gate"}'),
    streamMode: ["values", "messages-tuple", "custom"],
  });
  const ids: number[] = [];
  const attempts: number[] = [];
  let last = "";
  for await (const part of stream as AsyncGenerator<{ id?: string; event: string; data: never }>) {
    ids.push(Number(part.id));
    last = part.event;
    if (part.event === "metadata") {
      attempts.push((part.data as { attempt: number }).attempt);
      if (attempts.length === 2) await server.agent(thread_id).release("gate");
    }
    if (part.event === "custom")
      await server
        .agent(thread_id)
        .crash()
        .catch(() => {});
  }
  expect(attempts).toEqual([1, 2]);
  expect(ids).toEqual(ids.map((_, index) => index + 1));
  expect(last).toBe("end");
  expect(await server.agent(thread_id).counts()).toMatchObject({ done: 1 });
  expect(await client.threads.get(thread_id)).toMatchObject({ status: "idle" });
}, 30_000);

test("a client that leaves for good does not stop its run", async () => {
  const { thread_id } = await client.threads.create();
  const leave = new AbortController();
  const stream = client.runs.stream(thread_id, "agent", {
    input: say('call wait {"label":"gate"}'),
    signal: leave.signal,
  });
  await stream.next();
  leave.abort();
  const [run] = await client.runs.list(thread_id);
  await server.agent(thread_id).release("gate");
  await client.runs.join(thread_id, run!.run_id);
  expect(await client.runs.get(thread_id, run!.run_id)).toMatchObject({ status: "success" });
});

test("a client that leaves and asked for it takes its run along", async () => {
  const { thread_id } = await client.threads.create();
  const leave = new AbortController();
  const stream = client.runs.stream(thread_id, "agent", {
    input: say('call wait {"label":"never"}'),
    onDisconnect: "cancel",
    signal: leave.signal,
  });
  await stream.next();
  leave.abort();
  const [run] = await client.runs.list(thread_id);
  await client.runs.join(thread_id, run!.run_id);
  expect(await client.runs.get(thread_id, run!.run_id)).toMatchObject({ status: "interrupted" });
}, 30_000);
