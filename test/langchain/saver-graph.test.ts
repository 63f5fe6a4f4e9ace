import "fake-indexeddb/auto";
import { Annotation, Command, interrupt, MemorySaver, Send, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { expect, test } from "vitest";
import { IndexedDBSaver } from "../../web/indexeddb-saver.js";
import { MemoryRowSaver } from "../support/memory-saver.js";

const append = (left: string[], right: string[]) => [...left, ...right];
const State = Annotation.Root({
  log: Annotation<string[]>({ reducer: append, default: () => [] }),
  last: Annotation<string>(),
  /** In an object, because MemorySaver cannot read a channel write that is bytes. */
  image: Annotation<{ bytes: Uint8Array }>({ reducer: (_left, right) => right }),
});

function buildGraph(checkpointer: BaseCheckpointSaver) {
  const inner = new StateGraph(State)
    .addNode("ask", ({ last }) => ({ log: [`asked: ${interrupt(`may ${last} go on?`)}`] }))
    .addEdge(START, "ask")
    .compile();
  return new StateGraph(State)
    .addNode("plan", ({ log }) => ({ log: ["plan"], last: `plan ${log.length}` }))
    .addNode("work", ({ last }) => ({
      log: [`work on ${last}`],
      image: { bytes: new Uint8Array([1, 2, 3]) },
    }))
    .addNode("inner", inner)
    .addEdge(START, "plan")
    .addConditionalEdges(
      "plan",
      (state) => [new Send("work", state), new Send("work", { ...state, last: "other" })],
      ["work"],
    )
    .addEdge("work", "inner")
    .compile({ checkpointer });
}

/** Everything a user of the LangGraph API can see of a thread, with checkpoint ids and times replaced by their order. */
async function useThread(checkpointer: BaseCheckpointSaver): Promise<string> {
  const seen: unknown[] = [];
  const graph = buildGraph(checkpointer);
  const config = { configurable: { thread_id: "thread" } };
  const history = async () => {
    const states = [];
    for await (const state of graph.getStateHistory(config)) states.push(state);
    return states;
  };
  seen.push(await graph.invoke({ log: ["start"] }, config));
  seen.push(await graph.getState(config, { subgraphs: true }));
  seen.push(await graph.invoke(new Command({ resume: "yes" }), config));
  const first = await history();
  const planned = first.find((state) => state.next.includes("work"))!;
  // A fork from an earlier checkpoint, by changing its state, and one by running from it as it is.
  const forked = await graph.updateState(planned.config, { log: ["changed"], last: "fork" }, "plan");
  seen.push(forked, await graph.invoke(null, forked));
  seen.push(await graph.invoke(new Command({ resume: "no" }), config));
  seen.push(await graph.invoke(null, planned.config));
  seen.push(await graph.updateState(planned.config, null, "__copy__"));
  for (const state of first) seen.push(await graph.getState(state.config));
  seen.push(await graph.invoke({ log: ["exit"] }, { ...config, durability: "exit" }));
  seen.push(await history());
  await checkpointer.deleteThread("thread");
  seen.push(await history());
  return normalize(seen);
}

function normalize(seen: unknown): string {
  const sorted = (_key: string, value: unknown) =>
    value && Object.getPrototypeOf(value) === Object.prototype
      ? Object.fromEntries(Object.entries(value).sort())
      : value;
  const text = JSON.stringify(seen, sorted, 1);
  const names = new Map<string, string>();
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}/g;
  return text.replace(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"time"').replace(uuid, (id) => {
    if (!names.has(id)) names.set(id, `id ${names.size}`);
    return names.get(id)!;
  });
}

test.each([
  ["RowCheckpointSaver", () => new MemoryRowSaver()],
  ["IndexedDBSaver", () => new IndexedDBSaver({ fallback: "error" })],
])("%s shows a graph's user what LangGraph's MemorySaver shows", async (_name, create) => {
  const expected = await useThread(new MemorySaver());
  expect(expected).toContain("asked: no");
  expect(await useThread(create())).toBe(expected);
});

test("a pruned thread still resumes, forks at what is kept, and stays small", async () => {
  const saver = new MemoryRowSaver({ keepCheckpoints: 4 });
  const graph = buildGraph(saver);
  const config = { configurable: { thread_id: "thread" } };
  let rows = 0;
  for (let turn = 0; turn < 6; turn++) {
    const paused = await graph.invoke({ log: [`turn ${turn}`] }, config);
    expect(paused).toHaveProperty("__interrupt__");
    const state = await graph.invoke(new Command({ resume: `answer ${turn}` }), config);
    expect(state.log.at(-1)).toBe(`asked: answer ${turn}`);
    const keys = saver.rows.answer({ type: "keys", prefix: ["value"] }) as unknown[];
    if (turn === 2) rows = keys.length;
    if (turn > 2) expect(keys.length).toBe(rows);
  }
  const states = [];
  for await (const state of graph.getStateHistory(config)) states.push(state);
  expect(states.length).toBe(4);
});
