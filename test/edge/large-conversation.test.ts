import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { routeAgentRequest } from "../../edge/index.js";
import { agentOf, createClient, messagesOf, say } from "./agent-client.js";

const TURNS = 4;
const MEGABYTES = 2.5;

const fetchLarge = ((input: RequestInfo, init?: RequestInit) =>
  routeAgentRequest(new Request(input, init) as never, env, {
    namespace: env.AGENTS as never,
    maxBodyBytes: 4_000_000,
  })) as unknown as typeof fetch;

/** One word, which the scripted model repeats: a turn adds two messages of this size. */
const textOf = (turn: number) => `${turn}${"é".repeat((MEGABYTES * 1024 * 1024) / 2)}`;

test("a conversation of 20 MB is stored in rows under 2 MB and read back in full", async () => {
  const client = createClient(fetchLarge);
  const { thread_id } = await client.threads.create();
  const expected: string[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    await client.runs.wait(thread_id, "agent", { input: say(textOf(turn)) });
    expected.push(textOf(turn), `You said: ${textOf(turn)}`);
  }
  const { values } = await client.threads.getState(thread_id);
  expect(JSON.stringify(values).length).toBeGreaterThan(10_000_000);
  expect(messagesOf(values).every((text, index) => text === expected[index])).toBe(true);
  expect(messagesOf(values)).toHaveLength(2 * TURNS);

  let states = 0;
  let before: string | undefined;
  for (;;) {
    const [state] = await client.threads.getHistory(thread_id, {
      limit: 1,
      ...(before ? { before: before as never } : {}),
    });
    if (!state) break;
    const texts = messagesOf(state.values);
    expect(texts.every((text, index) => text === expected[index])).toBe(true);
    before = state.checkpoint.checkpoint_id!;
    states += 1;
  }
  expect(states).toBe(3 * TURNS);

  const largest = await runInDurableObject(agentOf(thread_id), (_agent, { storage: { sql } }) => {
    const tables = sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND (name LIKE 'edge%' OR name LIKE 'agent%')",
      )
      .toArray();
    return Math.max(
      ...tables.map(({ name }) => {
        const columns = sql.exec<{ name: string }>(`PRAGMA table_info(${name})`).toArray();
        const size = columns.map((column) => `ifnull(length(CAST(${column.name} AS BLOB)), 0)`).join(" + ");
        return sql.exec<{ size: number | null }>(`SELECT max(${size}) AS size FROM ${name}`).one().size ?? 0;
      }),
    );
  });
  expect(largest).toBeGreaterThan(500_000);
  expect(largest).toBeLessThan(2_000_000);
}, 180_000);

test("the whole history of a large conversation comes state by state", async () => {
  const client = createClient(fetchLarge);
  const { thread_id } = await client.threads.create();
  for (let turn = 0; turn < 3; turn++)
    await client.runs.wait(thread_id, "agent", { input: say(textOf(turn)) });
  const history = await client.threads.getHistory(thread_id, { limit: 100 });
  expect(history.map((state) => messagesOf(state.values).length)).toEqual([6, 5, 4, 4, 3, 2, 2, 1, 0]);
}, 180_000);

test("a body over the limit is refused, whatever it claims to be", async () => {
  const client = createClient(fetchLarge);
  const { thread_id } = await client.threads.create();
  await expect(client.runs.wait(thread_id, "agent", { input: say("x".repeat(4_000_000)) })).rejects.toThrow(
    "413",
  );
  expect(await client.runs.list(thread_id)).toEqual([]);
});
