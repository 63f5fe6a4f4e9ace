import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createMiddleware, fakeModel, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod/v4";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { memoryStore } from "../../src/store.js";
import { answers, ask, scriptedModel, startAgent, thread } from "../support/persistent-agent.js";

const t = thread("t");

test("thread mode goes on without a checkpointer where the thread has an id", async () => {
  for (const snapshots of [undefined, memoryStore()]) {
    const agent = startAgent(undefined, snapshots ? { snapshots } : {});
    await agent.invoke(ask("let n = 1; const up = () => ++n"), t);
    expect(answers(await agent.invoke(ask("up()"), t))).toEqual(["→ 2"]);
    expect(answers(await agent.invoke(ask("typeof up"), thread("other")))).toEqual(['→ "undefined"']);
  }
});

test("with a store and without a checkpointer another process continues the thread", async () => {
  const snapshots = memoryStore();
  await startAgent(undefined, { snapshots }).invoke(ask("let n = 1; const up = () => ++n", "up()"), t);
  expect(answers(await startAgent(undefined, { snapshots }).invoke(ask("up()"), t))).toEqual(["→ 3"]);
});

test("a subagent of a thread without a checkpointer has no part in the thread's variables", async () => {
  const shared = createCodeInterpreterMiddleware({ snapshots: memoryStore() });
  const child = startAgent(undefined, {}, { middleware: [shared] });
  const ask_child = tool(
    async (_input, config) => answers(await child.invoke(ask("typeof n"), config)).join(),
    {
      name: "ask_child",
      description: "",
      schema: z.object({}),
    },
  );
  const model = fakeModel()
    .respond(evalMessage("var n = 1"))
    .respond(new AIMessage({ content: "", tool_calls: [{ name: "ask_child", args: {}, id: "child" }] }))
    .respond(evalMessage("n"))
    .respond(new AIMessage("done"));
  const agent = startAgent(undefined, {}, { model, tools: [ask_child], middleware: [shared] });
  expect(answers(await agent.invoke(ask(), t)).slice(1)).toEqual(['→ "undefined"', "→ 1"]);
});

const evalMessage = (code: string) => {
  const id = crypto.randomUUID();
  return new AIMessage({
    content: "",
    id,
    tool_calls: [{ name: "eval", args: { code }, id, type: "tool_call" }],
  });
};

test("turn mode keeps variables within a turn only", async () => {
  for (const checkpointer of [new MemorySaver(), undefined]) {
    const agent = startAgent(checkpointer, { mode: "turn" });
    expect(answers(await agent.invoke(ask("var n = 1", "n + 1"), t))).toContain("→ 2");
    expect(answers(await agent.invoke(ask("typeof n"), t))).toEqual(['→ "undefined"']);
    if (checkpointer) expect((await agent.graph.getState(t)).values["_interpreter"]).toBeNull();
  }
});

test("turn mode starts anew after a turn that failed, in the same and in another process", async () => {
  const checkpointer = new MemorySaver();
  const failing = () =>
    fakeModel().respond(evalMessage("var n = 1; n")).respond(new Error("the model is down"));
  const agent = startAgent(checkpointer, { mode: "turn" }, { model: failing() });
  await expect(agent.invoke(ask(), t)).rejects.toThrow("the model is down");
  const model = scriptedModel();
  expect(
    answers(await startAgent(checkpointer, { mode: "turn" }, { model }).invoke(ask("typeof n"), t)),
  ).toEqual(['→ "undefined"']);
});

test("a failed turn that is continued has its variables, in every mode that keeps any", async () => {
  for (const mode of ["turn", "thread"] as const) {
    const checkpointer = new MemorySaver();
    const model = fakeModel().respond(evalMessage("var n = 1; n")).respond(new Error("the model is down"));
    await expect(startAgent(checkpointer, { mode }, { model }).invoke(ask(), t)).rejects.toThrow("down");
    const later = fakeModel().respond(evalMessage("n + 1")).respond(new AIMessage("done"));
    const result = await startAgent(checkpointer, { mode }, { model: later }).invoke(null, t);
    expect(answers(result)).toEqual(["→ 1", "→ 2"]);
  }
});

test("call mode keeps nothing and writes no snapshot", async () => {
  const snapshots = memoryStore();
  for (const checkpointer of [new MemorySaver(), undefined]) {
    const agent = startAgent(checkpointer, { mode: "call", snapshots });
    expect(answers(await agent.invoke(ask("var n = 1; n", "typeof n"), t))).toEqual(["→ 1", '→ "undefined"']);
    expect(answers(await agent.invoke(ask("typeof n"), t))).toEqual(['→ "undefined"']);
  }
  expect(await snapshots.list()).toEqual([]);
});

test("an eval that threw keeps what it did before, here and in another process", async () => {
  const checkpointer = new MemorySaver();
  const agent = startAgent(checkpointer);
  const result = await agent.invoke(ask("var n = 1; n = 2; throw new Error('no')"), t);
  expect(answers(result)[0]).toContain("Error: no");
  expect(answers(await startAgent(checkpointer).invoke(ask("n"), t))).toEqual(["→ 2"]);
});

/** Asks a person before every eval whose code says so. */
const askFirst = createMiddleware({
  name: "askFirst",
  wrapToolCall: (request, handler) => {
    if (!String(request.toolCall.args["code"]).includes("approved")) return handler(request);
    interrupt("may it?");
    return handler(request);
  },
});

test("an eval that an interrupt held back runs once, after the resume, on what its siblings did", async () => {
  for (const inAnotherProcess of [false, true]) {
    const checkpointer = new MemorySaver();
    const start = () =>
      startAgent(checkpointer, {}, { middleware: [askFirst, createCodeInterpreterMiddleware()] });
    const first = start();
    await first.invoke(ask("var n = 1"), t);
    const paused = await first.invoke(ask(["n += 10; n", "/* approved */ n *= 2; n", "n += 100; n"], "n"), t);
    expect(paused).toHaveProperty("__interrupt__");
    const resumed = await (inAnotherProcess ? start() : first).invoke(new Command({ resume: "yes" }), t);
    expect(answers(resumed)).toEqual(["→ 11", "→ 222", "→ 111", "→ 222"]);
    expect(answers(await start().invoke(ask("n"), t))).toEqual(["→ 222"]);
  }
});

test("a question in the middle of a turn does not end the turn", async () => {
  const checkpointer = new MemorySaver();
  const start = () =>
    startAgent(
      checkpointer,
      { mode: "turn" },
      {
        middleware: [askFirst, createCodeInterpreterMiddleware({ mode: "turn" })],
      },
    );
  await start().invoke(ask("var n = 1; const up = () => ++n", "/* approved */ up()", "up()"), t);
  const resumed = await start().invoke(new Command({ resume: "yes" }), t);
  expect(answers(resumed).slice(1)).toEqual(["→ 2", "→ 3"]);
  expect(answers(await start().invoke(ask("typeof n"), t))).toEqual(['→ "undefined"']);
});

test("two runs of one thread at the same time each keep the variables of their own conversation", async () => {
  const agent = startAgent(new MemorySaver());
  await agent.invoke(ask("var log = []"), t);
  const run = (name: string) =>
    ask(`log.push("${name}"); await null; log.join()`, `log.push("${name}"); log.join()`);
  const results = await Promise.all([agent.invoke(run("a"), t), agent.invoke(run("b"), t)]);
  expect(results.map(answers)).toEqual([
    ["→ a", "→ a,a"],
    ["→ b", "→ b,b"],
  ]);
  const [last] = answers(await agent.invoke(ask("log.join()"), t));
  expect(["→ a,a", "→ b,b"]).toContain(last);
});

test("a message of the person between turns, without an eval, changes nothing", async () => {
  const agent = startAgent(new MemorySaver());
  await agent.invoke(ask("var n = 1"), t);
  await agent.invoke({ messages: [new HumanMessage("[]")] }, t);
  expect(answers(await agent.invoke(ask("n"), t))).toEqual(["→ 1"]);
});
