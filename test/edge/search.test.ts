import { runDurableObjectAlarm, runInDurableObject, SELF } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { routeAgentRequest } from "../../edge/index.js";
import { agentOf, createClient, say } from "./agent-client.js";

test("threads are found by what they are about and how they stand, newest first", async () => {
  const client = createClient();
  const created: string[] = [];
  for (let n = 0; n < 4; n++) {
    const metadata = { owner: "search-test", even: n % 2 === 0, tags: ["a", { n }] };
    created.push((await client.threads.create({ metadata })).thread_id);
  }
  await client.runs.wait(created[0]!, "agent", { input: say('call ask {"question":"?"}') });
  const mine = { owner: "search-test" };
  const ids = async (query: object) =>
    (await client.threads.search({ metadata: mine, ...query })).map((thread) => thread.thread_id);
  expect(await ids({})).toEqual([...created].reverse());
  expect(await ids({ metadata: { ...mine, even: true } })).toEqual([created[2], created[0]]);
  expect(await ids({ metadata: { ...mine, tags: [{ n: 1 }] } })).toEqual([created[1]]);
  expect(await ids({ status: "interrupted" })).toEqual([created[0]]);
  expect(await ids({ limit: 2, offset: 1 })).toEqual([created[2], created[1]]);
  expect(await ids({ sortBy: "created_at", sortOrder: "asc" })).toEqual(created);
  expect(await ids({ ids: [created[3]!] })).toEqual([created[3]]);
  expect(await client.threads.search({ metadata: mine, limit: 1, select: ["thread_id"] })).toEqual([
    { thread_id: created[3] },
  ]);
  expect(await client.threads.count({ metadata: mine })).toBe(4);
  await client.threads.delete(created[3]!);
  expect(await ids({ limit: 1 })).toEqual([created[2]]);
});

test("a thread whose time is up is neither found nor looked for again", async () => {
  const client = createClient();
  const metadata = { owner: "expired" };
  const { thread_id } = await client.threads.create({ metadata, ttl: 1 });
  expect(await client.threads.count({ metadata })).toBe(1);
  const indexed = () =>
    runInDurableObject(agentOf("shared"), (_agent, { storage }) =>
      storage.sql.exec("SELECT 1 FROM agent_index WHERE thread_id = ?", thread_id).toArray(),
    );
  await runInDurableObject(agentOf(thread_id), (_agent, { storage }) => {
    storage.sql.exec("UPDATE agent_thread SET expires_at = 0");
  });
  await runDurableObjectAlarm(agentOf(thread_id));
  expect(await indexed()).toHaveLength(1);
  expect(await client.threads.search({ metadata })).toEqual([]);
  expect(await indexed()).toEqual([]);
});

test("a thread that a run created is found too", async () => {
  const client = createClient();
  const threadId = crypto.randomUUID();
  const metadata = { made: "by a run" };
  await client.runs.wait(threadId, "agent", { input: say("hi"), ifNotExists: "create", metadata });
  expect((await client.threads.search({ metadata })).map((thread) => thread.thread_id)).toEqual([threadId]);
});

test("a search shows only threads its client may read", async () => {
  const client = createClient();
  const metadata = { secret: "of one" };
  const { thread_id } = await client.threads.create({ metadata });
  const search = (mayRead: (threadId: string | undefined) => boolean) =>
    routeAgentRequest(
      new Request("http://localhost/threads/search", {
        method: "POST",
        body: JSON.stringify({ metadata }),
        headers: { "content-type": "application/json" },
      }),
      env,
      { namespace: env.AGENTS as never, authorize: (_request, { threadId }) => mayRead(threadId) },
    ).then((response) => response!.json<{ thread_id: string }[]>());
  expect((await search(() => true)).map((thread) => thread.thread_id)).toEqual([thread_id]);
  expect(await search((threadId) => threadId === undefined)).toEqual([]);
});

test("the index is not for clients", async () => {
  expect(await (await SELF.fetch("http://localhost/index?limit=1&offset=0")).text()).toBe("test worker");
  expect((await SELF.fetch("http://localhost/threads/search")).status).toBe(405);
});
