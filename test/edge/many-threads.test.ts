import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { createInterpreter } from "../../src/interpreter.js";
import { agentOf, createClient, runEval } from "./agent-client.js";
import { inObject, objectStub } from "./objects.js";

const THREADS = 50;
const MIB = 1024 * 1024;

/** First, while nobody has the engine. */
test("an object that is lost while it loads the engine for all of its isolate holds up none of the others", async () => {
  const lost = runInDurableObject(objectStub("lost while loading"), async (_object, state) => {
    const loading = createInterpreter();
    state.abort("lost");
    await loading;
  });
  const others = ["one", "two"].map((name) =>
    inObject(name, async () => {
      const interpreter = await createInterpreter();
      const session = await interpreter.open();
      const result = await session.eval("6 * 7");
      interpreter.dispose();
      return result.status === "completed" && result.value;
    }),
  );
  await expect(lost).rejects.toThrow("lost");
  expect(await Promise.all(others)).toEqual([42, 42]);
});

/** One turn of a thread: an eval that calls a tool in the middle, when the sessions of the others are there too. */
async function turn(threadId: string, code: string): Promise<string | undefined> {
  return (await runEval(threadId, code)).at(-1);
}

async function conversation(index: number) {
  const { thread_id } = await createClient().threads.create();
  const first = await turn(
    thread_id,
    `const mine = { index: ${index}, rows: Array.from({ length: 2000 }, (_, row) => row * ${index}) };
     let n = 1; await tools.count({ label: "first" }); n += 1`,
  );
  const second = await turn(
    thread_id,
    'n += 1; await tools.count({ label: "second" }); [mine.index, mine.rows[1999], n]',
  );
  return { first, second, counts: await agentOf(thread_id).counts() };
}

test("50 threads at once in one isolate stay under its memory cap, and nobody's variables are lost or crossed", async () => {
  await agentOf("any").takePeakBytes();
  const outcomes = await Promise.all(Array.from({ length: THREADS }, (_, index) => conversation(index)));
  for (const [index, outcome] of outcomes.entries())
    expect(outcome).toEqual({
      first: "I have the result: → 2",
      second: `I have the result: → [${index}, ${1999 * index}, 3]`,
      counts: { first: 1, second: 1 },
    });
  const peak = await agentOf("any").takePeakBytes();
  // Three and more at the same time, and no more than the default lets an isolate of 128 MB have.
  expect(peak / MIB).toBeGreaterThan(48);
  expect(peak / MIB).toBeLessThanOrEqual(80);
}, 180_000);
