import { HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { AIMessage, createAgent, fakeModel, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { createInterpreter, type InterpreterOptions } from "../../src/interpreter.js";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";

const MIB = 1024 * 1024;

/** A session that takes all the room until the function is called. */
async function crowd(figures: InterpreterOptions): Promise<() => Promise<void>> {
  const interpreter = await createInterpreter(figures);
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const session = await interpreter.open();
  const running = session.eval("await tools.wait({})", { tools: { wait: () => opened } });
  return async () => {
    open();
    await running;
    interpreter.dispose();
  };
}

/** With a clock on which a wait for room is over at once. */
const impatient = (options: InterpreterOptions) =>
  createInterpreter({
    ...options,
    time: {
      now: () => 0,
      after: (ms, callback) => {
        if (ms < 1000) void Promise.resolve().then(callback);
        return () => {};
      },
    },
  });

const evalCall = (id: string, code: string) => ({ name: "eval", id, args: { code } });

test("an eval for which there is no room beside those that run is told that it did not run", async () => {
  const maxTotalMemoryBytes = 18 * MIB;
  const leave = await crowd({ maxTotalMemoryBytes });
  const model = fakeModel()
    .respondWithTools([evalCall("1", "6 * 7")])
    .respond(new AIMessage("No."))
    .respondWithTools([evalCall("2", "6 * 7")])
    .respond(new AIMessage("Yes."));
  const middleware = createCodeInterpreterMiddleware({ maxTotalMemoryBytes, interpreter: impatient });
  const agent = createAgent({ model, tools: [], middleware: [middleware] });
  const answer = async () => {
    const { messages } = await agent.invoke({ messages: [new HumanMessage("go")] });
    return messages.at(-2)?.text;
  };
  expect(await answer()).toMatch(/^This eval did not run\. The sessions that run now take all the memory/);
  await leave();
  expect(await answer()).toBe("→ 42");
});

test.each(["before", "after"])(
  "a paused eval for which there is no room %s it was restored stays paused, and goes on when it is answered again",
  async (when) => {
    const figures = { maxTotalMemoryBytes: when === "before" ? 19 * MIB : 20 * MIB, maxLiveSessions: 1 };
    const checkpointer = new MemorySaver();
    const sent: string[] = [];
    const send = tool(
      async ({ label }) => {
        sent.push(label);
        return `sent ${label}`;
      },
      { name: "send", description: "Sends.", schema: z.object({ label: z.string() }) },
    );
    const model = fakeModel()
      .respondWithTools([evalCall("1", 'const n = 1; [n, await tools.send({ label: "it" })]')])
      .respond(new AIMessage("Done."));
    let leave = async () => {};
    const crowdAfterRestore = async (options: InterpreterOptions) => {
      const interpreter = await impatient(options);
      return {
        ...interpreter,
        restore: async (...args: Parameters<typeof interpreter.restore>) => {
          const session = await interpreter.restore(...args);
          leave = await crowd(figures);
          return session;
        },
      };
    };
    // An agent of its own for each step, as after a restart.
    const start = (interpreter = impatient) => {
      const options = { ...figures, interpreter, ptc: [send], interruptOn: { send: true } };
      const middleware = [createCodeInterpreterMiddleware(options)];
      return createAgent({ model, tools: [], checkpointer, middleware });
    };
    const config = { configurable: { thread_id: "t" } };
    await start().invoke({ messages: [new HumanMessage("go")] }, config);
    if (when === "before") leave = await crowd(figures);
    const approve = (interpreter?: typeof impatient) =>
      start(interpreter).invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
    const crowded = approve(when === "before" ? impatient : crowdAfterRestore);
    await expect(crowded).rejects.toThrow("all the memory there is for them together");
    expect(sent).toEqual([]);
    await leave();
    const { messages } = await approve();
    expect(messages.at(-2)?.text).toBe('→ [1, "sent it"]');
    expect(sent).toEqual(["it"]);
  },
);
