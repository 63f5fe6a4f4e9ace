import { MemorySaver } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { deleteThreadSnapshots } from "../../src/langchain/index.js";
import { memoryStore, type SnapshotStore } from "../../src/store.js";
import { answers, ask, startAgent, thread } from "../support/persistent-agent.js";

const t = thread("t");
const now = { keep: 2, minAgeMs: 0 };
const snapshotKeys = async (store: SnapshotStore) =>
  (await store.list("threads/t/")).map(({ key }) => key).filter((key) => !key.endsWith("/head"));

test("what a checkpoint names stays for good: every older checkpoint still restores", async () => {
  const [saver, snapshots] = [new MemorySaver(), memoryStore()];
  const start = () => startAgent(saver, { snapshots, snapshotRetention: now });
  for (let turn = 0; turn < 8; turn++) await start().invoke(ask(`var n = ${turn}`), t);
  const ended = [];
  for await (const { next, config } of start().graph.getStateHistory(t))
    if (next.length === 0) ended.push(config);
  expect(ended).toHaveLength(8);
  for (const [index, config] of ended.entries())
    expect(answers(await start().invoke(ask("n"), config))).toEqual([`→ ${7 - index}`]);
});

test("what no checkpoint names any more goes, but for the newest", async () => {
  const [saver, snapshots] = [new MemorySaver(), memoryStore()];
  const agent = startAgent(saver, { snapshots, snapshotRetention: now });
  for (let turn = 0; turn < 8; turn++) await agent.invoke(ask(`var n = ${turn}`), t);
  expect((await snapshotKeys(snapshots)).length).toBe(16);
  // The app prunes its history: only the newest checkpoint stays.
  const checkpoints = saver.storage["t"]?.[""] ?? {};
  for (const id of Object.keys(checkpoints).sort().slice(0, -1)) delete checkpoints[id];
  saver.writes = {};
  for (let turn = 8; turn < 12; turn++) await agent.invoke(ask(`n = ${turn}`), t);
  expect((await snapshotKeys(snapshots)).length).toBeLessThan(14);
  expect(answers(await startAgent(saver, { snapshots }).invoke(ask("n"), t))).toEqual(["→ 11"]);
});

test("without a checkpointer the newest of the thread stay", async () => {
  const snapshots = memoryStore();
  const start = () => startAgent(undefined, { snapshots, snapshotRetention: now });
  for (let turn = 0; turn < 10; turn++) await start().invoke(ask(`var n = ${turn}`), t);
  // The newest two evals, image and data each, and at most as many again before it is worth looking.
  expect((await snapshotKeys(snapshots)).length).toBeLessThanOrEqual(6);
  expect(answers(await start().invoke(ask("n"), t))).toEqual(["→ 9"]);
});

test("what is young stays, and with false everything does", async () => {
  for (const snapshotRetention of [{ keep: 1 }, false] as const) {
    const snapshots = memoryStore();
    const agent = startAgent(undefined, { snapshots, snapshotRetention });
    for (let turn = 0; turn < 5; turn++) await agent.invoke(ask(`var n = ${turn}`), t);
    expect((await snapshotKeys(snapshots)).length).toBe(10);
  }
});

test("other threads, paused evals and what is not ours are left alone", async () => {
  const snapshots = memoryStore();
  const foreign = [
    "threads/t/pauses/x",
    "threads/t/head-of-something",
    "threads/tt/a/00000001-000000001-00000000",
    "mine",
  ];
  for (const key of foreign) await snapshots.put(key, new Uint8Array(1));
  const agent = startAgent(undefined, { snapshots, snapshotRetention: { keep: 1, minAgeMs: 0 } });
  for (let turn = 0; turn < 6; turn++) await agent.invoke(ask(`var n = ${turn}`), t);
  for (const key of foreign) expect(await snapshots.get(key)).toBeDefined();
});

test("a failure while collecting costs nothing", async () => {
  const store = memoryStore();
  const snapshots: SnapshotStore = {
    supports: store.supports,
    get: (key) => store.get(key),
    put: (key, bytes, options) => store.put(key, bytes, options),
    delete: () => Promise.reject(new Error("no")),
    list: () => Promise.reject(new Error("no")),
  };
  const agent = startAgent(undefined, { snapshots, snapshotRetention: { keep: 1, minAgeMs: 0 } });
  for (let turn = 0; turn < 3; turn++) await agent.invoke(ask(`var n = ${turn}`), t);
  expect(answers(await agent.invoke(ask("n"), t))).toEqual(["→ 2"]);
});

test("a thread's snapshots are deleted with it, hostile ids included, and no other thread's", async () => {
  const snapshots = memoryStore();
  const agent = startAgent(undefined, { snapshots });
  const ids = ["t", "t/..", "%74", "ü \ud800", "t/head"];
  for (const id of ids) await agent.invoke(ask("var n = 1"), thread(id));
  for (const id of ids) {
    await deleteThreadSnapshots(snapshots, id);
    expect(answers(await startAgent(undefined, { snapshots }).invoke(ask("typeof n"), thread(id)))).toEqual([
      '→ "undefined"',
    ]);
    await deleteThreadSnapshots(snapshots, id);
  }
  expect(await snapshots.list()).toEqual([]);
});

test("a retention that is none is refused by name", () => {
  for (const snapshotRetention of [{ keep: 0 }, { minAgeMs: -1 }, 5, { keep: 1.5 }])
    expect(() => startAgent(undefined, { snapshotRetention: snapshotRetention as never })).toThrow(
      /snapshotRetention/,
    );
});
