import { MemorySaver } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { expect, test } from "vitest";
import { StoreError } from "../../src/errors.js";
import type { CodeInterpreterOptions } from "../../src/langchain/index.js";
import { memoryStore, type SnapshotStore } from "../../src/store.js";
import { byOtherEngine } from "../support/other-engine.js";
import { answers, ask, startAgent, thread } from "../support/persistent-agent.js";

const t = thread("t");

/** A thread whose process is gone, with its snapshots in a store where the test can reach them. */
async function leftBehind(code: string, options: CodeInterpreterOptions = {}) {
  const saver = new MemorySaver();
  const snapshots = memoryStore();
  await startAgent(saver, { snapshots, ...options }).invoke(ask(code), t);
  const next = (more: CodeInterpreterOptions = {}) => startAgent(saver, { snapshots, ...options, ...more });
  return { saver, snapshots, next };
}

async function change(
  store: SnapshotStore,
  edit: (bytes: Uint8Array, key: string) => Uint8Array | undefined,
) {
  for (const { key } of await store.list()) {
    const stored = await store.get(key);
    const edited = stored && edit(stored.bytes, key);
    if (edited) await store.put(key, edited);
    else await store.delete(key);
  }
}

const flipLast = (bytes: Uint8Array) =>
  bytes.map((byte, index) => (index === bytes.length - 3 ? byte ^ 64 : byte));

test("a damaged snapshot is refused, the turn goes on, and the model reads which variables are gone and why", async () => {
  const { snapshots, next } = await leftBehind("const rows = [1]; const f = () => 1; let total = 5", {
    snapshotFormat: "image",
  });
  await change(snapshots, flipLast);
  const [told, after] = answers(await next().invoke(ask("typeof rows", "var fresh = 1; fresh"), t));
  expect(told).toContain("The variables of earlier evals are gone (");
  for (const name of ["rows", "f", "total"]) expect(told).toContain(name);
  expect(told).toContain("damaged");
  expect(told).toContain('→ "undefined"');
  expect(after).toBe("→ 1");
  // From then on the thread is whole again.
  expect(answers(await next().invoke(ask("fresh"), t))).toEqual(["→ 1"]);
});

test("with the image damaged and the data whole, the data is restored", async () => {
  const { snapshots, next } = await leftBehind("const rows = [{ id: 1 }]; const f = () => 1");
  let first = true;
  await change(snapshots, (bytes) => {
    if (!first) return bytes;
    first = false;
    return flipLast(bytes);
  });
  const [told] = answers(await next().invoke(ask("rows[0].id"), t));
  expect(told).toContain("→ 1");
  expect(told).toContain("damaged");
  expect(told).toContain("f (function)");
});

test.each([
  ["cut", (bytes: Uint8Array) => bytes.subarray(0, bytes.length >> 1)],
  ["empty", () => new Uint8Array()],
  ["something else", () => new TextEncoder().encode("hello, this is no snapshot at all, but some text")],
  ["missing", () => undefined],
  ["of a newer format", (bytes: Uint8Array) => bytes.map((byte, index) => (index === 4 ? 9 : byte))],
])("a snapshot that is %s is refused and told", async (_, edit) => {
  const { snapshots, next } = await leftBehind("const rows = [1]");
  await change(snapshots, edit);
  const [told] = answers(await next().invoke(ask("typeof rows"), t));
  expect(told).toContain("The variables of earlier evals are gone");
  expect(told).toContain('→ "undefined"');
});

test("another thread's snapshot is refused, and none of its names are read out", async () => {
  const { snapshots, next, saver } = await leftBehind("const mine = 1");
  const options = { snapshots };
  await startAgent(saver, options).invoke(ask("const secretOfOther = 2"), thread("other"));
  const others = (await snapshots.list()).filter(({ key }) => key.startsWith("threads/other/"));
  const foreign = (await snapshots.get(others[0]?.key ?? ""))?.bytes;
  await change(snapshots, (bytes, key) => (key.startsWith("threads/t/") ? foreign : bytes));
  const [told] = answers(await next().invoke(ask("typeof secretOfOther"), t));
  expect(told).toContain("belongs to another thread");
  expect(told).toContain('→ "undefined"');
  expect(told?.replace("typeof secretOfOther", "")).not.toContain("secretOfOther");
});

test("with a signing key, what it did not sign is refused", async () => {
  const { next } = await leftBehind("const n = 1", { snapshotSigningKey: "key" });
  expect(answers(await next().invoke(ask("n"), t))).toEqual(["→ 1"]);
  const unsigned = await leftBehind("const n = 1");
  const forged = answers(await unsigned.next({ snapshotSigningKey: "key" }).invoke(ask("typeof n"), t));
  expect(forged[0]).toContain("not signed");
  const otherKey = await leftBehind("const n = 1", { snapshotSigningKey: "old key" });
  const refused = answers(await otherKey.next({ snapshotSigningKey: "key" }).invoke(ask("typeof n"), t));
  expect(refused[0]).toContain("signature is wrong");
});

test("after an upgrade of the engine the data is there and the model reads what is not", async () => {
  const { snapshots, next } = await leftBehind(
    "const rows = [{ id: 1 }]; const first = rows[0]; const f = () => 1; class K {}; let cyclic = {}; cyclic.self = cyclic",
  );
  await change(snapshots, byOtherEngine);
  const [told, ...rest] = answers(
    await next().invoke(
      ask("first === rows[0] && cyclic.self === cyclic", "f()", "typeof f", "const f = () => 2; f()"),
      t,
    ),
  );
  expect(told).toContain("→ true");
  expect(told).toContain("f (function)");
  expect(told).toContain("K (function)");
  expect(told).toContain("engine");
  expect(told).not.toContain("rows");
  expect(rest[0]).toContain(
    "Value for 'f' was not restored because it is not serializable (type: function). Hint: this value is unavailable after snapshot restore.",
  );
  expect(rest.slice(1)).toEqual(['→ "undefined"', "→ 2"]);
  // Told once.
  expect(answers(await next().invoke(ask("f() + rows.length"), t))).toEqual(["→ 3"]);
});

test("after an upgrade in the middle of a turn the data is that of the last turn, and the model is told", async () => {
  const saver = new MemorySaver();
  const snapshots = memoryStore();
  const agent = startAgent(saver, { snapshots });
  await agent.invoke(ask("let n = 1"), t);
  const before = (await snapshots.list()).map(({ key }) => key);
  await agent.invoke(ask("n = 2"), t);
  const late = (await snapshots.list()).filter(({ key }) => !before.includes(key));
  // The turn's own data was not written: it was interrupted before its end.
  await snapshots.delete(late.at(-1)?.key ?? "");
  const { values, config } = await agent.graph.getState(t);
  const state = values["_interpreter"];
  const data = { ...state.data, key: before.at(-1), version: 1 };
  await agent.graph.updateState(config, { _interpreter: { ...state, data } });
  await change(snapshots, byOtherEngine);
  const [told] = answers(await startAgent(saver, { snapshots }).invoke(ask("n"), t));
  expect(told).toContain("→ 1");
  expect(told).toContain("What the last eval changed could not be restored");
});

test("format data keeps plain data only and says what is not", async () => {
  const { snapshots, next } = await leftBehind("const n = [1]; const f = () => 1", {
    snapshotFormat: "data",
  });
  expect((await snapshots.list()).length).toBe(1);
  const [told] = answers(await next().invoke(ask("n"), t));
  expect(told).toContain("→ [1]");
  expect(told).toContain("f (function)");
});

test("format image keeps no data", async () => {
  const { snapshots, next } = await leftBehind("const n = [1]; const f = () => 41", {
    snapshotFormat: "image",
  });
  expect((await snapshots.list()).length).toBe(1);
  expect(answers(await next().invoke(ask("f() + n[0]"), t))).toEqual(["→ 42"]);
});

test("a snapshot above maxSnapshotBytes is not kept: the one before stays, and the model reads what is big", async () => {
  const saver = new MemorySaver();
  const start = () => startAgent(saver, { maxSnapshotBytes: 30_000 });
  const agent = start();
  await agent.invoke(ask("let small = 1"), t);
  const grow = "const noise = Array.from({ length: 20000 }, () => Math.random()); small = 2; 0";
  const [told] = answers(await agent.invoke(ask(grow), t));
  expect(told).toContain("not saved");
  expect(told).toContain("maxSnapshotBytes (30000)");
  expect(told).toContain("noise (about");
  // In this process nothing is lost; in another one it is the state before, and the model is told.
  expect(answers(await agent.invoke(ask("small"), t))[0]).toContain("→ 2");
  const [elsewhere] = answers(await start().invoke(ask("[small, typeof noise]"), t));
  expect(elsewhere).toContain('→ [1, "undefined"]');
  expect(elsewhere).toContain("What the last 2 evals changed could not be restored");
  expect(answers(await start().invoke(ask("small"), t))).toEqual(["→ 1"]);
});

/** A store that fails on demand. */
function failingStore(fails: { read?: boolean; write?: boolean }): SnapshotStore {
  const store = memoryStore();
  return {
    supports: store.supports,
    list: (prefix) => store.list(prefix),
    delete: (key) => store.delete(key),
    get: (key) =>
      fails.read ? Promise.reject(new StoreError("STORE_UNAVAILABLE", "The disk sleeps.")) : store.get(key),
    put: (key, bytes, options) =>
      fails.write
        ? Promise.reject(new StoreError("STORE_FULL", "The disk is full."))
        : store.put(key, bytes, options),
  };
}

test("a store that cannot be read now costs the eval, not the variables", async () => {
  for (const checkpointer of [new MemorySaver(), undefined]) {
    const fails: { read?: boolean } = {};
    const snapshots = failingStore(fails);
    await startAgent(checkpointer, { snapshots }).invoke(ask("let n = 1"), t);
    fails.read = true;
    const [told] = answers(await startAgent(checkpointer, { snapshots }).invoke(ask("var n = 99"), t));
    expect(told).toContain("nothing was run");
    expect(told).toContain("The disk sleeps.");
    fails.read = false;
    expect(answers(await startAgent(checkpointer, { snapshots }).invoke(ask("n"), t))).toEqual(["→ 1"]);
  }
});

test("a checkpointer that cannot be read now costs the eval, not the variables", async () => {
  class Sleepy extends MemorySaver {
    sleeps = false;
    override getTuple(config: Parameters<MemorySaver["getTuple"]>[0]) {
      if (this.sleeps && String(config.configurable?.["checkpoint_ns"]).startsWith("edge-interpreter"))
        throw new Error("connection lost");
      return super.getTuple(config);
    }
  }
  const saver = new Sleepy();
  await startAgent(saver).invoke(ask("let n = 1"), t);
  saver.sleeps = true;
  const [told] = answers(await startAgent(saver).invoke(ask("n"), t));
  expect(told).toContain("nothing was run");
  expect(told).toContain("connection lost");
  saver.sleeps = false;
  expect(answers(await startAgent(saver).invoke(ask("n"), t))).toEqual(["→ 1"]);
});

test("a save that fails costs neither the answer nor the state before", async () => {
  for (const checkpointer of [new MemorySaver(), undefined] as (BaseCheckpointSaver | undefined)[]) {
    const fails: { write?: boolean } = {};
    const snapshots = failingStore(fails);
    const agent = startAgent(checkpointer, { snapshots });
    await agent.invoke(ask("let n = 1"), t);
    fails.write = true;
    const [told] = answers(await agent.invoke(ask("n = 2; n"), t));
    expect(told).toContain("→ 2");
    expect(told).toContain("not saved: The disk is full. The last saved state stays.");
    const [elsewhere] = answers(await startAgent(checkpointer, { snapshots }).invoke(ask("n"), t));
    expect(elsewhere).toContain("→ 1");
    fails.write = false;
    // Where it could not be saved it is still there, and is saved with the next eval.
    if (checkpointer) continue;
    expect(answers(await agent.invoke(ask("n"), t))).toEqual(["→ 2"]);
    expect(answers(await startAgent(checkpointer, { snapshots }).invoke(ask("n"), t))).toEqual(["→ 2"]);
  }
});
