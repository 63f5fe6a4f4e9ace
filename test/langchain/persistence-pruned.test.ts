import { expect, test } from "vitest";
import { MemoryRowSaver } from "../support/memory-saver.js";
import { answers, ask, startAgent, thread } from "../support/persistent-agent.js";

const t = thread("t");
const snapshotsIn = (saver: MemoryRowSaver, id = "t") => {
  const keys = saver.rows.answer({ type: "keys", prefix: ["checkpoint", id] }) as unknown as string[][];
  return keys.filter((key) => key[2]?.startsWith("edge-interpreter:"));
};

test.each([1, 2, 5])(
  "a saver that keeps %i checkpoints keeps the snapshots they name, and not all of them",
  async (keepCheckpoints) => {
    const saver = new MemoryRowSaver({ keepCheckpoints });
    await startAgent(saver).invoke(ask("let n = 0; const up = () => ++n"), t);
    for (let turn = 1; turn <= 12; turn++) {
      expect(answers(await startAgent(saver).invoke(ask("up()"), t))).toEqual([`→ ${turn}`]);
      // A turn of talk in between: the snapshot is then named by checkpoints only that are newer than it.
      await startAgent(saver).invoke(ask(), t);
    }
    for await (const { config, next } of startAgent(saver).graph.getStateHistory(t))
      if (next.length === 0)
        expect(answers(await startAgent(saver).invoke(ask("typeof up"), config))).toEqual(["→ function"]);
    expect(snapshotsIn(saver).length).toBeLessThan(8 + 2 * keepCheckpoints);
  },
);

test("sessions of past turns go with the checkpoints that named them", async () => {
  const saver = new MemoryRowSaver({ keepCheckpoints: 3 });
  const start = () => startAgent(saver, { mode: "turn" });
  for (let turn = 0; turn < 10; turn++) await start().invoke(ask("var n = 1; n", "n + 1"), t);
  expect(snapshotsIn(saver).length).toBeLessThan(8);
});

test("an eval that was given up costs nothing of the state before, however few checkpoints are kept", async () => {
  const saver = new MemoryRowSaver({ keepCheckpoints: 1 });
  await startAgent(saver).invoke(ask("var n = 1; const f = () => n"), t);
  for (let attempt = 0; attempt < 3; attempt++) {
    const abort = new AbortController();
    const run = startAgent(saver).invoke(ask("n = 2", "while (true) n++"), { ...t, signal: abort.signal });
    run.catch(() => {});
    abort.abort();
    await expect(run).rejects.toThrow();
  }
  expect(answers(await startAgent(saver).invoke(ask("typeof f"), t))).toEqual(["→ function"]);
});
