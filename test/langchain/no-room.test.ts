import { HumanMessage } from "@langchain/core/messages";
import { AIMessage, createAgent, fakeModel } from "langchain";
import { expect, test } from "vitest";
import { createInterpreter } from "../../src/interpreter.js";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";

test("an eval for which there is no room beside those that run is told that it did not run", async () => {
  const maxTotalMemoryBytes = 18 * 1024 * 1024;
  const other = await createInterpreter({ maxTotalMemoryBytes });
  const busy = await other.open();
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const running = busy.eval("await tools.wait({})", { tools: { wait: () => opened } });
  const time = {
    now: () => 0,
    after: (ms: number, callback: () => void) => {
      if (ms < 1000) void Promise.resolve().then(callback);
      return () => {};
    },
  };
  const call = { name: "eval", args: { code: "6 * 7" } };
  const model = fakeModel()
    .respondWithTools([{ ...call, id: "1" }])
    .respond(new AIMessage("No."))
    .respondWithTools([{ ...call, id: "2" }])
    .respond(new AIMessage("Yes."));
  const middleware = createCodeInterpreterMiddleware({
    maxTotalMemoryBytes,
    interpreter: (options) => createInterpreter({ ...options, time }),
  });
  const agent = createAgent({ model, tools: [], middleware: [middleware] });
  const answer = async () => {
    const { messages } = await agent.invoke({ messages: [new HumanMessage("go")] });
    return messages.at(-2)?.text;
  };
  expect(await answer()).toMatch(/^This eval did not run\. The sessions that run now take all the memory/);
  open();
  await running;
  expect(await answer()).toBe("→ 42");
  other.dispose();
});
