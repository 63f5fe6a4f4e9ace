import {
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  emptyCheckpoint,
  uuid6,
} from "@langchain/langgraph-checkpoint";
import { describe, expect, test } from "vitest";
import type {
  CheckpointSaverOptions,
  RowCheckpointSaver,
} from "../../src/langchain/savers/row-checkpoint-saver.js";
import { assertBytes, pattern } from "../../src/testing/assert.js";

export interface SaverUnderTest {
  /** A new saver on the same, at first empty, place. */
  open(options?: CheckpointSaverOptions): RowCheckpointSaver;
  /** Makes writes throw `error` after the first `after` of them. */
  failing(error: Error, after: number): () => void;
}

type Config = CheckpointTuple["config"];
const MiB = 1024 * 1024;
let clock = 0;

/** Puts a checkpoint as a graph does: all values, all versions, and which versions are new. */
export async function step(
  saver: RowCheckpointSaver,
  parent: Config,
  values: Record<string, unknown>,
  changed: string[] = Object.keys(values),
  metadata: Partial<CheckpointMetadata> = {},
): Promise<Config> {
  const before = new Map(Object.entries((await saver.getTuple(parent))?.checkpoint.channel_versions ?? {}));
  const fresh = new Map(changed.map((channel) => [channel, Number(before.get(channel) ?? 0) + 1]));
  const checkpoint: Checkpoint = {
    ...emptyCheckpoint(),
    id: uuid6(clock++),
    channel_values: values,
    channel_versions: Object.fromEntries([...before, ...fresh]),
  };
  const put: CheckpointMetadata = { source: "loop", step: clock, parents: {}, ...metadata };
  return saver.put(parent, checkpoint, put, Object.fromEntries(fresh));
}

export const thread = (thread_id = "thread", checkpoint_ns = ""): Config => ({
  configurable: { thread_id, checkpoint_ns },
});

export async function listIds(saver: RowCheckpointSaver, config: Config): Promise<string[]> {
  const ids: string[] = [];
  for await (const tuple of saver.list(config)) ids.push(tuple.checkpoint.id);
  return ids;
}

const idOf = (config: Config): string => config.configurable?.["checkpoint_id"];
const valuesAt = async (saver: RowCheckpointSaver, config: Config) =>
  (await saver.getTuple(config))?.checkpoint.channel_values;

/** What our savers promise beyond LangChain's suite. */
export function describeSaverBehaviour(
  name: string,
  use: (run: (subject: SaverUnderTest) => Promise<void>) => Promise<void>,
): void {
  const cases: [string, (subject: SaverUnderTest) => Promise<void>][] = [
    [
      "keeps the values of two forks apart, although their versions are the same",
      async ({ open }) => {
        const saver = open();
        const root = await step(saver, thread(), { messages: ["root"], other: 1 });
        const left = await step(saver, root, { messages: ["left"], other: 1 }, ["messages"]);
        const right = await step(saver, root, { messages: ["right"], other: 1 }, ["messages"]);
        const leftChild = await step(saver, left, { messages: ["left"], other: 2 }, ["other"]);
        expect(await valuesAt(saver, left)).toEqual({ messages: ["left"], other: 1 });
        expect(await valuesAt(saver, right)).toEqual({ messages: ["right"], other: 1 });
        expect(await valuesAt(saver, leftChild)).toEqual({ messages: ["left"], other: 2 });
      },
    ],
    [
      "finds the values of a copied checkpoint, whose versions another fork has too",
      async ({ open }) => {
        const saver = open();
        const root = await step(saver, thread(), { messages: ["root"] });
        const left = await step(saver, root, { messages: ["left"], gone: 1 });
        const right = await step(saver, root, { messages: ["right"], gone: 2 });
        for (const [original, message] of [
          [left, "left"],
          [right, "right"],
        ] as const) {
          // As `updateState(config, null, "__copy__")` puts it: the parent of the original, and nothing new.
          const copied = (await saver.getTuple(original))!.checkpoint;
          const { gone: _gone, ...values } = copied.channel_values;
          const copy = { ...copied, id: uuid6(clock++), channel_values: values };
          const config = await saver.put(root, copy, { source: "fork", step: 1, parents: {} }, {});
          expect(await valuesAt(saver, config)).toEqual({ messages: [message] });
        }
      },
    ],
    [
      "drops the value of a channel that became empty, also for the checkpoints after it",
      async ({ open }) => {
        const saver = open();
        const first = await step(saver, thread(), { branch: "x", kept: 1 });
        const second = await step(saver, first, { kept: 1 }, ["branch"]);
        const third = await step(saver, second, { kept: 2 }, ["kept"]);
        expect(await valuesAt(saver, first)).toEqual({ branch: "x", kept: 1 });
        expect(await valuesAt(saver, second)).toEqual({ kept: 1 });
        expect(await valuesAt(saver, third)).toEqual({ kept: 2 });
      },
    ],
    [
      "stores bytes as they are, and copies them in and out",
      async ({ open }) => {
        const saver = open();
        const memory = pattern(3 * MiB);
        const view = memory.subarray(MiB, MiB + 2_000_000);
        const writing = step(saver, thread(), { bytes: view });
        const config = await writing;
        memory.fill(0);
        const first = (await valuesAt(saver, config))?.["bytes"] as Uint8Array;
        assertBytes(first, pattern(3 * MiB).subarray(MiB, MiB + 2_000_000));
        first.fill(0);
        const second = (await valuesAt(saver, config))?.["bytes"] as Uint8Array;
        assertBytes(second, pattern(3 * MiB).subarray(MiB, MiB + 2_000_000));
      },
    ],
    [
      "keeps a conversation of 20 MB",
      async ({ open }) => {
        const saver = open();
        const messages = Array.from({ length: 200 }, (_, index) => `${index}: ${"x".repeat(100_000)}`);
        const config = await step(saver, thread(), { messages });
        await step(saver, config, { messages, other: 1 }, ["other"]);
        await saver.putWrites(config, [["messages", messages]], "task");
        const tuple = await open().getTuple(thread());
        expect((tuple!.checkpoint.channel_values["messages"] as string[]).join() === messages.join()).toBe(
          true,
        );
        expect((await open().getTuple(config))?.pendingWrites).toHaveLength(1);
      },
    ],
    [
      "keeps a growing value whole while older ones that share its beginning are removed",
      async ({ open }) => {
        const saver = open({ keepCheckpoints: 1 });
        let config = thread();
        for (const size of [0.2, 1, 1.5, 2, 2, 1.7, 3]) {
          config = await step(saver, config, {
            grown: pattern(size * MiB),
            other: pattern(size * MiB, size),
          });
          const values = await valuesAt(saver, config);
          assertBytes(values?.["grown"] as Uint8Array, pattern(size * MiB));
          assertBytes(values?.["other"] as Uint8Array, pattern(size * MiB, size));
        }
        expect(await listIds(saver, thread())).toHaveLength(1);
      },
    ],
    [
      "keeps threads, channels and tasks apart whatever they are called",
      async ({ open }) => {
        const saver = open();
        const names = [
          "",
          "__proto__",
          "constructor",
          "a",
          "a\0",
          "ä",
          "\ud800",
          "\udfff",
          '"a"',
          "%",
          "a|b:c",
        ];
        const values = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
        for (const name of names) {
          const config = await step(saver, thread(name, name), values);
          await saver.putWrites(config, [[name, name]], name);
          await saver.putWrites(config, [[name, name]], `${name},1`);
        }
        for (const name of names) {
          const tuple = await saver.getTuple(thread(name, name));
          expect(Object.entries(tuple?.checkpoint.channel_values ?? {})).toEqual(Object.entries(values));
          const tasks = tuple?.pendingWrites?.map(([task, channel]) => [task, channel]);
          expect(tasks).toEqual([
            [name, name],
            [`${name},1`, name],
          ]);
        }
        await saver.deleteThread("a");
        expect(await saver.getTuple(thread("a", "a"))).toBeUndefined();
        expect(await listIds(saver, {})).toHaveLength(names.length - 1);
      },
    ],
    [
      "keeps the first write of a task and index, and replaces an error or interrupt",
      async ({ open }) => {
        const saver = open();
        const config = await step(saver, thread(), { a: 1 });
        for (const round of [1, 2]) {
          await saver.putWrites(config, [["a", round]], "task", "path");
          await saver.putWrites(config, [["__interrupt__", round]], "task", "path");
        }
        expect((await saver.getTuple(config))?.pendingWrites).toEqual([
          ["task", "__interrupt__", 2],
          ["task", "a", 1],
        ]);
      },
    ],
    [
      "keeps what was there before, whichever write of a checkpoint fails",
      async ({ open, failing }) => {
        const saver = open({ keepCheckpoints: 1 });
        const first = await step(saver, thread(), { big: pattern(0.4 * MiB, 1), small: 1 });
        await saver.putWrites(first, [["small", 1]], "task");
        const before = await saver.getTuple(thread());
        let failures = 0;
        for (; ; failures++) {
          const repair = failing(new Error("disk"), failures);
          const put = await step(saver, first, { big: pattern(0.6 * MiB, 2), small: 2 }).catch(
            (error) => error,
          );
          repair();
          if (!(put instanceof Error)) break;
          expect(put).toMatchObject({ code: "STORE_WRITE", cause: { message: "disk" } });
          const tuple = await saver.getTuple(thread());
          expect(tuple?.config).toEqual(before?.config);
          expect(tuple?.pendingWrites).toEqual(before?.pendingWrites);
          expect(tuple?.checkpoint.channel_values["small"]).toBe(1);
          assertBytes(tuple?.checkpoint.channel_values["big"] as Uint8Array, pattern(0.4 * MiB, 1));
        }
        expect(failures).toBeGreaterThanOrEqual(4);
        expect(await listIds(saver, thread())).toHaveLength(1);
      },
    ],
    [
      "stores all writes of a call or none",
      async ({ open, failing }) => {
        const saver = open();
        const config = await step(saver, thread(), { a: 1 });
        const repair = failing(new Error("disk"), 1);
        const writes: [string, number][] = [
          ["a", 1],
          ["b", 2],
        ];
        await expect(saver.putWrites(config, writes, "task")).rejects.toMatchObject({ code: "STORE_WRITE" });
        repair();
        expect((await saver.getTuple(config))?.pendingWrites).toEqual([]);
        await saver.putWrites(config, writes, "task");
        expect((await saver.getTuple(config))?.pendingWrites).toHaveLength(2);
      },
    ],
    [
      "keeps the latest checkpoints with the values they share with removed ones",
      async ({ open }) => {
        const saver = open({ keepCheckpoints: 2 });
        let config = await step(saver, thread(), { shared: "old", count: 0 });
        for (let count = 1; count < 6; count++) {
          await saver.putWrites(config, [["count", count]], "task");
          config = await step(saver, config, { shared: "old", count }, ["count"]);
        }
        expect(await listIds(saver, thread())).toHaveLength(2);
        expect(await valuesAt(saver, config)).toEqual({ shared: "old", count: 5 });
        const parent = (await saver.getTuple(config))!.parentConfig!;
        expect(await valuesAt(saver, parent)).toEqual({ shared: "old", count: 4 });
        await step(saver, thread("other"), { count: 0 });
        expect(await listIds(saver, thread())).toHaveLength(2);
      },
    ],
    [
      "keeps the checkpoints that a delta channel of a kept one is a sum of",
      async ({ open }) => {
        const saver = open({ keepCheckpoints: 1 });
        const seed = await step(saver, thread(), { log: ["seed"] });
        const counters = { counters_since_delta_snapshot: { log: [1, 1] as [number, number] } };
        let config = seed;
        for (const entry of ["one", "two", "three"]) {
          await saver.putWrites(config, [["log", [entry]]], "task");
          config = await step(saver, config, {}, ["log"], counters);
        }
        const { log } = await saver.getDeltaChannelHistory({ config, channels: ["log"] });
        expect(log?.seed).toEqual(["seed"]);
        expect(log?.writes.map((write) => write[2])).toEqual([["one"], ["two"], ["three"]]);
        config = await step(saver, config, { log: ["seed", "one", "two", "three"] });
        expect(await listIds(saver, thread())).toEqual([idOf(config)]);
      },
    ],
    [
      "removes what a subgraph's task left at a removed step, and keeps a subgraph that remembers",
      async ({ open }) => {
        const saver = open({ keepCheckpoints: 1 });
        const first = await step(saver, thread(), { a: 1 });
        const parents = { "": idOf(first) };
        await step(saver, thread("thread", "tools:1234"), { b: 1 }, ["b"], { parents });
        await step(saver, thread("thread", "memory"), { c: 1 }, ["c"], { parents });
        const second = await step(saver, first, { a: 2 });
        await step(saver, thread("thread", "tools:5678"), { b: 2 }, ["b"], { parents: { "": idOf(second) } });
        expect(await saver.getTuple(thread("thread", "tools:1234"))).toBeUndefined();
        expect(await valuesAt(saver, thread("thread", "memory"))).toEqual({ c: 1 });
        expect(await valuesAt(saver, thread("thread", "tools:5678"))).toEqual({ b: 2 });
      },
    ],
  ];
  describe(`${name} as a checkpoint saver`, () => {
    for (const [title, run] of cases) test(title, () => use(run), 60_000);
  });
}
