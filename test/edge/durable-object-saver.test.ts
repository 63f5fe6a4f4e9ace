import { abortAllDurableObjects } from "cloudflare:test";
import { expect, test } from "vitest";
import { DurableObjectSaver } from "../../edge/durable-object-saver.js";
import { describeSaverBehaviour, step, thread } from "../contract/saver-behaviour.js";
import { failingStorage, inObject } from "./objects.js";

describeSaverBehaviour("DurableObjectSaver", (run) =>
  inObject(crypto.randomUUID(), async (storage) => {
    const failing = failingStorage(storage);
    await run({
      open: (options) => new DurableObjectSaver(failing, options),
      failing: (error, after) => failing.fail("write", error, after),
    });
  }),
);

test("has the last complete checkpoint after the object is evicted between two steps", async () => {
  const inThread = <Result>(body: (saver: DurableObjectSaver) => Promise<Result>) =>
    inObject("evicted thread", (storage) => body(new DurableObjectSaver(storage)));
  let config = thread();
  for (let count = 1; count <= 3; count++) {
    config = await inThread((saver) => step(saver, config, { count }));
    await inThread((saver) => saver.putWrites(config, [["count", count]], "task"));
    await abortAllDurableObjects();
    const tuple = await inThread((saver) => saver.getTuple(thread()));
    expect(tuple?.config).toEqual(config);
    expect(tuple?.checkpoint.channel_values).toEqual({ count });
    expect(tuple?.pendingWrites).toEqual([["task", "count", count]]);
  }
});

test("removes the parts of large writes with their checkpoint", async () => {
  await inObject("parts", async (storage) => {
    const saver = new DurableObjectSaver(storage, { keepCheckpoints: 1 });
    const parts = () =>
      storage.sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM edge_interpreter_checkpoint_parts").one().n;
    let config = thread();
    for (let count = 0; count < 3; count++) {
      config = await step(saver, config, { count });
      await saver.putWrites(config, [["bytes", new Uint8Array(3_000_000).fill(count)]], "task");
      expect(parts()).toBe(2);
    }
    await saver.deleteThread("thread");
    expect(parts()).toBe(0);
  });
});
