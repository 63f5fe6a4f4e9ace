import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { routeAgentRequest } from "../../edge/index.js";
import { agentOf, begun, createClient, messagesOf, runEval, say } from "./agent-client.js";

const unknownThread = "6e1dbd3c-8c5f-4e0a-9d2a-0e0d6a3b7c22";

const rowsOf = (threadId: string, table: string) =>
  runInDurableObject(
    agentOf(threadId),
    (_agent, { storage }) =>
      storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM edge_interpreter_${table}`).one().n,
  );

test("a copy has the conversation, its history and its own variables, and outlives the original", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create({ metadata: { title: "first" } });
  await client.runs.wait(thread_id, "agent", { input: say("hello") });
  await runEval(
    thread_id,
    'let n = 40; const add = (m) => n += m; const big = "x".repeat(3_000_000); add(1)',
  );
  const copy = await client.threads.copy(thread_id);
  expect(copy.thread_id).not.toBe(thread_id);
  expect(copy).toMatchObject({ status: "idle", metadata: { title: "first" } });
  const [of, ofCopy] = await Promise.all(
    [thread_id, copy.thread_id].map((id) => client.threads.getHistory(id, { limit: 100 })),
  );
  const idsOf = (states: typeof of) => states?.map(({ checkpoint }) => checkpoint.checkpoint_id);
  expect(idsOf(ofCopy)).toEqual(idsOf(of));
  expect(ofCopy?.map((state) => messagesOf(state.values))).toEqual(
    of?.map((state) => messagesOf(state.values)),
  );
  expect(new Set(ofCopy?.map(({ checkpoint }) => checkpoint.thread_id))).toEqual(new Set([copy.thread_id]));
  await client.threads.delete(thread_id);
  await abortAllDurableObjects();
  const values = await runEval(copy.thread_id, "[add(1), big.length]");
  expect(values.at(-1)).toBe("I have the result: → [42, 3000000]");
  const found = await client.threads.search({ ids: [copy.thread_id] });
  expect(found.map((thread) => thread.thread_id)).toEqual([copy.thread_id]);
});

test("a copy of a thread that waits for an approval waits too, and each is answered by itself", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await runEval(
    thread_id,
    'const kept = "kept"; const sent = await tools.send({ label: "it" }); kept + ", " + sent',
  );
  const copy = await client.threads.copy(thread_id);
  expect(copy.status).toBe("interrupted");
  const answer = async (threadId: string, decision: object) =>
    messagesOf(
      await client.runs.wait(threadId, "agent", { command: { resume: { decisions: [decision] } } }),
    ).at(-1);
  expect(await answer(copy.thread_id, { type: "approve" })).toContain("kept, sent it");
  expect(await agentOf(thread_id).counts()).toEqual({});
  expect(await answer(thread_id, { type: "reject", message: "not now" })).toContain("not now");
  expect(await agentOf(copy.thread_id).counts()).toEqual({ it: 1 });
});

test("only a thread that is there and not busy can be copied, and nothing is left of a copy that was not made", async () => {
  const client = createClient();
  await expect(client.threads.copy(unknownThread)).rejects.toThrow("404");
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "agent", { input: say('call wait {"label":"gate"}') });
  await begun(thread_id, run.run_id, "gate");
  await expect(client.threads.copy(thread_id)).rejects.toThrow("409");
  await agentOf(thread_id).release("gate");
  await client.runs.join(thread_id, run.run_id);
  expect((await client.threads.copy(thread_id)).status).toBe("idle");
});

test("a copy that was broken off is cleared up", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "agent", { input: say("hello") });
  const part = await agentOf(thread_id).readThreadPart({ table: 0, after: 0 });
  const half = agentOf(crypto.randomUUID());
  await half.writeThreadPart(part as never);
  expect(await runDurableObjectAlarm(half)).toBe(true);
  const left = await runInDurableObject(half, (_agent, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'edge%'").toArray(),
  );
  expect(left).toEqual([]);
});

test("a pruned thread keeps what it is and forgets how it came to be", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  for (let turn = 1; turn <= 4; turn++) await runEval(thread_id, `var n = ${turn}`);
  const before = await client.threads.getState(thread_id);
  expect(await client.threads.prune([thread_id, unknownThread], { strategy: "keep_latest" })).toEqual({
    pruned_count: 1,
  });
  expect(await client.threads.getState(thread_id)).toMatchObject({
    checkpoint: { checkpoint_id: before.checkpoint.checkpoint_id },
    values: { messages: (before.values as { messages: object[] }).messages },
  });
  expect(await client.threads.getHistory(thread_id, { limit: 100 })).toHaveLength(1);
  expect(await rowsOf(thread_id, "snapshots")).toBeLessThanOrEqual(2);
  await abortAllDurableObjects();
  const values = await runEval(thread_id, "n + 1");
  expect(values.at(-1)).toBe("I have the result: → 5");
});

test("a question still waits after its thread was pruned", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "agent", { input: say("hello") });
  await runEval(thread_id, 'await tools.send({ label: "it" })');
  await client.threads.prune([thread_id], { strategy: "keep_latest" });
  await abortAllDurableObjects();
  const values = await client.runs.wait(thread_id, "agent", {
    command: { resume: { decisions: [{ type: "approve" }] } },
  });
  expect(messagesOf(values).at(-1)).toBe("I have the result: → sent it");
});

test("a busy thread is not pruned, since its run may go back", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await client.runs.create(thread_id, "agent", { input: say('call wait {"label":"never"}') });
  expect(await client.threads.prune([thread_id], { strategy: "keep_latest" })).toEqual({ pruned_count: 0 });
});

test("threads can be deleted together", async () => {
  const client = createClient();
  const threads = await Promise.all([1, 2, 3].map(() => client.threads.create()));
  const [first, second, third] = threads.map((thread) => thread.thread_id) as [string, string, string];
  expect(await client.threads.prune([first, second, unknownThread])).toEqual({ pruned_count: 2 });
  for (const gone of [first, second]) await expect(client.threads.get(gone)).rejects.toThrow("404");
  expect((await client.threads.get(third)).thread_id).toBe(third);
  await expect(client.threads.prune(["../shared"])).rejects.toThrow("422");
});

test("copying asks for the new thread too, and pruning for all of them before the first", async () => {
  const client = createClient();
  const [mine, others] = await Promise.all([client.threads.create(), client.threads.create()]);
  const asked: (string | undefined)[] = [];
  const call = (path: string, allowed: (threadId: string | undefined) => boolean, body?: object) =>
    routeAgentRequest(
      new Request(`http://localhost${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
      env,
      {
        namespace: env.AGENTS as never,
        authorize: (_request, { threadId }) => {
          asked.push(threadId);
          return allowed(threadId);
        },
      },
    );
  const onlyMine = (threadId: string | undefined) => threadId === undefined || threadId === mine.thread_id;
  expect((await call(`/threads/${others.thread_id}/copy`, onlyMine))?.status).toBe(401);
  expect((await call(`/threads/${mine.thread_id}/copy`, onlyMine))?.status).toBe(401);
  const copied = await call(`/threads/${mine.thread_id}/copy`, () => true);
  const { thread_id } = (await copied!.json()) as { thread_id: string };
  expect(asked.slice(-2)).toEqual([mine.thread_id, thread_id]);
  const both = { thread_ids: [mine.thread_id, others.thread_id] };
  expect((await call("/threads/prune", onlyMine, both))?.status).toBe(401);
  expect((await client.threads.get(mine.thread_id)).thread_id).toBe(mine.thread_id);
  expect((await call("/threads/prune", onlyMine, { thread_ids: [mine.thread_id] }))?.status).toBe(200);
});
