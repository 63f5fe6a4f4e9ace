import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { createDeepAgent } from "deepagents";
import { describe, expect, test } from "vitest";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { memoryStore } from "../../src/store.js";
import { answers, ask, scriptedModel, startAgent, thread } from "../support/persistent-agent.js";

const savers: [string, () => BaseCheckpointSaver][] = [
  ["MemorySaver", () => new MemorySaver()],
  ["SqliteSaver", () => SqliteSaver.fromConnString(":memory:")],
];
type Agent = ReturnType<typeof startAgent>;

/** The newest checkpoint whose turn has ended, and the ones before it, newest first. */
async function endedTurns(agent: Agent, id: string) {
  const ended = [];
  for await (const snapshot of agent.graph.getStateHistory(thread(id)))
    if (snapshot.next.length === 0) ended.push(snapshot.config);
  return ended;
}

describe.each(savers)("with %s", (_, newSaver) => {
  // One process with its live sessions, and processes that share the checkpointer only.
  const saver = newSaver();
  const one = startAgent(saver);
  const places: [string, () => Agent][] = [
    ["in the same process", () => one],
    ["in another process", () => startAgent(saver)],
  ];

  test.each(places)("a thread goes on with its variables %s", async (where, agent) => {
    await agent().invoke(ask("let n = 1; const up = () => ++n"), thread(`on ${where}`));
    expect(answers(await agent().invoke(ask("up()", "up()"), thread(`on ${where}`)))).toEqual(["→ 2", "→ 3"]);
    expect(answers(await agent().invoke(ask("n"), thread(`on ${where}`)))).toEqual(["→ 3"]);
  });

  test.each(places)(
    "a fork of an older checkpoint has that checkpoint's variables %s",
    async (where, agent) => {
      const id = `fork ${where}`;
      await agent().invoke(ask("let log = ['a']"), thread(id));
      await agent().invoke(ask("log.push('b')"), thread(id));
      await agent().invoke(ask("log.push('c')"), thread(id));
      const [c, b, a] = await endedTurns(one, id);
      const at = (config: typeof a) => ({ configurable: config?.configurable ?? {} });
      expect(answers(await agent().invoke(ask("log.push('x'); log.join('')"), at(a)))).toEqual(["→ ax"]);
      expect(answers(await agent().invoke(ask("log.join('')"), at(b)))).toEqual(["→ ab"]);
      // The two branches have the same number of evals behind them, and different variables.
      expect(answers(await agent().invoke(ask("log.join('')"), at(c)))).toEqual(["→ abc"]);
      expect(answers(await agent().invoke(ask("log.push('y'); log.join('')"), at(b)))).toEqual(["→ aby"]);
      expect(answers(await agent().invoke(ask("log.join('')"), at(c)))).toEqual(["→ abc"]);
    },
  );

  test.each(places)("a checkpoint is replayed with the same result each time %s", async (where, agent) => {
    const id = `replay ${where}`;
    await agent().invoke(ask("let n = 10"), thread(id));
    await agent().invoke(ask(["n += 1; n", "n += 2; n"]), thread(id));
    let before: Record<string, unknown> | undefined;
    for await (const { next, config } of one.graph.getStateHistory(thread(id))) {
      if (next.includes("tools")) before ??= config.configurable;
    }
    for (const _ of [1, 2]) {
      const replayed = await agent().invoke(null, { configurable: before ?? {} });
      expect(answers(replayed)).toEqual(["→ 11", "→ 13"]);
    }
    expect(answers(await agent().invoke(ask("n"), thread(id)))).toEqual(["→ 13"]);
  });

  test.each(places)("an edited message is answered with the variables of then %s", async (where, agent) => {
    const id = `edit ${where}`;
    await agent().invoke(ask("let n = 1"), thread(id));
    await agent().invoke(ask("n = 2"), thread(id));
    const asked = [];
    for await (const snapshot of one.graph.getStateHistory(thread(id)))
      if (snapshot.next.includes("model_request")) asked.push(snapshot);
    const beforeAnswer = asked.find(({ values }) => HumanMessage.isInstance(values["messages"].at(-1)));
    const question = beforeAnswer?.values["messages"].at(-1);
    const replacement = new HumanMessage({ id: question.id, content: ask("n + 40").messages[0]?.text ?? "" });
    const edited = await one.graph.updateState(beforeAnswer?.config as never, { messages: [replacement] });
    expect(answers(await agent().invoke(null, edited))).toEqual(["→ 41"]);
  });

  test.each(places)(
    "a copied thread has the variables and then goes its own way %s",
    async (where, agent) => {
      const [from, to] = [`from ${where}`, `to ${where}`];
      await agent().invoke(ask("let n = 1"), thread(from));
      const { values } = await one.graph.getState(thread(from));
      await one.graph.updateState(thread(to), values, "model_request");
      expect(answers(await agent().invoke(ask("n += 10; n"), thread(to)))).toEqual(["→ 11"]);
      expect(answers(await agent().invoke(ask("n += 1; n"), thread(from)))).toEqual(["→ 2"]);
      expect(answers(await agent().invoke(ask("n"), thread(to)))).toEqual(["→ 11"]);
      // Copied once more over what it has become.
      await one.graph.updateState(thread(to), values, "model_request");
      expect(answers(await agent().invoke(ask("n"), thread(to)))).toEqual(["→ 1"]);
    },
  );

  test.each(places)(
    "parallel evals of one message run one after the other on one session %s",
    async (where, agent) => {
      const id = `parallel ${where}`;
      const turn = ask(["let n = 1; n", "n += 1; await null; n += 1; n", "n *= 10; n"]);
      expect(answers(await agent().invoke(turn, thread(id)))).toEqual(["→ 1", "→ 3", "→ 30"]);
      expect(answers(await agent().invoke(ask("n"), thread(id)))).toEqual(["→ 30"]);
    },
  );
});

test("threads do not meet, whatever their ids look like", async () => {
  const agent = startAgent(SqliteSaver.fromConnString(":memory:"));
  for (const id of [1, "0", "a", "__proto__", "head", "ünï"])
    await agent.invoke(ask(`const mine = ${JSON.stringify(String(id))}`), thread(id));
  for (const id of [1, "0", "a", "__proto__", "head", "ünï"])
    expect(answers(await agent.invoke(ask("mine"), thread(id)))).toEqual([`→ ${id}`]);
});

test("callers without a thread id never meet, also at the same time", async () => {
  const agent = startAgent();
  const run = (name: string, config = {}) =>
    agent.invoke(
      ask(
        `globalThis.seen = (globalThis.seen ?? "") + "${name}"; await null; seen`,
        `seen += "${name}"; seen`,
      ),
      config,
    );
  const [a, b] = await Promise.all([run("A"), run("B")]);
  expect([answers(a), answers(b)]).toEqual([
    ["→ A", "→ AA"],
    ["→ B", "→ BB"],
  ]);
  for (const empty of ["", undefined, null])
    expect(answers(await run("C", { configurable: { thread_id: empty } }))).toEqual(["→ C", "→ CC"]);
});

test("a subagent with the same middleware has variables of its own, and no bytes in its state", async () => {
  for (const checkpointer of [new MemorySaver(), undefined]) {
    const shared = createCodeInterpreterMiddleware();
    const agent = createDeepAgent({
      model: scriptedModel(),
      middleware: [shared],
      subagents: [
        {
          name: "worker",
          description: "works",
          systemPrompt: "work",
          model: scriptedModel(),
          middleware: [shared],
        },
      ],
      ...(checkpointer ? { checkpointer } : {}),
    });
    const forWorker = JSON.stringify([["typeof n"], ["var n = 'worker'; n"]]);
    const dispatch = `n = 5; await task({ description: ${JSON.stringify(forWorker)}, subagent_type: "worker" }); n`;
    const result = await agent.invoke(ask("var n = 1", dispatch), thread("parent"));
    expect(answers(result).at(-1)).toBe("→ 5");
    expect(answers(await agent.invoke(ask("n"), thread("parent")))).toEqual(["→ 5"]);
  }
});

test("one middleware in two agents keeps their threads apart by what their states name", async () => {
  const shared = createCodeInterpreterMiddleware();
  const agents = [new MemorySaver(), new MemorySaver()].map((saver) =>
    startAgent(saver, {}, { middleware: [shared] }),
  );
  for (const [index, agent] of agents.entries()) await agent.invoke(ask(`let n = ${index}`), thread("same"));
  for (const [index, agent] of agents.entries())
    expect(answers(await agent.invoke(ask("n"), thread("same")))).toEqual([`→ ${index}`]);
});

test("no bytes of a snapshot are in what a run streams, answers or lists", async () => {
  const needle = "needle".repeat(500);
  for (const snapshots of [undefined, memoryStore()]) {
    const agent = startAgent(new MemorySaver(), snapshots ? { snapshots } : {});
    const seen: unknown[] = [];
    const config = { ...thread("t"), streamMode: ["values", "updates", "debug", "checkpoints"] as const };
    const code = `const big = ${JSON.stringify("needle")}.repeat(500); const f = () => big; 1`;
    for await (const chunk of await agent.stream(ask(code, "f().length"), config as never)) seen.push(chunk);
    seen.push((await agent.graph.getState(thread("t"))).values);
    for await (const state of agent.graph.getStateHistory(thread("t"))) seen.push(state.values, state.tasks);
    const text = JSON.stringify(seen);
    expect(text).not.toContain(needle);
    expect(text).not.toContain("RUlTTg");
    const sizes = seen.map((each) => JSON.stringify(each).length);
    expect(Math.max(...sizes)).toBeLessThan(12_000);
  }
});

test("a turn without an eval writes nothing of ours", async () => {
  const puts: string[] = [];
  class Recording extends MemorySaver {
    override put(...args: Parameters<MemorySaver["put"]>): ReturnType<MemorySaver["put"]> {
      puts.push(String(args[0].configurable?.["checkpoint_ns"]));
      return super.put(...args);
    }
  }
  const agent = startAgent(new Recording());
  await agent.invoke(ask("let n = 1"), thread("t"));
  expect(puts.filter((namespace) => namespace !== "")).toHaveLength(2);
  const before = puts.filter((namespace) => namespace !== "").length;
  const { _interpreter } = (await agent.graph.getState(thread("t"))).values;
  await agent.invoke(ask(), thread("t"));
  expect(puts.filter((namespace) => namespace !== "")).toHaveLength(before);
  expect((await agent.graph.getState(thread("t"))).values["_interpreter"]).toEqual(_interpreter);
});
