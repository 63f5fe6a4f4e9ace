import { AIMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { fakeModel, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod/v4";
import { memoryStore } from "../../src/store.js";
import { abortingTool } from "../support/aborting-tool.js";
import { answers, ask, startAgent, thread } from "../support/persistent-agent.js";

const t = thread("t");

/** A tool `wait` that stays inside until the gate is opened. */
function newGate() {
  let enter: () => void = () => {};
  let open: () => void = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const opened = new Promise<string>((resolve) => {
    open = () => resolve("ok");
  });
  const wait = tool(
    () => {
      enter();
      return opened;
    },
    { name: "wait", description: "", schema: z.object({}) },
  );
  return { tool: wait, entered, open };
}

test("of two tabs that change one thread at the same time the loser reloads and is told", async () => {
  const snapshots = memoryStore();
  await startAgent(undefined, { snapshots }).invoke(ask("var log = ['start']"), t);
  const gate = newGate();
  const agent = startAgent(undefined, { snapshots, ptc: [gate.tool] });
  const run = agent.invoke(
    ask("log.push('mine'); await tools.wait({}); log.join()", "log.push('again'); log.join()"),
    t,
  );
  await gate.entered;
  await startAgent(undefined, { snapshots }).invoke(ask("log.push('other')"), t);
  gate.open();
  const [told, after] = answers(await run);
  expect(told).toContain("→ start,mine");
  expect(told).toContain("not saved: another run of this thread");
  expect(after).toBe("→ start,other,again");
  expect(answers(await startAgent(undefined, { snapshots }).invoke(ask("log.join()"), t))).toEqual([
    "→ start,other,again",
  ]);
});

test("a tab whose thread moved on elsewhere goes on from the newest and is told", async () => {
  const snapshots = memoryStore();
  const [one, two] = [startAgent(undefined, { snapshots }), startAgent(undefined, { snapshots })];
  await one.invoke(ask("var n = 1"), t);
  expect(answers(await two.invoke(ask("n += 1; n"), t))).toEqual(["→ 2"]);
  const [told] = answers(await one.invoke(ask("n"), t));
  expect(told).toContain("→ 2");
  expect(told).toContain("Another run of this thread");
  expect(answers(await one.invoke(ask("n"), t))).toEqual(["→ 2"]);
});

test("parallel evals and parallel turns in one process are no conflict", async () => {
  const agent = startAgent(undefined, { snapshots: memoryStore() });
  await agent.invoke(ask("var log = []"), t);
  const [a, b] = await Promise.all([
    agent.invoke(ask(["log.push('a1')", "log.push('a2'); await null"]), t),
    agent.invoke(ask(["log.push('b1')", "log.push('b2'); await null"]), t),
  ]);
  expect([...answers(a), ...answers(b)].join()).not.toContain("not saved");
  expect(answers(await agent.invoke(ask("log.sort().join()"), t))).toEqual(["→ a1,a2,b1,b2"]);
});

test("with a checkpointer each of two runs at the same time keeps its own branch, also in a shared store", async () => {
  const [checkpointer, snapshots] = [new MemorySaver(), memoryStore()];
  const start = () => startAgent(checkpointer, { snapshots });
  await start().invoke(ask("var log = []"), t);
  const [a, b] = await Promise.all(
    ["a", "b"].map((name) =>
      start().invoke(ask(`log.push("${name}"); await null`, `log.push("${name}"); log.join()`), t),
    ),
  );
  expect([a, b].map((result) => answers(result as never)[1])).toEqual(["→ a,a", "→ b,b"]);
});

test("a session in use is not taken from its eval by a fork that starts meanwhile", async () => {
  const checkpointer = new MemorySaver();
  const gate = newGate();
  const agent = startAgent(checkpointer, { ptc: [gate.tool] });
  await agent.invoke(ask("var log = ['start']"), t);
  const before = (await agent.graph.getState(t)).config;
  const long = agent.invoke(ask("log.push('long'); await tools.wait({}); log.join()"), t);
  await gate.entered;
  expect(answers(await agent.invoke(ask("log.push('fork'); log.join()"), before))).toEqual(["→ start,fork"]);
  gate.open();
  expect(answers(await long)).toEqual(["→ start,long"]);
});

test("a parallel eval that waits for its turn gives up when the run is aborted", async () => {
  const { stop, nextSignal } = abortingTool();
  const agent = startAgent(new MemorySaver(), { ptc: [stop] });
  const run = agent.invoke(ask(["await tools.stop({})", "1", "2"]), { ...t, signal: nextSignal() });
  await expect(run).rejects.toThrow();
  expect(answers(await agent.invoke(ask("3"), t))[0]).toMatch(/^→ 3\n\(The eval before this one was stopped/);
});

test("parallel turns of many threads on one middleware do not mix", async () => {
  const model = fakeModel();
  for (let call = 0; call < 400; call++)
    model.respond((messages) => {
      const last = messages.at(-1);
      if (last?.getType() === "tool") return new AIMessage("done");
      const id = crypto.randomUUID();
      const args = { code: `globalThis.mine ??= ${last?.text}; [mine, ${last?.text}].join()` };
      return new AIMessage({ content: "", id, tool_calls: [{ name: "eval", args, id, type: "tool_call" }] });
    });
  const agent = startAgent(new MemorySaver(), {}, { model });
  const turn = (name: number) =>
    agent.invoke({ messages: [{ role: "user", content: String(name) }] }, thread(`thread ${name}`));
  const names = Array.from({ length: 20 }, (_, index) => index);
  for (let round = 0; round < 2; round++) {
    const results = await Promise.all(names.map(turn));
    expect(results.map((result) => answers(result)[0])).toEqual(names.map((name) => `→ ${name},${name}`));
  }
});
