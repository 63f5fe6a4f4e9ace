import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { Annotation, Command, interrupt, START, StateGraph } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { DurableObjectSaver } from "../../edge/durable-object-saver.js";
import { inObject, objectStub } from "./objects.js";

const State = Annotation.Root({
  log: Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
});

/** What happened outside of the objects, which an eviction does not undo. */
const effects: string[] = [];

function buildGraph(storage: DurableObjectStorage, second: () => Promise<void>) {
  return new StateGraph(State)
    .addNode("first", () => {
      effects.push("first");
      return { log: ["first"] };
    })
    .addNode("second", async () => {
      effects.push("second starts");
      await second();
      return { log: ["second"] };
    })
    .addNode("approval", () => ({ log: [`approved: ${interrupt("go on?")}`] }))
    .addEdge(START, "first")
    .addEdge("first", "second")
    .addEdge("second", "approval")
    .compile({ checkpointer: new DurableObjectSaver(storage) });
}

test("a graph whose object is evicted within a step goes on with that step and repeats none before it", async () => {
  const config = { configurable: { thread_id: "thread" }, durability: "sync" } as const;
  const run = runInDurableObject(objectStub("evicted within a step"), (_object, state) =>
    buildGraph(state.storage, async () => state.abort("evicted")).invoke({ log: ["start"] }, config),
  );
  await expect(run).rejects.toThrow("evicted");

  const paused = await inObject("evicted within a step", async (storage) =>
    buildGraph(storage, async () => {}).invoke(null, config),
  );
  expect(paused.log).toEqual(["start", "first", "second"]);
  expect(effects).toEqual(["first", "second starts", "second starts"]);

  await abortAllDurableObjects();
  const resumed = await inObject("evicted within a step", async (storage) =>
    buildGraph(storage, async () => {}).invoke(new Command({ resume: "yes" }), config),
  );
  expect(resumed.log).toEqual(["start", "first", "second", "approved: yes"]);
  expect(effects).toHaveLength(3);
});
