import { expect, test } from "vitest";
import { createTables } from "../../edge/agent-tables.js";
import { RunLog } from "../../edge/run-log.js";
import { RunStore } from "../../edge/run-store.js";
import { textChunks } from "../../edge/text-chunks.js";
import { inObject } from "./objects.js";

const openLog = <T>(name: string, body: (log: RunLog, runs: RunStore) => T | Promise<T>, options = {}) =>
  inObject(name, async ({ sql }) => {
    createTables(sql);
    return body(new RunLog(sql, options), new RunStore(sql));
  });

test("events come back in order, from any point, whatever their size", async () => {
  await openLog("log-order", (log) => {
    const large = `"${"é😀".repeat(600_000)}"`;
    log.append("run", "values", '"first"');
    log.append("run", "values", large);
    log.append("run", "values", '"last"');
    log.append("other", "values", '"not mine"');
    const all: string[] = [];
    for (let seq = 0; ; ) {
      const events = log.read("run", seq);
      if (events.length === 0) break;
      all.push(...events.map((event) => event.data));
      seq = events.at(-1)!.seq;
    }
    expect(all).toEqual(['"first"', large, '"last"']);
    expect(log.read("run", 2).map((event) => event.data)).toEqual(['"last"']);
    expect(log.last("run", "values")?.data).toBe('"last"');
  });
});

test("a log above its limit first loses values that newer ones replace", async () => {
  await openLog(
    "log-limit",
    (log) => {
      log.append("run", "metadata", "{}");
      for (let n = 0; n < 40; n++) {
        log.append("run", "values", JSON.stringify("x".repeat(1000)));
        log.append("run", "messages", JSON.stringify(n));
      }
      const events = log.read("run", 0);
      expect(events.filter((event) => event.name === "messages")).toHaveLength(40);
      expect(events.filter((event) => event.name === "values").length).toBeLessThan(12);
      expect(events[0]!.name).toBe("metadata");
    },
    { maxCharactersPerRun: 8000 },
  );
});

test("the events of old runs are forgotten, those of runs under way are not", async () => {
  await openLog(
    "log-old",
    (log, runs) => {
      for (const runId of ["queued", "a", "b", "c"]) {
        runs.insert({ runId, assistantId: "x", metadata: {}, multitaskStrategy: "enqueue", due: 0 }, {});
        log.append(runId, "metadata", "{}");
      }
      for (const runId of ["a", "b", "c"]) runs.setStatus(runId, "success");
      log.pruneFinished();
      expect(["queued", "a", "b", "c"].map((runId) => log.lastSeq(runId))).toEqual([1, 0, 1, 1]);
    },
    { keepRuns: 2 },
  );
});

test("text is never cut between the halves of a character", () => {
  const text = "a😀b😀😀c";
  for (let size = 2; size <= text.length; size++) {
    const chunks = [...textChunks(text, size)];
    expect(chunks.join("")).toBe(text);
    expect(chunks.every((chunk) => !/[\ud800-\udbff]$/.test(chunk))).toBe(true);
  }
  expect([...textChunks("")]).toEqual([""]);
});
