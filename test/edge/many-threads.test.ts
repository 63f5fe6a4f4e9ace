import type { Client } from "@langchain/langgraph-sdk";
import { expect, test } from "vitest";
import { agentOf, begun, createClient, messagesOf, say } from "./agent-client.js";

const THREADS = 50;
const MIB = 1024 * 1024;
const evaluate = (code: string) => say(`call eval ${JSON.stringify({ code })}`);

test("50 threads at once in one isolate stay under its memory cap, and nobody's variables are lost or crossed", async () => {
  /** Every turn is in the middle of its eval until the test lets it go on; only so many fit at a time. */
  const turn = async (client: Client, threadId: string, code: string, label: string) => {
    const run = await client.runs.create(threadId, "agent", {
      input: evaluate(code),
      // The call of the tool is an event, so that `begun` looks after it.
      streamMode: ["values", "custom"],
    });
    await begun(threadId, run.run_id, label);
    await agentOf(threadId).release(label);
    return messagesOf(await client.runs.join(threadId, run.run_id)).at(-1);
  };
  const conversation = async (index: number) => {
    const client = createClient();
    const { thread_id } = await client.threads.create();
    const first = await turn(
      client,
      thread_id,
      `const mine = { index: ${index}, rows: Array.from({ length: 2000 }, (_, row) => row * ${index}) };
       let n = 1; await tools.wait({ label: "first" }); n += 1`,
      "first",
    );
    const second = await turn(
      client,
      thread_id,
      `n += 1; await tools.wait({ label: "second" }); [mine.index, mine.rows[1999], n]`,
      "second",
    );
    return { first, second, counts: await agentOf(thread_id).counts() };
  };
  const outcomes = await Promise.all(Array.from({ length: THREADS }, (_, index) => conversation(index)));
  for (const [index, outcome] of outcomes.entries())
    expect(outcome).toEqual({
      first: "I have the result: → 2",
      second: `I have the result: → [${index}, ${1999 * index}, 3]`,
      counts: { first: 1, second: 1 },
    });
  const peak = await agentOf("any").takePeakBytes();
  expect(peak).toBeGreaterThan(32 * MIB);
  expect(peak).toBeLessThanOrEqual(80 * MIB);
});
