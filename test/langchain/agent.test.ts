import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { createAgent, fakeModel, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";

const getRows = tool(async ({ n }) => Array.from({ length: n }, (_, id) => ({ id })), {
  name: "get_rows",
  description: "Rows",
  schema: z.object({ n: z.number() }),
});
const evalCall = (code: string, id: string) =>
  new AIMessage({ content: "", tool_calls: [{ name: "eval", args: { code }, id, type: "tool_call" }] });
const question = { messages: [new HumanMessage("go")] };
const toolTexts = ({ messages }: { messages: BaseMessage[] }) =>
  messages.filter((message) => ToolMessage.isInstance(message)).map((message) => message.text);

test("variables and functions of a turn are there in the next one, also in another process", async () => {
  const model = fakeModel()
    .respond(
      evalCall("const rows = await tools.getRows({ n: 5 }); const count = () => rows.length; count()", "a"),
    )
    .respond(new AIMessage("five"))
    .respond(evalCall("count() + rows[4].id", "b"))
    .respond(new AIMessage("nine"));
  const checkpointer = new MemorySaver();
  // A new agent and a new middleware share nothing with the old ones but the checkpointer, as another process would.
  const start = () =>
    createAgent({
      model,
      tools: [getRows],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["get_rows"] })],
      checkpointer,
    });
  const config = { configurable: { thread_id: "t" } };
  expect(toolTexts(await start().invoke(question, config))).toEqual(["→ 5"]);
  expect(toolTexts(await start().invoke(question, config))).toEqual(["→ 5", "→ 9"]);
});

test("works in a deep agent, with a tool given to the option itself", async () => {
  const model = fakeModel()
    .respond(evalCall("(await tools.getRows({ n: 2 })).length", "a"))
    .respond(new AIMessage("ok"));
  const agent = createDeepAgent({ model, middleware: [createCodeInterpreterMiddleware({ ptc: [getRows] })] });
  expect(toolTexts(await agent.invoke(question))).toEqual(["→ 2"]);
});

test("no bytes of a snapshot are in the state or in its streams", async () => {
  const model = fakeModel()
    .respond(evalCall("const big = 'x'.repeat(1000); 1", "a"))
    .respond(new AIMessage("ok"));
  const agent = createAgent({
    model,
    tools: [],
    middleware: [createCodeInterpreterMiddleware()],
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: "t" } };
  const streamed: unknown[] = [];
  for await (const chunk of await agent.stream(question, { ...config, streamMode: ["values", "updates"] })) {
    streamed.push(chunk);
  }
  const state = await agent.graph.getState(config);
  expect(state.values["_interpreter"].snapshot.place).toBe("checkpointer");
  for (const seen of [streamed, state.values]) {
    expect(JSON.stringify(seen).length).toBeLessThan(8000);
  }
});
