import { describe, expect, test } from "vitest";
import type { RowRequest } from "../../src/langchain/savers/checkpoint-rows.js";
import { describeCheckpointSaver } from "../contract/saver.js";
import { step, thread } from "../contract/saver-behaviour.js";
import { MemoryRowSaver } from "../support/memory-saver.js";

describeCheckpointSaver("RowCheckpointSaver on MemoryRows", () => new MemoryRowSaver());

describe("what a checkpoint costs", () => {
  const bodyBytes = (requests: RowRequest[]) =>
    requests
      .flatMap((request) => (request.type === "put" ? request.rows : []))
      .reduce((sum, row) => sum + row.body.length, 0);

  test("a channel that did not change costs nothing, whatever its size", async () => {
    const saver = new MemoryRowSaver();
    const big = new Uint8Array(1_000_000);
    const first = await step(saver, thread(), { big, small: 1 });
    saver.requests.length = 0;
    await step(saver, first, { big, small: 2 }, ["small"]);
    expect(bodyBytes(saver.requests)).toBeLessThan(1000);
  });

  test("a large conversation costs what is added to it, and when it is pruned no more than itself", async () => {
    const saver = new MemoryRowSaver({ keepCheckpoints: 3 });
    const messages = Array.from({ length: 500 }, (_, index) => `${index}: ${"x".repeat(10_000)}`);
    let config = await step(saver, thread(), { messages });
    for (let turn = 0; turn < 10; turn++) {
      saver.requests.length = 0;
      messages.push(`${turn}: a short answer`);
      config = await step(saver, config, { messages });
      expect(bodyBytes(saver.requests)).toBeLessThan(300_000);
    }
    const { length: parts } = saver.rows.answer({ type: "keys", prefix: ["part"] }) as unknown[];
    // 20 parts are the conversation; the last one exists once per kept checkpoint.
    expect(parts).toBe(22);
    expect((await saver.getTuple(thread()))?.checkpoint.channel_values).toEqual({ messages });
  });
});

test.each([0, -1, 1.5, "3"])("refuses %j as keepCheckpoints", (keepCheckpoints) => {
  expect(() => new MemoryRowSaver({ keepCheckpoints: keepCheckpoints as number })).toThrow(
    /`keepCheckpoints` must be/,
  );
});

test.each([1, null, {}])("refuses %j as thread_id", async (thread_id) => {
  const saver = new MemoryRowSaver();
  await expect(saver.getTuple({ configurable: { thread_id } })).rejects.toThrow(
    /thread_id` must be a string/,
  );
});
