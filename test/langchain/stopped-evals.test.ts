import { tool } from "@langchain/core/tools";
import { Command, InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { z } from "zod/v4";
import { type CodeInterpreterOptions, memoryStore } from "../../src/langchain/index.js";
import { abortingTool } from "../support/aborting-tool.js";
import { answers, ask, startAgent, thread } from "../support/persistent-agent.js";

const t = thread("t");
const stopped = "The eval before this one was stopped before it ended: what it had changed by then stays";

/** An agent whose code can have the run aborted: `await tools.stop({})` never answers. */
function stoppable(
  checkpointer: MemorySaver | undefined,
  options: CodeInterpreterOptions = {},
  more: Parameters<typeof startAgent>[2] = {},
) {
  const { stop, nextSignal } = abortingTool();
  const agent = startAgent(checkpointer, { ptc: [stop], ...options }, more);
  return {
    agent,
    /** Runs until the code aborts the run. */
    async untilStopped(input: unknown, config = t) {
      const run = agent.invoke(input as never, { ...config, signal: nextSignal() });
      await expect(run).rejects.toThrow();
    },
  };
}

/** Resolves when the record of a stopped eval has been put there. */
function whenKept(place: { put(...parameters: never[]): Promise<unknown> }): Promise<void> {
  return new Promise((resolve) => {
    const put = place.put.bind(place);
    place.put = async (...parameters) => {
      const answer = await put(...parameters);
      if (/-stopped"/.test(JSON.stringify(parameters.slice(0, 1)))) resolve();
      return answer;
    };
  });
}

type Kept = { options?: CodeInterpreterOptions; more?: Parameters<typeof startAgent>[2] };

const places: [string, () => Kept][] = [
  ["beside the checkpoints", () => ({})],
  ["in a snapshot store", () => ({ options: { snapshots: memoryStore() } })],
  ["in LangGraph's store", () => ({ more: { store: new InMemoryStore() } })],
  ["with signatures", () => ({ options: { snapshotSigningKey: "secret" } })],
];

describe.each(places)("what a stopped eval had changed, kept %s,", (_, make) => {
  const half = "log.push('half'); var read = () => log.join(); await tools.stop({}); log.push('late')";

  test("is there for the next eval, functions included, which says what happened", async () => {
    const { options, more } = make();
    const { agent, untilStopped } = stoppable(new MemorySaver(), options, more);
    await agent.invoke(ask("var log = ['a']"), t);
    await untilStopped(ask(half));
    const [next, later] = answers(await agent.invoke(ask("read()", "read()"), t));
    expect(next).toContain("→ a,half");
    expect(next).toContain(stopped);
    expect(later).toBe("→ a,half");
  });

  test("is there for another process", async () => {
    const checkpointer = new MemorySaver();
    const { options, more } = make();
    const kept = whenKept(options?.snapshots ?? checkpointer);
    const { agent, untilStopped } = stoppable(checkpointer, options, more);
    await agent.invoke(ask("var log = ['a']"), t);
    await untilStopped(ask(half));
    // The run is over before what its eval did is kept; the same process would wait for that.
    await kept;
    const [next] = answers(await stoppable(checkpointer, options, more).agent.invoke(ask("read()"), t));
    expect(next).toContain("→ a,half");
    expect(next).toContain(stopped);
  });
});

test("a stopped eval that is run again starts from before it", async () => {
  const checkpointer = new MemorySaver();
  const { agent, untilStopped } = stoppable(checkpointer);
  await agent.invoke(ask("var n = 1"), t);
  await untilStopped(ask("n++; if (n === 2) await tools.stop({}); n"));
  await untilStopped(null);
  expect((await agent.graph.getState(t)).next).toEqual(["tools"]);
  expect(answers(await agent.invoke(ask("n"), t))[0]).toContain("→ 2");
});

test("lines of the thread that do not contain the stopped eval do not have its changes", async () => {
  const checkpointer = new MemorySaver();
  const { agent, untilStopped } = stoppable(checkpointer);
  await agent.invoke(ask("var n = 1"), t);
  const before = (await agent.graph.getState(t)).config;
  await untilStopped(ask("n = 2; await tools.stop({})"));
  expect(answers(await agent.invoke(ask("n"), before))).toEqual(["→ 1"]);
});

test("evals that are stopped one after the other keep what each of them did", async () => {
  const checkpointer = new MemorySaver();
  const { agent, untilStopped } = stoppable(checkpointer);
  await untilStopped(ask("var n = 1; await tools.stop({})"));
  await untilStopped(ask("n += 10; await tools.stop({})"));
  await untilStopped(ask("n += 100; await tools.stop({})"));
  expect(answers(await agent.invoke(ask("n"), t))[0]).toContain("→ 111");
});

test("an eval that was stopped after an approval is not run again, and keeps what it did", async () => {
  const pay = tool(() => "paid", { name: "pay", description: "", schema: z.object({}) });
  const checkpointer = new MemorySaver();
  const { stop, nextSignal } = abortingTool();
  const agent = startAgent(checkpointer, { ptc: [stop, pay], interruptOn: { pay: true } });
  await agent.invoke(ask("var log = ['start']; log.push(await tools.pay({})); await tools.stop({})"), t);
  const resumed = agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), {
    ...t,
    signal: nextSignal(),
  });
  await expect(resumed).rejects.toThrow();
  const [text] = answers(await agent.invoke(ask("log.join()"), t));
  expect(text).toContain("→ start,paid");
  expect(text).toContain(stopped);
});

test("without a checkpointer the thread goes on with what the stopped eval changed", async () => {
  for (const options of [{}, { snapshots: memoryStore() }]) {
    const { agent, untilStopped } = stoppable(undefined, options);
    await agent.invoke(ask("var n = 1"), t);
    await untilStopped(ask("n = 2; await tools.stop({})"));
    const [text] = answers(await agent.invoke(ask("n"), t));
    expect(text).toContain("→ 2");
    expect(text).toContain(stopped);
  }
});

test("changes too large to be kept are told as lost", async () => {
  const checkpointer = new MemorySaver();
  const { agent, untilStopped } = stoppable(checkpointer, { maxSnapshotBytes: 200_000 });
  await agent.invoke(ask("var n = 1"), t);
  await untilStopped(
    ask("n = 2; var big = Array.from({ length: 60000 }, () => Math.random()); await tools.stop({})"),
  );
  const [text] = answers(await agent.invoke(ask("n"), t));
  expect(text).toContain("→ 1");
  expect(text).toContain("was stopped, and what it had changed could not be kept");
});

test.each([["with a checkpointer"], ["without"]])(
  "a run that is aborted while its snapshot is written ends at once, and the thread goes on with a whole state, %s",
  async (kind) => {
    const store = memoryStore();
    const waiting: (() => void)[] = [];
    let isSlow = false;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const snapshots: typeof store = {
      supports: store.supports,
      get: (key) => store.get(key),
      delete: (...parameters) => store.delete(...parameters),
      list: (...parameters) => store.list(...parameters),
      put: async (...parameters) => {
        if (isSlow) {
          begin();
          await new Promise<void>((resolve) => waiting.push(resolve));
        }
        return store.put(...parameters);
      },
    };
    const agent = startAgent(kind === "without" ? undefined : new MemorySaver(), { snapshots });
    await agent.invoke(ask("var n = 1; const next = () => ++n; n"), t);
    isSlow = true;
    const controller = new AbortController();
    const run = agent.invoke(ask("next()"), { ...t, signal: controller.signal });
    await begun;
    controller.abort(new Error("stopped"));
    // Nothing has been written by then: the run does not wait for its store.
    await expect(run).rejects.toThrow();
    isSlow = false;
    for (const write of waiting.splice(0)) write();
    const [after] = answers(await agent.invoke(ask("[n, next() - n]"), t));
    expect(after).toMatch(/^→ \[[12], 0\]/);
  },
);
